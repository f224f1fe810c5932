import { expect, test } from 'vitest';

import { type Place, type Pressed, shortcutOf } from './shortcuts.ts';

const FREE: Place = { typing: false, operable: false, row: false, options: false, inDialog: false };
const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test.each([
  [' ', 'next'],
  ['Enter', 'next'],
  ['PageDown', 'next'],
  ['PageUp', 'back'],
  ['ArrowRight', 'forward'],
  ['ArrowLeft', 'back'],
  ['ArrowDown', 'later'],
  ['ArrowUp', 'earlier'],
  ['s', 'standings'],
  ['R', 'reveal'],
  ['c', 'close'],
  ['m', 'marking'],
  ['+', 'more_time'],
  ['p', 'pause'],
  ['l', 'lock'],
  ['F', 'code'],
  ['b', 'blank'],
  ['?', 'help'],
  ['q', null],
])('%j means %s', (key, meaning) => {
  expect(shortcutOf(press(key), FREE)).toBe(meaning);
});

test.each([' ', 'Enter', 'PageDown', 's', 'r', 'c', 'm', 'l', 'f', '?', 'ArrowRight'])('%j is only a key while typing or in a dialog', (key) => {
  expect(shortcutOf(press(key), { ...FREE, typing: true })).toBeNull();
  expect(shortcutOf(press(key), { ...FREE, inDialog: true })).toBeNull();
});

test('Space and Enter belong to a button that has the focus, letters and a remote do not', () => {
  expect(shortcutOf(press(' '), { ...FREE, operable: true })).toBeNull();
  expect(shortcutOf(press('Enter'), { ...FREE, operable: true })).toBeNull();
  expect(shortcutOf(press('l'), { ...FREE, operable: true })).toBe('lock');
  expect(shortcutOf(press('PageDown'), { ...FREE, operable: true })).toBe('next');
});

test('a row of the desk opens by Enter, and Space goes on', () => {
  expect(shortcutOf(press(' '), { ...FREE, operable: true, row: true })).toBe('next');
  expect(shortcutOf(press('Enter'), { ...FREE, operable: true, row: true })).toBeNull();
});

test('arrows belong to a list of options, Space asks the one that is picked', () => {
  expect(shortcutOf(press('ArrowDown'), { ...FREE, options: true })).toBeNull();
  expect(shortcutOf(press(' '), { ...FREE, options: true })).toBe('next');
});

test.each(['repeat', 'ctrlKey', 'metaKey', 'altKey'] as const)('nothing with %s', (modifier) => {
  expect(shortcutOf(press('r', { [modifier]: true }), FREE)).toBeNull();
});
