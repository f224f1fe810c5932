// What is said beside which field when a join does not work.
import { describe, expect, it } from 'vitest';

import { ApiError, NetworkError } from '$sdk';

import { troubleBefore, troubleOf } from './trouble.ts';

describe('troubleBefore', () => {
  it.each([
    [{ code: '', codeFits: false, name: '' }, 'code', 'code_missing'],
    [{ code: 'AB', codeFits: false, name: 'Ann' }, 'code', 'code_form'],
    [{ code: 'ABC234', codeFits: true, name: '' }, 'name', 'name_missing'],
  ] as const)('%j: %s, %s', (typed, field, reason) => {
    expect(troubleBefore(typed)).toMatchObject({ field, reason });
  });

  it('is none when both are there', () => {
    expect(troubleBefore({ code: 'ABC234', codeFits: true, name: 'Ann' })).toBeNull();
  });
});

describe('troubleOf', () => {
  it.each([
    [404, undefined, 'code', 'unknown'],
    [409, undefined, 'name', 'name_taken'],
    [410, undefined, 'code', 'ended'],
    [422, 'displayName', 'name', 'name_bad'],
    [422, 'gameCode', 'code', 'code_form'],
    [423, undefined, 'code', 'locked'],
    [500, undefined, 'form', 'server'],
    [503, undefined, 'form', 'server'],
  ] as const)('%i %s: %s, %s', (status, at, field, reason) => {
    const problem = at === undefined ? {} : { field: at };
    expect(troubleOf(new ApiError(status, problem))).toMatchObject({ field, reason });
  });

  it('says how long to wait', () => {
    expect(troubleOf(new ApiError(429, {}, 12))).toEqual({ field: 'form', reason: 'wait', seconds: 12 });
    expect(troubleOf(new ApiError(429, {})).seconds).toBeGreaterThan(0);
  });

  it('tells no answer from a bad one', () => {
    expect(troubleOf(new NetworkError('no answer')).reason).toBe('network');
    expect(troubleOf(new TypeError('bug')).reason).toBe('server');
  });
});
