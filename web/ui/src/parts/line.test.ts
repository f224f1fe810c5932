// Tests the text of the connection bar.
import { describe, expect, it } from 'vitest';

import { blocked, isCertain, lineOf } from './line.ts';

const NOW = 1_000_000;

describe('lineOf', () => {
  it('says nothing while all is well, while coming in, and when it is over', () => {
    expect(lineOf({ state: 'open' }, NOW).kind).toBe('fine');
    expect(lineOf({ state: 'connecting', attempt: 0 }, NOW).kind).toBe('fine');
    expect(lineOf({ state: 'closed' }, NOW).kind).toBe('fine');
  });

  it('says that it tries again', () => {
    expect(lineOf({ state: 'connecting', attempt: 1 }, NOW).kind).toBe('trying');
  });

  it('counts down in whole seconds, and never below one', () => {
    const waiting = (ms: number) => lineOf({ state: 'waiting', retryAt: NOW + ms, offline: false }, NOW);
    expect(waiting(4_200)).toEqual({ kind: 'waiting', seconds: 5 });
    expect(waiting(1)).toEqual({ kind: 'waiting', seconds: 1 });
    expect(waiting(0).kind).toBe('trying');
    expect(waiting(-3_000).kind).toBe('trying');
    expect(waiting(3_600_000).kind, 'the clock was set back').toBe('trying');
  });

  it('knows whose fault it is when the device is offline', () => {
    expect(lineOf({ state: 'waiting', retryAt: NOW + 9_000, offline: true }, NOW).kind).toBe('offline');
    expect(lineOf({ state: 'silent', offline: true }, NOW).kind).toBe('offline');
  });

  it('shows a line that says nothing, and that one at once, like a device that is offline', () => {
    const silent = lineOf({ state: 'silent', offline: false }, NOW);
    expect(silent).toEqual({ kind: 'silent' });
    const shown = [silent, { kind: 'offline' }, { kind: 'trying' }, { kind: 'waiting', seconds: 3 }] as const;
    expect(shown.map(isCertain)).toEqual([true, true, false, false]);
  });
});

it('advises after a while, but not a device without a network', () => {
  expect(blocked({ kind: 'trying' })).toEqual({ kind: 'blocked' });
  expect(blocked({ kind: 'fine' })).toEqual({ kind: 'blocked' });
  expect(blocked({ kind: 'offline' })).toEqual({ kind: 'offline' });
});
