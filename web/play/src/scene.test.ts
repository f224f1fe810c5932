// Tests which view each moment shows.
import { describe, expect, it } from 'vitest';

import { viewWith } from './sample.ts';
import { leadsNowhere, sceneOf } from './scene.ts';

describe('sceneOf', () => {
  it.each([
    ['lobby', 'lobby'],
    ['question', 'sheet'],
    ['round_review', 'review'],
    ['leaderboard', 'scores'],
    ['ended', 'ended'],
    [null, 'coming'],
  ] as const)('phase %s is %s', (phase, scene) => {
    expect(sceneOf(viewWith({ phase }))).toBe(scene);
  });

  it('waits for the first view', () => {
    expect(sceneOf(null)).toBe('coming');
  });

  it('stays where it was while the connection is lost', () => {
    const connection = { state: 'waiting', attempt: 3, retryAt: 0, offline: true } as const;
    expect(sceneOf(viewWith({ phase: 'question', connection }))).toBe('sheet');
  });

  it.each([
    ['replaced', 'elsewhere'],
    ['removed', 'removed'],
    ['game_closed', 'gone'],
    ['game_not_found', 'unknown'],
    ['unauthorized', 'seat'],
    ['forbidden', 'seat'],
    ['left', 'join'],
  ] as const)('closed because %s is %s', (why, scene) => {
    expect(sceneOf(viewWith({ phase: 'question', connection: { state: 'closed', why } }))).toBe(scene);
  });

  it('keeps the final board when the server says good night', () => {
    for (const why of ['game_over', 'game_closed', 'unauthorized'] as const) {
      expect(sceneOf(viewWith({ phase: 'ended', connection: { state: 'closed', why } }))).toBe('ended');
    }
  });
});

describe('leadsNowhere', () => {
  it('is a seat that was turned away before it showed anything', () => {
    expect(leadsNowhere(viewWith({ phase: null, connection: { state: 'closed', why: 'unauthorized' } }))).toBe(true);
    expect(leadsNowhere(viewWith({ phase: null, connection: { state: 'closed', why: 'game_not_found' } }))).toBe(true);
  });

  it('is not a seat in use, removed, or open elsewhere', () => {
    expect(leadsNowhere(viewWith({ phase: 'question', connection: { state: 'closed', why: 'game_closed' } }))).toBe(false);
    expect(leadsNowhere(viewWith({ phase: null, connection: { state: 'closed', why: 'removed' } }))).toBe(false);
    expect(leadsNowhere(viewWith({ phase: null, connection: { state: 'closed', why: 'replaced' } }))).toBe(false);
    expect(leadsNowhere(viewWith({ phase: null, connection: { state: 'connecting', attempt: 0 } }))).toBe(false);
  });
});
