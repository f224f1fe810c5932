// What went wrong with an account, in the words of the page. Used by the pages about accounts.

import { problemWords } from '../frame/problem.ts';
import { m } from '$words/language.svelte.ts';

/** A sentence for an error of an account that was to be created or changed. */
export function nameProblem(failure: unknown): string {
  return problemWords(failure, {
    'name-taken': m.host_account_name_taken,
    conflict: m.host_account_conflict,
    forbidden: m.host_account_not_owner,
  });
}
