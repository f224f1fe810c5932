import { describe, expect, test } from 'vitest';

import { answer, GAME, open, view } from './sample.ts';
import { askedIn, currentRound, neighbour, releasedLines, selectedLine, sheetOf } from './sheet.ts';

const asked = view({ phase: 'question', questions: [open('q2', 1, 'p1', 'p2')] });

describe('the sheet', () => {
  test('has the round in the order of the quiz, with keys and what is out', () => {
    const lines = sheetOf(GAME, asked);
    expect(lines.map((line) => [line.id, line.position, line.released])).toEqual([
      ['q1', 1, null],
      ['q2', 2, 1],
      ['q3', 3, null],
    ]);
    expect(lines[0]).toMatchObject({ keys: ['KEY-OF-1', 'KEY-OF-1b'], points: 1000, tolerance: 0 });
    expect(lines[2]).toMatchObject({ points: 500, tolerance: 2 });
  });

  test('follows the round that the server sends', () => {
    const second = view({ phase: 'question', round: { round: 2, rounds: 2, title: '', questionCount: 1 } });
    expect(currentRound(GAME, second)).toBe(2);
    expect(sheetOf(GAME, second).map((line) => line.id)).toEqual(['q4']);
  });

  test('numbers a question as players see it where each is a round of its own', () => {
    const section = { index: 0, title: 'Science', questionIndex: 2, questionCount: 10 };
    const third = view({ phase: 'question', round: { round: 2, rounds: 2, title: '', questionCount: 1, section } });
    expect(sheetOf(GAME, third).map(({ id, position, released }) => [id, position, released])).toEqual([['q4', 3, null]]);
    const out = sheetOf(GAME, { ...third, questions: [open('q4', 1)] });
    expect(out.map(({ id, position, released }) => [id, position, released])).toEqual([['q4', 3, 3]]);
  });

  test('knows after a reload during the marking what was out, from the game as it was loaded', () => {
    const reloaded = { ...GAME, released: ['q3', 'q1'] };
    const review = [answer('p1', 'q3', 'x', false), answer('p2', 'q3', 'y', false)];
    const lines = releasedLines(sheetOf(reloaded, view({ phase: 'round_review', review })));
    expect(lines.map((line) => [line.id, line.released])).toEqual([
      ['q3', 1],
      ['q1', 2],
    ]);
  });

  test('knows in the marking what another window has released', () => {
    const read = { ...GAME, released: ['q2', 'q1'] };
    const lines = sheetOf(read, view({ phase: 'round_review', questions: [open('q2', 1, 'p1')] }));
    expect(releasedLines(lines).map((line) => [line.id, line.released])).toEqual([
      ['q2', 1],
      ['q1', 2],
    ]);
  });

  test('has the words that the host gave a question, and its key in them', () => {
    const question = { id: 'q2', text: 'Wich?', type: 'multiple_choice', choices: ['red', 'bleu'], correctAnswers: ['bleu'] };
    const game = { ...GAME, rounds: [{ title: '', questions: [question] }] };
    const words = new Map([['q2', { questionId: 'q2', text: 'Which?', corrected: false, choices: ['red', 'blue'] }]]);
    const [line] = sheetOf(game, view({ ...asked, words, corrected: ['q1'], withdrawn: ['q2'] }));
    expect(line).toMatchObject({ text: 'Which?', choices: ['red', 'blue'], keys: ['blue'], corrected: false, withdrawn: true });
  });

  test('believes the socket while the round is open, and when the game was read too early', () => {
    const early = view({ phase: 'round_review', questions: [open('q2', 1), open('q3', 2)] });
    expect(releasedLines(sheetOf({ ...GAME, released: ['q2'] }, early)).map((line) => line.id)).toEqual(['q2', 'q3']);
    const reread = { ...GAME, released: ['q1', 'q2', 'q3'] };
    expect(releasedLines(sheetOf(reread, asked)).map((line) => line.id)).toEqual(['q2']);
  });

  test('does not take the last round for this one', () => {
    const later = view({ phase: 'question', round: { round: 2, rounds: 2, title: '', questionCount: 1 } });
    expect(releasedLines(sheetOf({ ...GAME, released: ['q4'] }, later))).toEqual([]);
  });
});

describe('the question to come next', () => {
  const lines = sheetOf(GAME, asked);

  test.each([
    [null, 'q1'],
    ['q3', 'q3'],
    ['q2', 'q1'],
    ['gone', 'q1'],
  ])('picked %s: %s', (chosen, next) => {
    expect(selectedLine(lines, chosen)?.id).toBe(next);
  });

  test('is none when all are out', () => {
    const all = view({ phase: 'question', questions: [open('q1', 1), open('q2', 2), open('q3', 3)] });
    expect(selectedLine(sheetOf(GAME, all), 'q1')).toBeNull();
  });

  test.each([
    ['q1', 1, 'q3'],
    ['q3', 1, 'q3'],
    ['q3', -1, 'q1'],
    ['q1', -1, 'q1'],
  ] as const)('from %s by %i is %s', (from, step, to) => {
    expect(neighbour(lines, from, step)).toBe(to);
  });
});

describe('a question of any round', () => {
  test('has its key', () => {
    expect(askedIn(GAME, view({}), 'q4')).toEqual({ text: 'Fourth?', type: 'text', keys: ['KEY-OF-4'], tolerance: 0 });
    expect(askedIn(GAME, view({}), 'q9')).toBeNull();
  });

  test('has the words and the key that the host gave it since', () => {
    const words = new Map([['q1', { questionId: 'q1', text: 'The first?', corrected: true, accepted: ['one'] }]]);
    expect(askedIn(GAME, view({ words }), 'q1')).toMatchObject({ text: 'The first?', keys: ['one'] });
  });
});
