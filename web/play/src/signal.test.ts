// Tests when a phone buzzes or sounds, and what it remembers of that.
import { afterEach, expect, it, vi } from 'vitest';

import { chooseSignal, giveSignal, signal, type Signal } from './signal.ts';

const { playTones } = vi.hoisted(() => ({ playTones: vi.fn() }));
vi.mock(import('$ui/parts/tones.ts'), async (original) => ({ ...(await original()), playTones }));

afterEach(() => {
  vi.unstubAllGlobals();
  playTones.mockClear();
});

interface Phone {
  readonly kept?: Signal | 'rubbish';
  readonly hasBeenActive?: boolean;
  readonly isCalm?: boolean;
  readonly canVibrate?: boolean;
}

/** Sets up a phone; returns the vibrations that were requested. */
function phone({ kept, hasBeenActive = true, isCalm = false, canVibrate = true }: Phone) {
  const vibrate = vi.fn<(ms: number) => boolean>(() => true);
  const stored = new Map(kept === undefined ? [] : [['quizhall.signal', kept as string]]);
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  };
  vi.stubGlobal('window', { localStorage });
  vi.stubGlobal('navigator', { ...(canVibrate && { vibrate }), userActivation: { hasBeenActive } });
  vi.stubGlobal('matchMedia', () => ({ matches: isCalm }));
  return vibrate.mock.calls;
}

it('buzzes once and shortly, without a sound, unless something else was chosen', () => {
  for (const kept of [undefined, 'rubbish'] as const) {
    const buzzed = phone(kept === undefined ? {} : { kept });
    giveSignal();
    expect(buzzed).toEqual([[60]]);
  }
  expect(playTones).not.toHaveBeenCalled();
});

it.each([
  ['sound', 0, 1],
  ['both', 1, 1],
  ['none', 0, 0],
] as const)('does what was chosen: %s', (kept, buzzes, sounds) => {
  const buzzed = phone({ kept });
  giveSignal();
  expect(buzzed).toHaveLength(buzzes);
  expect(playTones).toHaveBeenCalledTimes(sounds);
});

it('keeps still before a tap', () => {
  const buzzed = phone({ kept: 'both', hasBeenActive: false });
  giveSignal();
  expect(buzzed).toEqual([]);
  expect(playTones).not.toHaveBeenCalled();
});

it.each([{ isCalm: true }, { canVibrate: false }])('does not buzz where its owner wants calm, nor where it cannot: %o', (still) => {
  const buzzed = phone({ ...still, kept: 'both' });
  giveSignal();
  expect(signal()).toBe('sound');
  expect(buzzed).toEqual([]);
  expect(playTones).toHaveBeenCalledOnce();
  phone(still);
  expect(signal()).toBe('none');
});

it('remembers what is chosen, and does it at once', () => {
  const buzzed = phone({});
  chooseSignal('both');
  expect(signal()).toBe('both');
  expect(buzzed).toEqual([[60]]);
  expect(playTones).toHaveBeenCalledOnce();
});
