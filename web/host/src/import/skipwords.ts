// Why something of a file did not come in, or not as it was, as a sentence with its place.

import type { Skipped, SkipReason } from '$sdk';
import { count, m } from '$words/language.svelte.ts';

import { EACH_LINE, type LineName } from '../editor/fields.ts';

/** What is said of a field that was not taken as it was. */
const LINES_SKIPPED = Object.fromEntries(EACH_LINE.map(([name, { skipped }]) => [`bad_${name}`, skipped])) as Record<
  `bad_${LineName}`,
  () => string
>;

/** One line of the list below a file's preview. */
export function skippedWords(skipped: Skipped): string {
  const what = reasonWords(skipped);
  const place = placeWords(skipped);
  const isQuestion = skipped.dropped && skipped.question !== null;
  const whole = isQuestion ? m.host_skip_left_out({ what }) : what;
  return place === '' ? whole : m.host_skip_at({ place, what: whole });
}

function placeWords({ line, round, question }: Skipped): string {
  if (line !== null) return m.host_skip_line({ line: count(line) });
  if (round === null) return '';
  if (question === null) return m.host_edit_round({ number: round });
  return m.host_skip_place({ round: count(round), question: count(question) });
}

function reasonWords({ reason, params }: Skipped): string {
  const number = (name: string): number => Number(params[name] ?? 0);
  const text = (name: string): string => String(params[name] ?? '');
  const words: Record<SkipReason, () => string> = {
    not_a_quiz_file: m.host_skip_not_a_quiz_file,
    too_large: () => m.host_skip_too_large({ megabytes: count(number('megabytes')) }),
    no_questions: m.host_skip_no_questions,
    missing_column: () => m.host_skip_missing_column({ column: text('column') }),
    unknown_column: () => m.host_skip_unknown_column({ column: text('column') }),
    no_text: m.host_skip_no_text,
    text_too_long: () => m.host_skip_text_too_long({ max: count(number('max')) }),
    unknown_type: () => m.host_skip_unknown_type({ type: text('type') }),
    no_choices: m.host_skip_no_choices,
    bad_choices: () => (number('max') === 0 ? m.host_skip_stray_choices() : m.host_skip_bad_choices()),
    no_answers: m.host_skip_no_answers,
    bad_answers: m.host_skip_bad_answers,
    answer_not_a_choice: m.host_skip_answer_not_a_choice,
    answer_not_a_number: m.host_skip_answer_not_a_number,
    ...LINES_SKIPPED,
    title_too_long: () => m.host_skip_title_too_long({ max: count(number('max')) }),
    too_many_rounds: () => m.host_skip_too_many_rounds({ max: number('max'), count: number('count') }),
    too_many_questions: () => m.host_skip_too_many_questions({ count: number('count') }),
  };
  return words[reason]();
}
