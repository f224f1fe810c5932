// Tests what this device remembers, and what happens when it cannot.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { endedBefore, forgetJoin, joinKey, lastName, rememberEnd, rememberName, rememberSeat, tabSeat } from './memory.ts';

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      kept.set(key, value);
    },
  };
}

const closed = {
  get localStorage(): Storage {
    throw new Error('closed');
  },
  get sessionStorage(): Storage {
    throw new Error('closed');
  },
};

beforeEach(() => {
  vi.stubGlobal('window', { localStorage: storage(), sessionStorage: storage() });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('joinKey', () => {
  it('stays the same for a join that is tried again', () => {
    expect(joinKey('ABC234', 'Ann')).toBe(joinKey('ABC234', 'Ann'));
  });

  it('is another one for another name, another game, and the next join', () => {
    const first = joinKey('ABC234', 'Ann');
    expect(joinKey('ABC234', 'Anna')).not.toBe(first);
    expect(joinKey('XYZ789', 'Ann')).not.toBe(first);
    const second = joinKey('ABC234', 'Ann');
    forgetJoin();
    expect(joinKey('ABC234', 'Ann')).not.toBe(second);
  });

  it('takes a longer name for what it is, and is fit for a header', () => {
    const longer = joinKey('ABC234', 'Ann Ли');
    expect(joinKey('ABC234', 'Ann')).not.toBe(longer);
    joinKey('ABC234', 'Ann Ли');
    expect(joinKey('ABC234', 'Ann')).toMatch(/^[0-9a-f]{32}$/);
  });
});

it('shows a finished game again in its own tab, and not in a new one', () => {
  rememberEnd('ABC234');
  expect(endedBefore('ABC234')).toBe(false);
  vi.stubGlobal('window', { localStorage: window.localStorage, sessionStorage: storage() });
  expect(endedBefore('ABC234')).toBe(true);
  expect(endedBefore('XYZ789')).toBe(false);
});

it('remembers the last name', () => {
  expect(lastName()).toBe('');
  rememberName('Ann');
  expect(lastName()).toBe('Ann');
});

it('knows the seat of this tab after a reload, also without a storage', () => {
  const history = {
    state: null as unknown,
    replaceState(state: unknown) {
      this.state = structuredClone(state);
    },
  };
  vi.stubGlobal('window', closed);
  vi.stubGlobal('history', history);
  expect(tabSeat()).toBe(null);
  const seat = { gameCode: 'ABC234', playerId: 'id', displayName: 'Ann', sessionToken: 'qp_x' };
  rememberSeat(seat);
  expect(tabSeat()).toEqual(seat);
  rememberSeat(null);
  expect(tabSeat()).toBe(null);
});

it('does without a storage', () => {
  vi.stubGlobal('window', closed);
  rememberName('Ann');
  rememberEnd('ABC234');
  forgetJoin();
  expect(lastName()).toBe('');
  expect(endedBefore('ABC234')).toBe(false);
  const key = joinKey('ABC234', 'Ann');
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(joinKey('ABC234', 'Ann')).toBe(key);
});
