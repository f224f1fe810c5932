import type { GroupedReview, ReviewAnswer, ReviewGroup } from '$sdk';
import { describe, expect, test } from 'vitest';

import { answer, GAME, open, view } from '../run/sample.ts';
import { releasedLines, sheetOf } from '../run/sheet.ts';
import { companions, countLeft, Desk, groupsWith, leftToCheck, nearestKey, nextToCheck, textsOf, unlisted } from './desk.ts';

const lines = releasedLines(sheetOf(GAME, view({ phase: 'round_review', questions: [open('q2', 2), open('q1', 1)] })));

const REVIEW: readonly ReviewAnswer[] = [
  answer('p1', 'q1', 'Lisbon', true),
  answer('p2', 'q1', 'lisbon ', true),
  answer('p3', 'q1', 'Lisbonn', false, true),
  answer('p4', 'q1', 'Porto', false),
  answer('p5', 'q1', 'Portoo', false),
  answer('p6', 'q1', 'Porto', false),
  answer('p1', 'q2', 'red', false),
];

const first = (review: readonly ReviewAnswer[], desk = new Desk()) => {
  const question = desk.of(lines, review)[0];
  if (!question) throw new Error('no question on the desk');
  return question;
};

describe('the desk', () => {
  test('has every released question in order of release, answered or not', () => {
    const desk = new Desk().of(lines, REVIEW.slice(0, 2));
    expect(desk.map((question) => [question.line.id, question.given, question.right])).toEqual([
      ['q1', 2, 2],
      ['q2', 0, 0],
    ]);
  });

  test('puts near misses on top, then the largest groups', () => {
    expect(first(REVIEW).groups.map((group) => group.shown)).toEqual(['Lisbonn', 'Lisbon', 'Porto', 'Portoo']);
  });

  test('leaves a group where it lies when it is marked', () => {
    const desk = new Desk();
    const before = first(REVIEW, desk).groups.map((group) => group.key);
    const marked = REVIEW.map((one) => (one.playerId === 'p3' ? answer('p3', 'q1', 'Lisbonn', true) : one));
    const after = first(marked, desk);
    expect(after.groups.map((group) => group.key)).toEqual(before);
    expect(after.groups[0]?.correct).toBe(true);
  });

  test('does not group again what has not changed', () => {
    const desk = new Desk();
    const before = first(REVIEW, desk);
    const elsewhere = REVIEW.map((one) => (one.questionId === 'q2' ? answer('p1', 'q2', 'red', true) : one));
    expect(first(elsewhere, desk)).toBe(before);
    expect(desk.of(lines, elsewhere)[1]?.right).toBe(1);
  });
});

describe('after a decision', () => {
  const review = [
    ...REVIEW.filter(({ questionId }) => questionId === 'q1'),
    answer('p7', 'q1', 'Lisbom', false, true),
    answer('p1', 'q2', 'bluue', false, true),
  ];
  const questions = new Desk().of(lines, review);
  const keyOf = (text: string): string => questions.flatMap(({ groups }) => groups).find(({ shown }) => shown === text)?.key ?? '';
  /** The text that is next after this one, where these are decided already. */
  const after = (question: string, text: string, ...decided: readonly string[]): string | undefined => {
    const next = nextToCheck(questions, (_, { shown }) => decided.includes(shown), { question, group: keyOf(text) });
    return questions.flatMap(({ groups }) => groups).find(({ key }) => key === next?.group)?.shown;
  };

  test('comes the next answer that is not decided, in this question and then in the next', () => {
    expect(after('q1', 'Lisbonn')).toBe('Lisbom');
    expect(after('q1', 'Lisbonn', 'Lisbom')).toBe('bluue');
  });

  test('comes the first one that is not decided where none follows, and none when all are', () => {
    expect(after('q2', 'bluue')).toBe('Lisbonn');
    expect(after('q1', 'Porto', 'Lisbonn', 'bluue')).toBe('Lisbom');
    expect(after('q2', 'bluue', 'Lisbonn', 'Lisbom')).toBeUndefined();
  });
});

test('a near miss with part of the points is decided', () => {
  const question = first(REVIEW.map((one) => (one.playerId === 'p3' ? { ...one, partialPoints: 1 } : one)));
  expect(question.groups.map(({ correct }) => correct)).toContain('partial');
  expect(leftToCheck(question, () => false)).toEqual([]);
});

test('a near miss that the host left as wrong on any device is decided', () => {
  const question = first(REVIEW.map((one) => (one.playerId === 'p3' ? { ...one, ruled: true } : one)));
  expect(question.groups.filter(({ ruled }) => ruled).map(({ shown }) => shown)).toEqual(['Lisbonn']);
});

test('near misses are left until they are decided on or count as right', () => {
  const question = first(REVIEW);
  const [near] = leftToCheck(question, () => false);
  expect(near?.shown).toBe('Lisbonn');
  expect(leftToCheck(question, (questionId, { key }) => questionId === 'q1' && key === near?.key)).toEqual([]);
  const marked = REVIEW.map((one) => (one.playerId === 'p3' ? answer('p3', 'q1', 'Lisbonn', true, true) : one));
  expect(leftToCheck(first(marked), () => false)).toEqual([]);
});

test('what is no number is left as well, on top of what is', () => {
  const numbers = releasedLines(sheetOf(GAME, view({ phase: 'round_review', questions: [open('q3', 1)] })));
  const [question] = new Desk().of(numbers, [
    answer('p1', 'q3', '1665', false),
    answer('p2', 'q3', '1,665', false),
    answer('p3', 'q3', 'sixteen hundred', false),
    answer('p4', 'q3', '', true),
  ]);
  if (!question) throw new Error('no question on the desk');
  expect(question.groups.map((group) => group.shown)).toEqual(['sixteen hundred', '1665', '1,665', '']);
  expect(leftToCheck(question, () => false).map((group) => group.shown)).toEqual(['sixteen hundred']);
});

test('a player’s answer is found in its group, and a credit that was taken back in none', () => {
  const question = first(REVIEW);
  expect(groupsWith(question, { playerIds: ['p2', 'p6'], groups: [] }).map((group) => group.shown)).toEqual(['Lisbon', 'Porto']);
  expect(groupsWith(question, { playerIds: ['p9'], groups: [] })).toEqual([]);
  const [group] = question.groups;
  expect(groupsWith(question, { playerIds: [], groups: [group?.key ?? ''] })).toEqual([group]);
});

test('groups like one another can be accepted together, except those that are right already', () => {
  const question = first(REVIEW);
  const of = (shown: string) => {
    const group = question.groups.find((one) => one.shown === shown);
    if (!group) throw new Error(shown);
    return companions(question, group).map((one) => one.shown);
  };
  expect(of('Porto')).toEqual(['Portoo']);
  expect(of('Lisbonn')).toEqual([]);
});

test('too many that look alike are not offered together', () => {
  const numbered = Array.from({ length: 12 }, (_, index) => answer(`p${String(index)}`, 'q1', `the answer ${String(index + 10)}`, false));
  const question = first(numbered);
  expect(question.groups.some((group) => group.like.length > 8)).toBe(true);
  for (const group of question.groups) expect(companions(question, group).length).toBeLessThanOrEqual(8);
});

test('groups are marked by their exact texts, and a credit without an answer by none', () => {
  const groups = first([...REVIEW, answer('p7', 'q1', '', true)]).groups;
  expect(new Set(textsOf(groups))).toEqual(new Set(['Lisbonn', 'Lisbon', 'lisbon ', 'Porto', 'Portoo']));
});

test.each([
  [['Paris', 'Lutetia'], 'Lutetiaa', 'Lutetia'],
  [['Paris', 'Lutetia'], 'paria', 'Paris'],
  [['4'], '5', '4'],
  [[], 'x', ''],
])('of %o, %s comes closest to %s', (keys, text, nearest) => {
  expect(nearestKey(keys, text)).toBe(nearest);
});

describe('groups of the server', () => {
  const grouped = (groups: readonly ReviewGroup[], rest: Partial<GroupedReview> = {}): ReadonlyMap<string, GroupedReview> => {
    const counted = { answers: 9, right: 4, toCheck: 1, total: groups.length, ...rest };
    return new Map([['q1', { ...counted, groups: new Map(groups.map((group) => [group.key, group])) }]]);
  };
  const near: ReviewGroup = { key: 'lisbonn', texts: ['Lisbonn', 'lisbonn!'], count: 2, nearMiss: true };
  const right: ReviewGroup = { key: 'lisbon', texts: ['Lisbon'], count: 4, right: 4 };
  const mixed: ReviewGroup = { key: 'porto', texts: ['Porto'], count: 3, right: 1, partial: 1, partialPoints: 50 };

  test('are shown like those that the page makes, and one text stands for all spellings', () => {
    const [question] = new Desk().ofGroups(lines, grouped([right, mixed, near]));
    expect(question?.groups.map(({ shown, correct, count }) => [shown, correct, count])).toEqual([
      ['Lisbonn', false, 2],
      ['Lisbon', true, 4],
      ['Porto', 'mixed', 3],
    ]);
    expect(question?.groups.map(({ like }) => like)).toEqual([['lisbon'], ['lisbonn'], []]);
    expect([question?.given, question?.right, textsOf(question?.groups.slice(0, 1) ?? [])]).toEqual([9, 4, ['Lisbonn']]);
  });

  test('stay in place when they are marked, and are the same while nothing changes', () => {
    const desk = new Desk();
    const review = grouped([right, mixed, near]);
    const before = desk.ofGroups(lines, review)[0];
    expect(desk.ofGroups(lines, review)[0]).toBe(before);
    const after = desk.ofGroups(lines, grouped([right, mixed, { ...near, right: 2, ruled: true }]))[0];
    expect(after?.groups.map(({ key }) => key)).toEqual(before?.groups.map(({ key }) => key));
    expect(after?.groups[0]?.correct).toBe(true);
  });

  test('those that were not sent are counted', () => {
    const [question] = new Desk().ofGroups(lines, grouped([right, near], { toCheck: 30, total: 700 }));
    if (!question) throw new Error('no question on the desk');
    expect([countLeft(question, () => false), countLeft(question, () => true), unlisted(question)]).toEqual([30, 29, 698]);
  });
});
