// Why a join did not work, and beside which field to say it. Pure; Join.svelte has the words.

import { ApiError, NetworkError } from '$sdk';

/** What went wrong. */
export type Reason =
  | 'code_missing'
  | 'code_form'
  | 'unknown'
  | 'ended'
  | 'locked'
  | 'name_missing'
  | 'name_taken'
  | 'name_bad'
  | 'wait'
  | 'network'
  | 'server';

/** What went wrong and where it is said; `form` is the line beside the button. */
export interface Trouble {
  readonly field: 'code' | 'name' | 'form';
  readonly reason: Reason;
  /** How long to wait, for `wait`. */
  readonly seconds: number;
}

const at = (field: Trouble['field'], reason: Reason, seconds = 0): Trouble => ({ field, reason, seconds });

/** A wait that is told when the server does not say how long. */
const SHORT_WAIT = 5;

/** What is wrong with the fields before anything is sent; null when nothing is. */
export function troubleBefore(typed: { code: string; codeFits: boolean; name: string }): Trouble | null {
  if (typed.code === '') return at('code', 'code_missing');
  if (!typed.codeFits) return at('code', 'code_form');
  return typed.name === '' ? at('name', 'name_missing') : null;
}

/** What the server, or the lack of one, said to a join. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof NetworkError) return at('form', 'network');
  if (!(error instanceof ApiError)) return at('form', 'server');
  switch (error.status) {
    case 404:
      return at('code', 'unknown');
    case 409:
      return at('name', 'name_taken');
    case 410:
      return at('code', 'ended');
    case 422:
      return /code/i.test(error.field ?? '') ? at('code', 'code_form') : at('name', 'name_bad');
    case 423:
      return at('code', 'locked');
    case 429:
      return at('form', 'wait', error.retryAfter ?? SHORT_WAIT);
    default:
      return at('form', 'server');
  }
}
