// What the connection bar says.
import { describe, expect, it } from 'vitest';

import { lineOf } from './line.ts';

const NOW = 1_000_000;

describe('lineOf', () => {
  it('says nothing while all is well, while coming in, and when it is over', () => {
    expect(lineOf({ state: 'open' }, NOW).kind).toBe('fine');
    expect(lineOf({ state: 'connecting', attempt: 0 }, NOW).kind).toBe('fine');
    expect(lineOf({ state: 'closed', why: 'replaced' }, NOW).kind).toBe('fine');
  });

  it('says that it tries again', () => {
    expect(lineOf({ state: 'connecting', attempt: 1 }, NOW).kind).toBe('trying');
  });

  it('counts down in whole seconds, and never below one', () => {
    const waiting = (ms: number) => lineOf({ state: 'waiting', attempt: 2, retryAt: NOW + ms, offline: false }, NOW);
    expect(waiting(4_200)).toEqual({ kind: 'waiting', seconds: 5 });
    expect(waiting(1)).toEqual({ kind: 'waiting', seconds: 1 });
    expect(waiting(0).kind).toBe('trying');
    expect(waiting(-3_000).kind).toBe('trying');
    expect(waiting(3_600_000).kind, 'the clock was set back').toBe('trying');
  });

  it('knows whose fault it is when the phone is offline', () => {
    expect(lineOf({ state: 'waiting', attempt: 1, retryAt: NOW + 9_000, offline: true }, NOW).kind).toBe('offline');
  });
});
