// The errors of an account as sentences. Used by the pages about accounts.

import { problemWords } from '../frame/problem.ts';
import { m } from '$words/language.svelte.ts';

/** The sentence for an error while an account was created or changed. */
export function nameProblem(failure: unknown): string {
  return problemWords(failure, {
    'name-taken': m.host_account_name_taken,
    conflict: m.host_account_conflict,
    forbidden: m.host_account_not_owner,
  });
}
