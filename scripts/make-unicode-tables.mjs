// Writes src/core/unicode-tables.ts: node scripts/make-unicode-tables.mjs && npx biome format --write src/core/unicode-tables.ts
//
// Word characters, case folding and whitespace come from test/vectors/h_unicode_tables.json (Unicode 15.0).
// Scripts and marks come from the Unicode data of the Node that runs this, so they are written down here once
// and never asked of a browser: an index built by one engine is read by another.
import { readFileSync, writeFileSync } from 'node:fs';

const tables = JSON.parse(readFileSync(new URL('../test/vectors/h_unicode_tables.json', import.meta.url)));
const LAST = 0x10ffff;

/** The scripts by id; 0 stands for characters of no script of their own (digits, modifiers). */
const SCRIPTS =
  `Latin Greek Cyrillic Han Hiragana Katakana Hangul Bopomofo Thai Lao Khmer Myanmar Tibetan Yi Tai_Le New_Tai_Lue
  Tai_Tham Tai_Viet Javanese Balinese Armenian Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic Devanagari Bengali
  Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Georgian Ethiopic Cherokee Canadian_Aboriginal
  Ogham Runic Tagalog Hanunoo Buhid Tagbanwa Mongolian Limbu Buginese Sundanese Batak Lepcha Ol_Chiki Glagolitic
  Coptic Tifinagh Lisu Vai Bamum Syloti_Nagri Phags_Pa Saurashtra Kayah_Li Rejang Cham Meetei_Mayek Linear_B
  Lycian Carian Old_Italic Gothic Old_Permic Ugaritic Old_Persian Deseret Shavian Osmanya Osage Elbasan
  Caucasian_Albanian Vithkuqi Linear_A Cypriot Imperial_Aramaic Palmyrene Nabataean Hatran Phoenician Lydian
  Meroitic_Hieroglyphs Meroitic_Cursive Kharoshthi Old_South_Arabian Old_North_Arabian Manichaean Avestan
  Inscriptional_Parthian Inscriptional_Pahlavi Psalter_Pahlavi Old_Turkic Old_Hungarian Hanifi_Rohingya Yezidi
  Old_Sogdian Sogdian Old_Uyghur Chorasmian Elymaic Brahmi Kaithi Sora_Sompeng Chakma Mahajani Sharada Khojki
  Multani Khudawadi Grantha Newa Tirhuta Siddham Modi Takri Ahom Dogra Warang_Citi Dives_Akuru Nandinagari
  Zanabazar_Square Soyombo Pau_Cin_Hau Bhaiksuki Marchen Masaram_Gondi Gunjala_Gondi Makasar Kawi Cuneiform
  Cypro_Minoan Egyptian_Hieroglyphs Anatolian_Hieroglyphs Mro Tangsa Bassa_Vah Pahawh_Hmong Medefaidrin Miao Tangut
  Nushu Khitan_Small_Script Duployan SignWriting Nyiakeng_Puachue_Hmong Toto Wancho Nag_Mundari Mende_Kikakui Adlam`.split(
    /\s+/,
  );

const patterns = SCRIPTS.map((name) => new RegExp(`^\\p{Script=${name}}$`, 'u'));

function scriptOf(point) {
  const character = String.fromCodePoint(point);
  return patterns.findIndex((pattern) => pattern.test(character)) + 1;
}

const digits = (numbers) => numbers.map((number) => number.toString(36)).join(' ');

/** Gap to the former range's end, then the length beyond one: ranges as small numbers. */
function packRanges(ranges) {
  let last = 0;
  return digits(
    ranges.flatMap(([first, end]) => {
      const pair = [first - last, end - first];
      last = end;
      return pair;
    }),
  );
}

/** [gap, length - 1, script] for each stretch of word characters of one script. Gaps without words are bridged. */
function packScripts(ranges) {
  const stretches = [];
  for (const [first, end] of ranges) {
    for (let point = first; point <= end; point += 1) {
      const script = scriptOf(point);
      const stretch = stretches.at(-1);
      if (stretch !== undefined && stretch[2] === script) stretch[1] = point;
      else stretches.push([point, point, script]);
    }
  }
  let last = 0;
  return digits(
    stretches
      .filter(([, , script]) => script !== 0)
      .flatMap(([first, end, script]) => {
        const packed = [first - last, end - first, script];
        last = end;
        return packed;
      }),
  );
}

/** One character to one: [gap, count, step, distance + bias] for stretches with the same distance. */
function packFolds(entries) {
  const stretches = [];
  for (const [point, folded] of entries) {
    const stretch = stretches.at(-1);
    const distance = folded - point;
    if (stretch !== undefined && stretch.distance === distance) {
      const step = point - stretch.last;
      if (stretch.count === 1 && step <= 2) stretch.step = step;
      if (step === stretch.step) {
        stretch.count += 1;
        stretch.last = point;
        continue;
      }
    }
    stretches.push({ first: point, last: point, count: 1, step: 1, distance });
  }
  let last = 0;
  return digits(
    stretches.flatMap(({ first, last: end, count, step, distance }) => {
      const packed = [first - last, count, step, distance < 0 ? -distance * 2 + 1 : distance * 2];
      last = end;
      return packed;
    }),
  );
}

const marks = [];
for (let point = 0; point <= LAST; point += 1) {
  if (point >= 0xd800 && point <= 0xdfff) continue;
  if (!/^\p{M}$/u.test(String.fromCodePoint(point))) continue;
  const range = marks.at(-1);
  if (range !== undefined && range[1] === point - 1) range[1] = point;
  else marks.push([point, point]);
}

const folds = Object.entries(tables.casefold)
  .map(([point, folded]) => [Number.parseInt(point, 16), folded.map((part) => Number.parseInt(part, 16))])
  .sort((a, b) => a[0] - b[0]);
const simple = folds.filter(([, folded]) => folded.length === 1).map(([point, [folded]]) => [point, folded]);
const full = folds
  .filter(([, folded]) => folded.length > 1)
  .flatMap(([point, folded]) => [point, folded.length, ...folded]);
const whitespace = tables.strip_whitespace.map((point) => Number.parseInt(point, 16)).sort((a, b) => a - b);

const constant = (comment, name, value) => `/** ${comment} */\nexport const ${name} =\n  '${value}';\n`;
writeFileSync(
  new URL('../src/core/unicode-tables.ts', import.meta.url),
  `// Made by scripts/make-unicode-tables.mjs, do not edit: Unicode ${tables.unidata}; scripts and marks of Unicode ${process.versions.unicode}.
// All numbers are in base 36, separated by blanks; see the script for what they mean.

${constant('Word characters: gap to the former range, length - 1.', 'WORD_RANGES', packRanges(tables.word_ranges))}
${constant('Scripts of word characters: gap, length - 1, script id.', 'SCRIPT_RANGES', packScripts(tables.word_ranges))}
${constant('Marks (M*): gap to the former range, length - 1.', 'MARK_RANGES', packRanges(marks))}
${constant('Case folds to one character: gap, count, step, twice the distance (+1 when negative).', 'SIMPLE_FOLDS', packFolds(simple))}
${constant('Case folds to several characters: character, how many, which.', 'FULL_FOLDS', digits(full))}
${constant("What Python's str.strip() removes.", 'STRIP_WHITESPACE', digits(whitespace))}`,
);
