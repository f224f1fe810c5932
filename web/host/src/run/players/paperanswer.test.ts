import { expect, test } from 'vitest';

import { lacksNumber, shownAs, toStore } from './paperanswer.ts';

const order = { type: 'order', choices: ['Colosseum', 'Eiffel Tower', 'Stonehenge', 'Paris, France'] };

test.each([
  ['C, A, D, B', 'Stonehenge\nColosseum\nParis, France\nEiffel Tower'],
  ['cadb', 'Stonehenge\nColosseum\nParis, France\nEiffel Tower'],
  ['stonehenge, COLOSSEUM ;eiffel tower', 'Stonehenge\nColosseum\nEiffel Tower'],
  ['3, 1; 2 4', 'Stonehenge\nColosseum\nEiffel Tower\nParis, France'],
  ['3124', 'Stonehenge\nColosseum\nEiffel Tower\nParis, France'],
  ['Stonehenge', 'Stonehenge'],
  ['Stonehenge, Colloseum', null],
  ['Stonehenge, stonehenge', null],
  ['A, A', null],
  ['5', null],
  ['0', null],
  ['1, B', null],
] as const)('reads %j', (typed, stored) => {
  expect(toStore(typed, order)).toBe(stored);
});

test('reads numbers that are choices by their text, and a number of two digits as one', () => {
  expect(toStore('3, 1', { type: 'multi_select', choices: ['1', '2', '3', '4'] })).toBe('3\n1');
  const many = Array.from({ length: 12 }, (_, at) => `Planet ${String(at + 1)}`);
  expect(toStore('12', { type: 'order', choices: many })).toBe('Planet 12');
});

test('leaves other answers as they are, and shows several choices as letters', () => {
  expect(toStore(' Tuba, horn ', { type: 'text', choices: [] })).toBe('Tuba, horn');
  expect([shownAs('Stonehenge\nColosseum', order), shownAs('Oboe', order)]).toEqual(['C, A', 'Oboe']);
  expect(shownAs('A', { type: 'text', choices: [] })).toBe('A');
});

test('knows a number question whose answer has no number', () => {
  expect([lacksNumber('Jupiter', 'numeric'), lacksNumber('1.5', 'nearest'), lacksNumber('', 'numeric'), lacksNumber('x', 'text')]).toEqual([
    true, false, false, false,
  ]);
});
