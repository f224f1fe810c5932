import { expect, test } from 'vitest';

import { type Place, type Pressed, shortcutOf } from './shortcuts.ts';

const FREE: Place = { typing: false, operable: false, options: false, inDialog: false };
const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test.each([
  [' ', 'release'],
  ['ArrowRight', 'later'],
  ['ArrowLeft', 'earlier'],
  ['PageDown', 'slide_on'],
  ['PageUp', 'slide_back'],
  ['e', 'end_round'],
  ['R', 'release_scores'],
  ['n', 'next_round'],
  ['l', 'lock'],
  ['F', 'code'],
  ['?', 'help'],
  ['q', null],
  ['Enter', null],
])('%j means %s', (key, meaning) => {
  expect(shortcutOf(press(key), FREE)).toBe(meaning);
});

test.each([' ', 'e', 'r', 'n', 'l', 'f', '?', 'ArrowRight'])('%j is only a key while typing or in a dialog', (key) => {
  expect(shortcutOf(press(key), { ...FREE, typing: true })).toBeNull();
  expect(shortcutOf(press(key), { ...FREE, inDialog: true })).toBeNull();
});

test('Space belongs to a button that has the focus, letters do not', () => {
  expect(shortcutOf(press(' '), { ...FREE, operable: true })).toBeNull();
  expect(shortcutOf(press('l'), { ...FREE, operable: true })).toBe('lock');
});

test('arrows belong to a list of options, Space releases the one that is picked', () => {
  expect(shortcutOf(press('ArrowRight'), { ...FREE, options: true })).toBeNull();
  expect(shortcutOf(press(' '), { ...FREE, options: true })).toBe('release');
});

test.each(['repeat', 'ctrlKey', 'metaKey', 'altKey'] as const)('nothing with %s', (modifier) => {
  expect(shortcutOf(press('r', { [modifier]: true }), FREE)).toBeNull();
});
