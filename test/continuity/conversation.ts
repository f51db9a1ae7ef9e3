// A long conversation about a harbour, by a seed, in which exact details are told once, in English and in Chinese.
import { type SeededRandom, seededRandom } from '../support/seeded.js';

/** Something exact that one message tells, and how somebody asks for it who does not know it. */
export interface Detail {
  readonly language: 'en' | 'zh';
  readonly kind: 'number' | 'id' | 'path' | 'name' | 'date';
  readonly text: string;
  /** As the message tells it. */
  readonly sentence: string;
  /** Words from around the detail, nothing of itself. */
  readonly question: string;
}

/** A user's message, what the agent's tool says to it if it is used, and the agent's answer. */
export interface Turn {
  readonly said: string;
  readonly looked: string | null;
  readonly answer: string;
}

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly details: readonly Detail[];
}

interface Wording {
  readonly kind: Detail['kind'];
  readonly tell: (subject: string, detail: string) => string;
  readonly ask: (subject: string) => string;
  readonly invent: (random: SeededRandom) => string;
}

interface Language {
  readonly wordings: readonly Wording[];
  readonly qualities: readonly string[];
  readonly things: readonly string[];
  readonly subject: (quality: string, thing: string) => string;
  /** Has the words that are asked for, and tells nothing. */
  readonly decoys: readonly ((subject: string) => string)[];
  readonly filler: readonly string[];
}

const digits = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 1 : 0) + random.below(9)).join('');
const price = (random: SeededRandom): string =>
  `${digits(random, 2)},${digits(random, 3)}.${digits(random, 2)}`;
const date = (random: SeededRandom): string =>
  `${2031 + random.below(9)}-0${1 + random.below(9)}-${10 + random.below(18)} ${10 + random.below(12)}:${10 + random.below(49)}`;
const letters = (random: SeededRandom): string =>
  Array.from({ length: 2 }, () => random.pick([...'KLMPQRTVXZ'])).join('');

const ENGLISH: Language = {
  qualities: ['blue', 'old', 'northern', 'second', 'painted'],
  things: ['tugboat', 'lighthouse', 'crane', 'warehouse', 'ferry'],
  subject: (quality, thing) => `the ${quality} ${thing}`,
  wordings: [
    {
      kind: 'number',
      tell: (subject, detail) => `The repair of ${subject} came to ${detail} kroner in the end.`,
      ask: (subject) => `What did the repair of ${subject} come to?`,
      invent: price,
    },
    {
      kind: 'id',
      tell: (subject, detail) => `The insurer filed the claim about ${subject} under ${detail}.`,
      ask: (subject) => `Under what did the insurer file the claim about ${subject}?`,
      invent: (random) => `${letters(random)}-${digits(random, 4)}-${letters(random)}`,
    },
    {
      kind: 'path',
      tell: (subject, detail) => `The survey of ${subject} lies in ${detail} for now.`,
      ask: (subject) => `Where does the survey of ${subject} lie?`,
      invent: (random) =>
        `/srv/${letters(random).toLowerCase()}${digits(random, 3)}/q${digits(random, 5)}.csv`,
    },
    {
      kind: 'name',
      tell: (subject, detail) => `The new keeper of ${subject} is called ${detail}.`,
      ask: (subject) => `Who is the new keeper of ${subject}?`,
      invent: (random) =>
        `${random.pick(['Ulla', 'Imre', 'Odile', 'Tarek', 'Sunniva'])} ${random.pick(['Brandvold', 'Kisfaludi', 'Okonjo', 'Vasquez', 'Haapala'])}${random.pick(['', '-Lund', '-Moss', '-Ferro', '-Dahl'])}`,
    },
    {
      kind: 'date',
      tell: (subject, detail) => `The permit for ${subject} expires on ${detail} sharp.`,
      ask: (subject) => `When does the permit for ${subject} expire?`,
      invent: date,
    },
  ],
  decoys: [
    (subject) => `Nobody has asked about ${subject} since the storm.`,
    (subject) => `We should look at the papers of ${subject} again before the board meets.`,
    (subject) => `The harbour office wants a word about ${subject}, but not this week.`,
  ],
  filler: [
    'The tide tables were printed late and half of the crew had to wait.',
    'A pilot asked whether the buoys would be moved before winter.',
    'The board discussed fees, fenders and the price of diesel for an hour.',
    'Two containers stood in the wrong row and were moved in the night.',
    'The customs officer has seen the manifest and had no remarks.',
    'Somebody left the gate open, and the dog from the quay got in.',
    'The forecast says wind from the west, so the berths stay as they are.',
  ],
};

const CHINESE: Language = {
  qualities: ['蓝色', '旧的', '北边', '二号', '新漆'],
  things: ['拖船', '灯塔', '吊机', '仓库', '渡轮'],
  subject: (quality, thing) => `${quality}${thing}`,
  wordings: [
    {
      kind: 'number',
      tell: (subject, detail) => `${subject}的维修费最后一共是${detail}元。`,
      ask: (subject) => `${subject}的维修费一共是多少？`,
      invent: price,
    },
    {
      kind: 'id',
      tell: (subject, detail) => `保险公司把${subject}的理赔登记为${detail}。`,
      ask: (subject) => `${subject}的理赔登记为什么编号？`,
      invent: (random) =>
        `${random.pick(['沪', '甬', '穗', '津'])}港-${digits(random, 4)}-${random.pick(['甲', '乙', '丙', '丁'])}`,
    },
    {
      kind: 'path',
      tell: (subject, detail) => `${subject}的勘测报告暂时放在${detail}里面。`,
      ask: (subject) => `${subject}的勘测报告放在哪里？`,
      invent: (random) => `/数据/泊位${digits(random, 2)}/z${digits(random, 5)}.xlsx`,
    },
    {
      kind: 'name',
      tell: (subject, detail) => `${subject}的新看守人叫${detail}。`,
      ask: (subject) => `${subject}的新看守人叫什么名字？`,
      invent: (random) =>
        `${random.pick(['欧阳', '司徒', '诸葛', '慕容'])}${random.pick(['槿', '翊', '霁', '钰', '翀'])}${random.pick(['澜', '峤', '璟', '湛', '彧'])}`,
    },
    {
      kind: 'date',
      tell: (subject, detail) => `${subject}的许可证到${detail}为止有效。`,
      ask: (subject) => `${subject}的许可证到什么时候有效？`,
      invent: date,
    },
  ],
  decoys: [
    (subject) => `风暴以后没有人再问过${subject}。`,
    (subject) => `开会以前应该再看一遍${subject}的材料。`,
    (subject) => `港务局想谈谈${subject}，不过不是这个星期。`,
  ],
  filler: [
    '潮汐表印晚了，一半的船员只好等着。',
    '引航员问冬天以前会不会移动浮标。',
    '董事会讨论了一个小时的费用和柴油价格。',
    '两个集装箱放错了位置，夜里才搬走。',
    '海关看过舱单，没有意见。',
    '有人没关门，码头上的狗跑了进来。',
    '天气预报说有西风，泊位先不变。',
  ],
};

const LANGUAGES = { en: ENGLISH, zh: CHINESE };
/** One turn in so many has a tool's result too long for one search hit. */
const LONG_EVERY = 18;

/**
 * So many turns, two in three of which use a tool: four messages, and two in the others. The details stand in the
 * first five sixths, by turns in what the user, the tool and the agent say; each in a turn of its own, all different.
 */
export function conversationOf(seed: number, turns: number, details: number): Conversation {
  const random = seededRandom(seed);
  const told: Detail[] = [];
  while (told.length < details) told.push(newDetail(random, told));
  const spacing = (turns * 5) / 6 / details;
  return {
    details: told,
    turns: Array.from({ length: turns }, (_, turn) => {
      const at = Math.ceil(turn / spacing);
      const detail = Math.floor(at * spacing) === turn ? told[at] : undefined;
      return turnOf(random, `${seed}.${turn}`, turn, detail);
    }),
  };
}

/** A detail about a thing of which nothing of the kind is told yet; by turns in English and Chinese. */
function newDetail(random: SeededRandom, made: readonly Detail[]): Detail {
  const language = made.length % 2 === 0 ? 'en' : 'zh';
  const { wordings, qualities, things, subject } = LANGUAGES[language];
  for (;;) {
    const { kind, tell, ask, invent } = random.pick(wordings);
    const about = subject(random.pick(qualities), random.pick(things));
    const text = invent(random);
    const question = ask(about);
    if (made.some((other) => other.question === question || other.text === text)) continue;
    return { language, kind, text, sentence: tell(about, text), question };
  }
}

function turnOf(random: SeededRandom, label: string, turn: number, detail: Detail | undefined): Turn {
  const hasTool = turn % 3 !== 2;
  const places = hasTool ? (['said', 'looked', 'answer'] as const) : (['said', 'answer'] as const);
  const place = detail === undefined ? null : random.pick(places);
  const textOf = (where: Turn[keyof Turn] & string, sentences: number): string => {
    const words = Array.from({ length: sentences }, () => smallTalk(random));
    if (detail !== undefined && where === place)
      words.splice(random.below(words.length + 1), 0, detail.sentence);
    return words.join(' ');
  };
  return {
    said: `${label}: ${textOf('said', 3)}`,
    looked: hasTool ? textOf('looked', turn % LONG_EVERY === 0 ? 30 : 5) : null,
    answer: textOf('answer', 3),
  };
}

function smallTalk(random: SeededRandom): string {
  const { filler, decoys, subject, qualities, things } = random.pick([ENGLISH, CHINESE]);
  return random.below(5) > 0
    ? random.pick(filler)
    : random.pick(decoys)(subject(random.pick(qualities), random.pick(things)));
}
