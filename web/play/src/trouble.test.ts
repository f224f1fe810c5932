// Tests the message and its field when joining fails.
import { describe, expect, it } from 'vitest';

import { ApiError, NetworkError } from '$sdk';

import { troubleBefore, troubleOf } from './trouble.ts';

describe('troubleBefore', () => {
  it.each([
    [{ code: '', codeFits: false, name: '' }, 'code', 'code_missing'],
    [{ code: 'AB', codeFits: false, name: 'Ann' }, 'code', 'code_form'],
    [{ code: 'ABC234', codeFits: true, name: '' }, 'name', 'name_missing'],
    [{ code: 'ABC234', codeFits: true, name: 'x'.repeat(41) }, 'name', 'name_long'],
  ] as const)('%j: %s, %s', (typed, field, reason) => {
    expect(troubleBefore(typed)).toMatchObject({ field, reason });
  });

  it('is none when both are there', () => {
    expect(troubleBefore({ code: 'ABC234', codeFits: true, name: 'Ann' })).toBeNull();
  });
});

describe('troubleOf', () => {
  it.each([
    [404, {}, 'code', 'unknown'],
    [403, { type: '/problems/banned' }, 'form', 'banned'],
    [409, { type: '/problems/name-taken' }, 'name', 'name_taken'],
    [409, { type: '/problems/game-full' }, 'code', 'full'],
    [404, { type: '/problems/no-such-team' }, 'team', 'team_unknown'],
    [409, { type: '/problems/team-full' }, 'team', 'team_full'],
    [422, { field: 'teamCode' }, 'team', 'team_form'],
    [409, { type: '/problems/conflict' }, 'form', 'server'],
    [410, {}, 'code', 'ended'],
    [422, { field: 'displayName', detail: 'The name is reserved.' }, 'name', 'name_reserved'],
    [422, { field: 'displayName', detail: 'A sentence of a later version.' }, 'name', 'name_bad'],
    [422, { field: 'gameCode' }, 'code', 'code_form'],
    [422, { type: '/problems/idempotency-key-reused' }, 'form', 'server'],
    [423, {}, 'form', 'locked'],
    [500, {}, 'form', 'server'],
    [503, {}, 'form', 'server'],
  ] as const)('%i %j: %s, %s', (status, problem, field, reason) => {
    expect(troubleOf(new ApiError(status, problem))).toMatchObject({ field, reason });
  });

  it('says how long to wait', () => {
    expect(troubleOf(new ApiError(429, {}, 12))).toEqual({ field: 'form', reason: 'wait', seconds: 12 });
    expect(troubleOf(new ApiError(429, {})).seconds).toBeGreaterThan(0);
  });

  it('distinguishes no answer from a bad one', () => {
    expect(troubleOf(new NetworkError('no answer')).reason).toBe('network');
    expect(troubleOf(new TypeError('bug')).reason).toBe('server');
  });
});
