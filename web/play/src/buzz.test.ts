// When a phone buzzes.
import { afterEach, expect, it, vi } from 'vitest';

import { buzz } from './buzz.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

function phone(hasBeenActive: boolean | undefined, isCalm: boolean) {
  const vibrate = vi.fn<(ms: number) => boolean>(() => true);
  const userActivation = hasBeenActive === undefined ? undefined : { hasBeenActive };
  vi.stubGlobal('navigator', { vibrate, userActivation });
  vi.stubGlobal('matchMedia', () => ({ matches: isCalm }));
  buzz();
  return vibrate.mock.calls;
}

it('buzzes once and shortly, after a first tap', () => {
  expect(phone(true, false)).toEqual([[60]]);
});

it('keeps still before a tap, where taps are not known, and where its owner wants calm', () => {
  expect(phone(false, false)).toEqual([]);
  expect(phone(undefined, false)).toEqual([]);
  expect(phone(true, true)).toEqual([]);
});

it('does nothing where a phone cannot', () => {
  vi.stubGlobal('navigator', {});
  expect(buzz).not.toThrow();
});
