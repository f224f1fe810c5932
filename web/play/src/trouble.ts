// The reason why a join failed, and the field beside which it is shown. Pure; troublewords.ts has the words.

import { ApiError, NetworkError } from '$sdk';

import { mistakeIn } from './name.ts';

/** The mistakes of a name. */
export type NameReason =
  | 'name_missing'
  | 'name_long'
  | 'name_heavy'
  | 'name_reserved'
  | 'name_taken'
  | 'name_character'
  | 'name_accents'
  | 'name_letterless'
  | 'name_bad';

/** The reasons for which a join can fail. */
export type Reason =
  | 'code_missing'
  | 'code_form'
  | 'unknown'
  | 'seat_form'
  | 'seat_unknown'
  | 'way_missing'
  | 'team_form'
  | 'team_unknown'
  | 'team_full'
  | 'ended'
  | 'locked'
  | 'banned'
  | 'full'
  | NameReason
  | 'wait'
  | 'network'
  | 'server';

/** The reason and the place where it is shown; `form` is the line beside the button. */
export interface Trouble {
  readonly field: 'code' | 'seat' | 'team' | 'name' | 'form';
  readonly reason: Reason;
  /** The seconds to wait, for `wait`. */
  readonly seconds: number;
}

const at = (field: Trouble['field'], reason: Reason, seconds = 0): Trouble => ({ field, reason, seconds });

/** The wait that is shown when the server gives none. */
const SHORT_WAIT = 5;

/** The error in the fields before anything is sent; null when there is none. */
export function troubleBefore(typed: { code: string; codeFits: boolean; name: string }): Trouble | null {
  if (typed.code === '') return at('code', 'code_missing');
  if (!typed.codeFits) return at('code', 'code_form');
  const mistake = mistakeIn(typed.name);
  return mistake && at('name', mistake);
}

/**
 * The server names the field and describes the fault in `detail`, a sentence for people. These are its sentences about names. A browser
 * test compares them with the server's; a sentence of a later version is treated as `name_bad`.
 */
const SAID_OF_NAMES: readonly (readonly [RegExp, NameReason])[] = [
  [/empty/, 'name_missing'],
  [/longer/, 'name_long'],
  [/reserved/, 'name_reserved'],
  [/not allowed|invisible/, 'name_character'],
  [/accents/, 'name_accents'],
  [/at least one letter/, 'name_letterless'],
];

function nameTrouble(detail: string): Trouble {
  return at('name', SAID_OF_NAMES.find(([words]) => words.test(detail))?.[1] ?? 'name_bad');
}

/** Whether a join was refused because of its key, which stands for another seat. */
export function isKeySpent(error: unknown): boolean {
  return error instanceof ApiError && ['idempotency-key-reused', 'seat-removed', 'seat-moved'].includes(error.type);
}

/** The error for a server's answer to a join, or for the lack of an answer. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof NetworkError) return at('form', 'network');
  if (!(error instanceof ApiError)) return at('form', 'server');
  switch (error.status) {
    case 403:
      return at('form', error.type === 'banned' ? 'banned' : 'server');
    case 404:
      if (error.type === 'no-such-team') return at('team', 'team_unknown');
      return error.type === 'no-such-seat' ? at('seat', 'seat_unknown') : at('code', 'unknown');
    case 409:
      if (error.type === 'game-full') return at('code', 'full');
      if (error.type === 'team-full') return at('team', 'team_full');
      return error.type === 'name-taken' ? at('name', 'name_taken') : at('form', 'server');
    case 410:
      return at('code', 'ended');
    case 422:
      if (error.field === 'displayName') return nameTrouble(error.detail);
      if (error.field === 'seatCode') return at('seat', 'seat_form');
      if (error.field === 'teamCode') return at('team', 'team_form');
      return error.field === 'gameCode' ? at('code', 'code_form') : at('form', 'server');
    case 423:
      return at('form', 'locked');
    case 429:
      return at('form', 'wait', error.retryAfter ?? SHORT_WAIT);
    default:
      return at('form', 'server');
  }
}
