import { describe, expect, test } from 'vitest';
import { excerptOf } from './excerpt.js';
import { matchText, searchableText } from './match.js';
import { parseQuery, STRONG_WEIGHT } from './query.js';
import { wellFormed } from './text.js';
import { indexTerms, indexText, tokenize } from './tokenize.js';

/** The keys by which a query really finds a text, by-products and stop-words left out. */
function foundBy(text: string, query: string): string[] {
  const keys = new Set(indexTerms(text));
  const { terms, weights } = parseQuery(query);
  return terms.filter((term, index) => keys.has(term) && (weights[index] ?? 0) >= STRONG_WEIGHT);
}

describe('a query finds the text', () => {
  test.each([
    // English
    ['The replicas were restarted', 'replica'],
    ['one replica', 'replicas'],
    ['We planned the release', 'planning'],
    ['she bought two cities', 'buy a city'],
    ['the children ran', 'child running'],
    ['a bigger machine', 'biggest machines'],
    ['I live in Seattle', 'living'],
    ["Michael's machine", 'michael'],
    ["they don't know", 'dont know'],
    ['Straße', 'STRASSE'],
    ['a café nearby', 'cafe'],
    ['a cafe nearby', 'café'],
    ['cafe\u0301 decomposed', 'café'],
    ['naïve résumé', 'naive resume'],
    ['ofﬁce', 'office'],
    ['to be or not to be', 'to be'],
    // Chinese
    ['决策保留备份方案', '备份'],
    ['决策保留备份方案', '备'],
    ['我们决定下周迁移集群', '集群迁移'],
    ['数据库的主键是什么', '数据库主键'],
    ['会议记录', '议记'],
    ['𠀀𠮷野家', '𠮷'],
    ['豈更車', '更'],
    ['二〇二六年', '〇'],
    // Japanese
    ['カタカナの検索サーバー', '検索'],
    ['カタカナの検索サーバー', 'サーバー'],
    ['データベースを再起動した', 'ベース'],
    ['ひらがなのテスト', 'かな'.replace('か', 'が')],
    ['東京都の会議', '京都'],
    ['か\u3099くせい', 'がくせい'],
    ['コーヒーを飲む', 'コーヒー'],
    // Korean
    ['데이터베이스를 재시작했다', '데이터베이스'],
    ['데이터베이스를 재시작했다', '베이스'],
    ['집에 가다', '집'],
    ['\u1112\u1161\u11ab\u1100\u116e\u11a8어', '한국'],
    // Thai
    ['ภาษาไทยง่ายมาก', 'ไทย'],
    ['น้ำมันแพง', 'น้ำ'],
    ['น้ำมันแพง', 'มัน'],
    // Other scripts
    ['हिन्दी भाषा', 'हिन्दी'],
    ['مَرْحَبًا بك', 'مرحبا'],
    ['Привет, Ёлка', 'елка'],
    ['Καλημέρα', 'ΚΑΛΗΜΕΡΑ'],
    ['İstanbul', 'istanbul'],
    // Mixed
    ['请调用API接口', 'API'],
    ['请调用API接口', '接口'],
    ['重跑gen-itgc后', 'itgc'],
    ['重跑gen-itgc后', 'gen-itgc'],
    ['v2集群api', 'api'],
    ['2024年预算', '2024'],
    ['第3章', '3'],
    ['把replica重启', 'replicas'],
    ['データbase接続', 'base'],
    ['서버API호출', 'api'],
    ['使用ＡＰＩ', 'api'],
    // Identifiers
    ['code ZX-731', 'ZX-731'],
    ['code ZX-731', 'zx731'],
    ['code ZX731', 'ZX-731'],
    ['code ZX-731', '731'],
    ['set user_id here', 'user_id'],
    ['set user_id here', 'userId'],
    ['set userId here', 'user_id'],
    ['set userId here', 'user'],
    ['class HTTPServerError', 'server error'],
    ['the getElementById call', 'element'],
    ['list of URLs', 'url'],
    ['std::vector', 'vector'],
    ['foo->bar', 'bar'],
    ['we use C++ and C#', 'c++'],
    ['we use C++ and C#', 'c#'],
    ['sha256sum', 'sha 256'],
    // Paths, dotted names, addresses
    ['see src/core/text.ts', 'src/core/text.ts'],
    ['see src/core/text.ts', 'text.ts'],
    ['see src/core/text.ts', 'core'],
    ['C:\\dir\\file.txt', 'file.txt'],
    ['https://example.com/a?x=1', 'example.com'],
    ['mail replica@backup.com', 'backup.com'],
    ['langchain.agents.create', 'agents'],
    ['/mnt/user-data/uploads/Citrine.pdf', 'citrine'],
    // Numbers and units
    ['it weighs 5kg', '5 kg'],
    ['it weighs 5 kg', '5kg'],
    ['128GB of RAM', '128'],
    ['3.5GB left', '3.5 GB'],
    ['3.5 GB left', '3.5GB'],
    ['pi is 3.14', '3.14'],
    ['10,000 rows', '10000'],
    ['10000 rows', '10,000'],
    ['at 10:30 on 2024-05-12', '2024/05/12'],
    ['at 10:30 on 2024-05-12', '10.30'],
    ['-20°C', '20'],
    ['x² + ½', '½'],
    // Emoji
    ['done 👍', '👍'],
    ['done 👍🏽', '👍'],
    ['👩‍🚀 to the moon', '🚀'],
    ['👩‍🚀 to the moon', '👩‍🚀'],
    ['offices in 🇨🇳🇩🇪', '🇩🇪'],
    ['I ❤️ it', '❤'],
    ['ab😀cd', '😀'],
  ])('%j is found by %j', (text, query) => {
    expect(foundBy(text, query)).not.toEqual([]);
    expect(matchText(searchableText(text), parseQuery(query))?.counts.some((count) => count > 0)).toBe(true);
    expect(excerptOf(text, parseQuery(query), 'token').excerpt_match).toBe(true);
  });
});

describe('a query does not find the text as a word', () => {
  test.each([
    ['concatenate', 'cat'],
    ['pi is 3.14', '314'],
    ['1.2.3', '123'],
    ['a plane', 'plan'],
    ['the server', 'serve'],
    ['a request', 'requ'],
    ['organization', 'organ'],
    ['this evening', 'even'],
    ['会议记录', '议会'],
    ['👍', '👎'],
    ['🇨🇳🇩🇪', '🇳🇩'],
    ['й', 'и'],
  ])('%j is not found by %j', (text, query) => {
    expect(foundBy(text, query)).toEqual([]);
  });
});

describe('tokens', () => {
  const surfaces = (text: string, kind: string): string[] =>
    tokenize(text)
      .filter((token) => token.kind === kind)
      .map((token) => token.surface);

  test('are cut by script, with the pairs of the reference beside', () => {
    expect(surfaces('v2集群api', 'word')).toEqual(['集群', 'v2', 'api']);
    expect(surfaces('v2集群api', 'shard')).toEqual(['v2', '2集', '群a', 'ap', 'pi']);
    expect(surfaces('v2集群api', 'unit')).toEqual(['集', '群']);
  });

  test('of a path are the whole, its file name, and the words', () => {
    expect(surfaces('src/core/text-map.ts', 'whole')).toEqual(['srccoretextmapts', 'textmapts']);
    expect(surfaces('src/core/text-map.ts', 'word')).toEqual(['src', 'core', 'text', 'map', 'ts']);
  });

  test('of camel case are parts, without single letters', () => {
    expect(surfaces('parseHTTPResponse', 'part')).toEqual(['parse', 'http', 'response']);
    expect(surfaces('iPhone', 'part')).toEqual(['phone']);
    expect(surfaces('URLs', 'part')).toEqual([]);
  });

  test('of C++ and C# keep the signs', () => {
    expect(surfaces('we use C# and C++.', 'whole')).toEqual(['c#', 'c++']);
    expect(surfaces('issue #12', 'whole')).toEqual([]);
  });

  test('of a hash are one word without pieces', () => {
    expect(tokenize('3f9a8c1b2d4e').map((token) => token.surface)).toEqual(['3f9a8c1b2d4e']);
  });

  test.each(['𐐀\u200d', 'a𐐀\u200db', '𐐀\u200d𐐀'])(
    'of %j are never cut in the middle of a character',
    (text) => {
      for (const { key, surface } of tokenize(text))
        expect([key, surface].every((part) => wellFormed(part) === part)).toBe(true);
    },
  );

  test('end a sentence without tying it to the next word', () => {
    expect(surfaces('the end. Next, please', 'whole')).toEqual([]);
  });

  test('carry offsets in the folded text', () => {
    expect(tokenize('Straße Nr').map(({ surface, start, end }) => [surface, start, end])).toEqual([
      ['strasse', 0, 7],
      ['nr', 8, 10],
    ]);
  });

  test('longer than 64 units are keyed by a hash that tells them apart', () => {
    const blob = 'a1'.repeat(5_000);
    const [key = ''] = indexTerms(blob);
    expect(key.length).toBeLessThan(64);
    expect(indexTerms(`${blob}b`)).not.toContain(key);
    expect(foundBy(`data ${blob.slice(0, 400)} end`, blob.slice(0, 400))).toHaveLength(1);
  });
});

describe('the length of a text', () => {
  test('counts distinct words and the characters of scripts without blanks', () => {
    expect(indexText('again and again').words).toBe(2);
    expect(indexText('备份备份').words).toBe(4);
  });
});
