import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { fold } from '../src/fold.ts';
import { joined } from '../src/joined.ts';
import { groupAnswers } from '../src/marking.ts';
import { acceptedNumbers, parseNumber, readNumbers } from '../src/number.ts';
import { distance, likeness } from '../src/similar.ts';
import { randomFrom } from './fake.ts';

type Given = [text: string, correct?: boolean, nearMiss?: boolean];
const answers = (...given: Given[]) => {
  return given.map(([answer, correct = false, nearMiss = false], at) => {
    const base = { playerId: `p${String(at)}`, displayName: `P ${String(at)}`, questionId: 'q', answer, correct };
    return nearMiss ? { ...base, nearMiss } : base;
  });
};
const text = { type: 'text', correctAnswers: ['Paris'] };

describe('groups', () => {
  it('put equal answers together, near misses first, then by size', () => {
    const given = answers(
      ['Rome'], ['paris', true], ['Paris', true], ['Pariss', false, true], ['rome!'], ['Rome'], ['PARIS ', true], ['Paris', true],
    );
    const groups = groupAnswers(given, text);
    expect(groups.map(({ shown, count, correct, nearMiss }) => [shown, count, correct, nearMiss])).toEqual([
      ['Pariss', 1, false, true],
      ['Paris', 4, true, false],
      ['Rome', 3, false, false],
    ]);
    expect(groups[1]?.texts).toEqual(['Paris', 'paris', 'PARIS ']);
    expect(groups.map(({ like }) => like)).toEqual([['paris'], ['pariss'], []]);
    expect(groups.flatMap((group) => group.answers)).toHaveLength(given.length);
  });

  it('say when marks differ, and stay in place when they change', () => {
    const [group] = groupAnswers(answers(['Rome', true], ['rome']), text);
    expect(group).toMatchObject({ correct: 'mixed', count: 2 });
    const order = (marked: boolean) => groupAnswers(answers(['Pari', marked, true], ['x'], ['x']), text).map(({ key }) => key);
    expect(order(true)).toEqual(order(false));
  });

  it('of numbers go by value, of choices by the letter', () => {
    const numbers = groupAnswers(answers(['1,5'], ['1.50'], ['one'], ['1 000'], ['1000']), { ...text, type: 'numeric' });
    expect(numbers.map(({ texts, unreadable }) => [texts, unreadable])).toEqual([
      [['one'], true],
      [['1,5', '1.50'], false],
      [['1 000', '1000'], false],
    ]);
    const year = { type: 'numeric', correctAnswers: ['1665'], tolerance: 50 };
    const written = groupAnswers(answers(['1665'], ['1,665'], ['1.665'], ['1,7'], ['1.700'], ['']), year);
    expect(written.map(({ texts, unreadable }) => [texts, unreadable])).toEqual([
      [['1665', '1,665', '1.665'], false],
      [['1,7'], false],
      [['1.700'], false],
      [[''], false],
    ]);
    const choices = groupAnswers(answers(['A'], ['a'], [' A ']), { ...text, type: 'multiple_choice', choices: ['A', 'a'] });
    expect(choices.map(({ texts }) => texts)).toEqual([['A', ' A '], ['a']]);
  });

  it('of an unknown type are those of text', () => {
    expect(groupAnswers(answers(['Rome'], ['rome']), { ...text, type: 'song' })).toHaveLength(1);
  });

  it('of nothing are none', () => {
    expect(groupAnswers([], text)).toEqual([]);
  });
});

describe('fold', () => {
  it.each([
    ['  New   York ', 'new york'],
    ['Café', 'cafe'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['Rock ’n’ Roll!', 'rock n roll'],
    ['Jean-Luc', 'jeanluc'],
    ['1.5', '1.5'],
    ['e.g.', 'eg'],
    ['-5', '-5'],
    ['\u22125', '-5'],
    ['5-', '5'],
    ['C#', 'c#'],
    ['Top 10 hits', 'top10hits'],
    ['ﬁne', 'fine'],
    ['?!', '?!'],
    ['が', 'が'],
    ['a\u200bb', 'ab'],
    ['❤️', '❤'],
  ])('%s is %s', (given, folded) => {
    expect(fold(given)).toBe(folded);
    expect(fold(folded)).toBe(folded);
  });
});

describe('the table of marking', () => {
  const file = new URL('../../../crates/rules/tests/marking.tsv', import.meta.url);
  const visible = (cell: string) => cell.replace(/\\u\{([0-9A-F]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  const lines = readFileSync(file, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => line.split('\t').map(visible) as [accepted: string, given: string, verdict: string]);
  const marked = (accepted: string, given: string): string => {
    if (fold(accepted) === fold(given)) return 'right';
    const folded = [accepted, given].map((text) => ({ text, key: fold(text) }));
    return likeness(folded).size > 0 ? 'near' : 'wrong';
  };

  it.each(pairs)('%s and %s are %s, as for the server', (accepted, given, verdict) => {
    expect(marked(accepted, given)).toBe(verdict);
    expect(marked(given, accepted)).toBe(verdict);
    for (const text of [accepted, given]) expect(fold(fold(text))).toBe(fold(text));
  });

  it('has as many pairs as the server reads', () => {
    expect(pairs.length).toBeGreaterThan(300);
    expect(joined('The Beatles', 'the beatles')).toBe('beatles');
  });
});

describe('numbers', () => {
  const file = new URL('../../../crates/quiz/tests/numbers.json', import.meta.url);
  const table = JSON.parse(readFileSync(file, 'utf8')) as { readings: [text: string, numbers: number[]][] };

  it.each(table.readings)('%j is %j, as for the server', (text, numbers) => {
    expect(readNumbers(text)).toEqual(numbers);
    expect(parseNumber(text)).toBe(numbers[0] ?? null);
  });

  it('of a key are those that the tolerance does not swallow', () => {
    expect(acceptedNumbers(['1.665', '7', 'x'], 50)).toEqual([1665, 7]);
    expect(acceptedNumbers(['1.665'], 0.5)).toEqual([1.665, 1665]);
  });
});

describe('likeness', () => {
  const letters = (given: string) => Array.from(given);
  const words = (...keys: string[]) => keys.map((key) => ({ key, text: key }));

  it.each([
    ['paris', 'pariss', 1], ['paris', 'pasir', 2], ['paris', 'prais', 1], ['', 'ab', 2], ['abc', 'abc', 0], ['abcdef', 'xyz', 3],
  ])('%s and %s are %i apart (counted up to 2)', (one, other, apart) => {
    expect(distance(letters(one), letters(other), 2)).toBe(apart);
    expect(distance(letters(other), letters(one), 2)).toBe(apart);
  });

  it('is one slip per five letters, both ways, in the order given', () => {
    const like = likeness(words('paris', 'rome', 'pariss', 'pari', 'roma', 'copenhagen', 'kopenhagn'));
    expect(Object.fromEntries(like)).toEqual({
      paris: ['pariss', 'pari'],
      pariss: ['paris'],
      pari: ['paris'],
      copenhagen: ['kopenhagn'],
      kopenhagn: ['copenhagen'],
    });
  });

  it('finds what comparing everything finds, for many texts', () => {
    const random = randomFrom(7);
    const syllables = ['pa', 'ris', 'lon', 'do', 'n', 'ma', 'drid', 'o'];
    const word = () => Array.from({ length: 2 + random() * 4 }, () => syllables[Math.floor(random() * 8)] ?? '').join('');
    const texts = [...new Set(Array.from({ length: 300 }, word))];
    const allowed = (one: string) => Math.floor(one.length / 5);
    const like = likeness(words(...texts));
    let found = 0;
    for (const one of texts) {
      const expected = texts.filter((other) => {
        const most = Math.max(allowed(one), allowed(other));
        return one !== other && distance(letters(one), letters(other), most) <= most;
      });
      expect(like.get(one) ?? []).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(100);
  });

  it('takes 2,000 different answers in a moment', () => {
    const random = randomFrom(3);
    const word = () => Array.from({ length: 10 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
    const given = answers(...Array.from({ length: 2_000 }, (): Given => [word()]));
    const before = performance.now();
    expect(groupAnswers(given, text).length).toBeGreaterThan(1_990);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe('groups of answers that name choices', () => {
  const choices = ['Trumpet', 'Trombone', 'Tuba'];
  const several = { type: 'multi_select', correctAnswers: ['Trumpet', 'Tuba'], choices };

  it('hold the same choices, however they are named, and say what a part of them earns', () => {
    const given = answers(['Trumpet\nTuba', true], ['C a', true], ['Trumpet'], ['a trumpet']);
    const marked = given.map((answer) => (answer.answer === 'Trumpet' ? { ...answer, partialPoints: 500 } : answer));
    const groups = groupAnswers(marked, several);
    expect(groups.map(({ texts, correct, partialPoints }) => [texts, correct, partialPoints])).toEqual([
      [['Trumpet\nTuba', 'C a'], true, 0],
      [['Trumpet'], 'partial', 500],
      [['a trumpet'], false, 0],
    ]);
  });

  it('are mixed when the host took the part from some', () => {
    const given = answers(['Trumpet'], ['A']);
    const [group] = groupAnswers(given.map((answer, at) => ({ ...answer, partialPoints: at * 500 })), several);
    expect(group).toMatchObject({ count: 2, correct: 'mixed' });
  });

  it('keep the order where it is what was asked for', () => {
    const order = { type: 'order', correctAnswers: choices, choices };
    expect(groupAnswers(answers(['A B C'], ['C B A'], ['Trumpet\nTrombone\nTuba']), order).map(({ count }) => count)).toEqual([2, 1]);
  });
});
