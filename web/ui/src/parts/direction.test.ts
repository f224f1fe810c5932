import { expect, it } from 'vitest';

import { directionOf } from './direction.ts';

it.each([
  ['Which bridge is this?', 'ltr'],
  ['מהי בירת צרפת?', 'rtl'],
  ['ما هي عاصمة فرنسا؟', 'rtl'],
  ['1. «أي جسر هذا؟»', 'rtl'],
  ['$x^2$ … כמה זה?', 'rtl'],
  ['Was heißt „שלום“?', 'ltr'],
  ['42?', 'ltr'],
  ['', 'ltr'],
] as const)('reads %s from its first letter', (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});
