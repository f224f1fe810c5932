// What people read on the wall must be what they can type.
import { expect, test } from 'vitest';

import { typedAddress } from './address.ts';

test('a join link is read as an address', () => {
  expect(typedAddress('http://192.168.1.20:8080/?code=ABC234')).toBe('192.168.1.20:8080');
  expect(typedAddress('https://quiz.example.org/?code=ABC234')).toBe('quiz.example.org');
  expect(typedAddress('https://example.org/quiz/')).toBe('example.org/quiz');
});
