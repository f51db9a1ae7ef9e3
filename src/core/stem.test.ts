import { describe, expect, test } from 'vitest';
import { stemEnglish } from './stem.js';

describe('inflections have one stem', () => {
  test.each([
    ['replica replicas'],
    ['city cities'],
    ['class classes'],
    ['box boxes'],
    ['machine machines'],
    ['movie movies'],
    ['plan plans planned planning'],
    ['hope hopes hoped hoping'],
    ['code codes coded coding'],
    ['study studies studied studying'],
    ['create creates created creating'],
    ['change changes changed changing'],
    ['visit visited visiting'],
    ['call calls called calling'],
    ['install installed installing'],
    ['travel travelled traveling'],
    ['pass passes passed passing'],
    ['quiz quizzes'],
    ['show showed showing'],
    ['play played playing'],
    ['fix fixed fixing'],
    ['use uses used using'],
    ['agree agrees agreed'],
    ['buy buys bought buying'],
    ['run runs ran running'],
    ['be are was were been'],
    ['child children'],
    ['big bigger biggest'],
    ['large larger largest'],
    ['happy happier happiest'],
    ['status statuses'],
  ])('%s', (words) => {
    expect(new Set(words.split(' ').map(stemEnglish)).size).toBe(1);
  });
});

describe('other words stay apart', () => {
  test.each([
    ['plan plane'],
    ['hop hope'],
    ['code cod'],
    ['organize organization'],
    ['even evening'],
    ['serve server'],
    ['unit united'],
    ['thing thin'],
    ['need ned'],
    ['new news'],
    ['string str'],
    ['bus busy'],
  ])('%s', (words) => {
    const all = words.split(' ');
    expect(new Set(all.map(stemEnglish)).size).toBe(all.length);
  });
});

test('what is no word of small letters comes back as it is', () => {
  expect(['is', 'v2s', 'Plans', 'données', ''].map(stemEnglish)).toEqual([
    'is',
    'v2s',
    'Plans',
    'données',
    '',
  ]);
});
