// The sentences for failed joins. A sentence that only one form can show is defined in that form.

import { count, m } from '$words/language.svelte.ts';

import { MOST_CHARACTERS } from './name.ts';
import type { Reason } from './trouble.ts';

/** The sentence for each reason. */
export const TROUBLE_WORDS: Partial<Record<Reason, () => string>> = {
  code_missing: m.play_error_code_missing,
  code_form: m.play_error_code_form,
  unknown: m.play_error_code_unknown,
  ended: m.play_error_ended,
  locked: m.play_error_locked,
  banned: m.play_error_banned,
  full: m.play_error_full,
  name_missing: m.play_error_name_missing,
  name_long: () => m.play_error_name_long({ most: count(MOST_CHARACTERS) }),
  name_heavy: m.play_error_name_heavy,
  name_reserved: m.play_error_name_reserved,
  name_taken: () => m.play_error_name_taken({ way: m.play_take_instead() }),
  name_character: m.play_error_name_character,
  name_accents: m.play_error_name_accents,
  name_letterless: m.play_error_name_letterless,
  name_bad: m.play_error_name_bad,
  network: m.play_error_network,
  server: m.play_error_server,
};
