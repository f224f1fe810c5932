// Why something of a file did not come in, or not as it was, as a sentence with its place.

import type { QuestionBody, Skipped, SkipReason } from '$sdk';
import { count, m } from '$words/language.svelte.ts';

import { EACH_LINE, type LineName } from '../editor/fields.ts';
import type { ReadFile, Unit } from '../formats/formats.ts';
import { isSpreadsheet } from '../formats/otherfiles.ts';
import type { Beside, Kind } from '../formats/readquiz.ts';

/** What is said of a field that was not taken as it was. */
const LINES_SKIPPED = Object.fromEntries(EACH_LINE.map(([name, { skipped }]) => [`bad_${name}`, skipped])) as Record<
  `bad_${LineName}`,
  () => string
>;

const KINDS: Readonly<Record<Kind, () => string>> = {
  essay: m.host_skip_kind_essay,
  matching: m.host_skip_kind_matching,
  ordering: m.host_skip_kind_ordering,
  gaps: m.host_skip_kind_gaps,
  several_answers: m.host_skip_kind_several_answers,
  several_parts: m.host_skip_kind_several_parts,
  information: m.host_skip_kind_information,
  calculated: m.host_skip_kind_calculated,
  picture: m.host_skip_kind_picture,
  pictures: m.host_skip_kind_pictures,
  random: m.host_skip_kind_random,
};

const BESIDE: Readonly<Record<Beside, () => string>> = {
  feedback: m.host_skip_what_feedback,
  time: m.host_skip_what_time,
  units: m.host_skip_what_units,
  case: m.host_skip_what_case,
  hints: m.host_skip_what_hints,
  categories: m.host_skip_what_categories,
  languages: m.host_skip_what_languages,
  selection: m.host_skip_what_selection,
  difficulty: m.host_skip_what_difficulty,
  players: m.host_skip_what_players,
  card_fields: m.host_skip_what_card_fields,
};

/** Lines of a report that are kept with a quiz, and code points of one: the server takes no more. */
const REPORT_LINES = 200;
const REPORT_LINE = 200;

/** The report of an import, to be kept with the quiz: what is said of the file and of the questions that were taken. */
export function reportOf(file: ReadFile, taken: ReadonlySet<QuestionBody>): string[] {
  const said = file.skipped.filter(({ about }) => about === null || taken.has(about));
  const lines = said.map((skipped) => shortened(skippedWords(skipped, file.unit)));
  if (lines.length <= REPORT_LINES) return lines;
  const rest = lines.length - REPORT_LINES + 1;
  return [...lines.slice(0, REPORT_LINES - 1), m.host_report_more({ count: rest })];
}

/** What the preview says below a question. That all of several right answers are to be picked is said in files of every format. */
export function remarksOn(file: ReadFile, question: QuestionBody): string[] {
  const said = file.skipped.filter(({ about }) => about === question);
  const isNew = question.type === 'multi_select' && said.every(({ reason }) => reason !== 'all_of_several');
  return [...said.map(remarkWords), ...(isNew ? [m.host_skip_all_of_several()] : [])];
}

/** On one line, with room for the sign that something is missing. */
function shortened(text: string): string {
  const letters = [...text.replace(/\p{Cc}+/gu, ' ').trim()];
  return letters.length <= REPORT_LINE ? letters.join('') : `${letters.slice(0, REPORT_LINE - 1).join('')}…`;
}

/** One line of the list below a file's preview; places are counted in `unit`. */
export function skippedWords(skipped: Skipped, unit: Unit): string {
  const what = remarkWords(skipped);
  const place = placeWords(skipped, unit);
  const isQuestion = skipped.dropped && skipped.question !== null;
  const whole = isQuestion ? m.host_skip_left_out({ what }) : what;
  if (place === '') return whole;
  const { excerpt } = skipped;
  return m.host_skip_at({ place: excerpt === '' ? place : m.host_skip_about({ place, excerpt }), what: whole });
}

function placeWords({ at, round, question }: Skipped, unit: Unit): string {
  if (at !== null) return PLACES[unit](at);
  if (round === null) return '';
  if (question === null) return m.host_edit_round({ number: round });
  return m.host_skip_place({ round: count(round), question: count(question) });
}

const PLACES: Readonly<Record<Unit, (at: number) => string>> = {
  line: (at) => m.host_skip_line({ line: count(at) }),
  row: (at) => m.host_skip_row({ row: count(at) }),
  question: (at) => m.everywhere_question({ number: count(at) }),
};

/** The sentence without its place. */
export function remarkWords({ reason, params }: Pick<Skipped, 'reason' | 'params'>): string {
  const number = (name: string): number => Number(params[name] ?? 0);
  const text = (name: string): string => String(params[name] ?? '');
  const words: Record<SkipReason, () => string> = {
    not_a_quiz_file: m.host_skip_not_a_quiz_file,
    other_file: () => {
      const kind = text('kind');
      return isSpreadsheet(kind) ? m.host_skip_other_sheet({ kind }) : m.host_skip_other_file({ kind });
    },
    unknown_table: () => m.host_skip_unknown_table({ columns: text('columns') }),
    damaged: () => (number('line') > 0 ? m.host_skip_damaged_at({ line: count(number('line')) }) : m.host_skip_damaged()),
    unsupported_version: () => m.host_skip_unsupported_version({ version: text('version') }),
    read_as: () => m.host_skip_read_as({ encoding: text('encoding') }),
    too_large: () => m.host_skip_too_large({ megabytes: count(number('megabytes')) }),
    no_questions: m.host_skip_no_questions,
    missing_column: () => m.host_skip_missing_column({ column: text('column') }),
    unknown_column: () => m.host_skip_unknown_column({ column: text('column') }),
    missing_part: () => m.host_skip_missing_part({ name: text('name') }),
    broken_part: () => brokenWords(text('name'), number('line')),
    unused_part: () => m.host_skip_unused_part({ name: text('name') }),
    choices_moved: m.host_skip_choices_moved,
    same_choice: () => m.host_skip_same_choice({ choice: text('choice') }),
    formula: () => m.host_skip_formula({ count: number('count') }),
    no_alt: m.host_skip_no_alt,
    uneven_answers: m.host_skip_uneven_answers,
    no_text: m.host_skip_no_text,
    text_too_long: () => m.host_skip_text_too_long({ max: count(number('max')) }),
    unknown_type: () => m.host_skip_unknown_type({ type: text('type') }),
    unsupported_kind: () => m.host_skip_unsupported_kind({ kind: kindWords(text('kind')) }),
    malformed: m.host_skip_malformed,
    no_choices: m.host_skip_no_choices,
    bad_choices: () => (number('max') === 0 ? m.host_skip_stray_choices() : m.host_skip_bad_choices()),
    no_answers: m.host_skip_no_answers,
    bad_answers: m.host_skip_bad_answers,
    unclear_key: () => m.host_skip_unclear_key({ key: text('key'), column: text('column') }),
    all_of_several: m.host_skip_all_of_several,
    unread_cell: () => m.host_skip_unread_cell({ cell: text('cell') }),
    unread_sheets: () => m.host_skip_unread_sheets({ sheets: text('sheets') }),
    answer_not_a_choice: m.host_skip_answer_not_a_choice,
    answer_not_a_number: m.host_skip_answer_not_a_number,
    answers_incomplete: m.host_skip_answers_incomplete,
    partial_answer: m.host_skip_partial_answer,
    wildcard_answer: m.host_skip_wildcard_answer,
    several_margins: m.host_skip_several_margins,
    left_out: () => besideWords(text('what'), number('count')),
    ...LINES_SKIPPED,
    bad_media: m.host_skip_bad_media,
    title_too_long: () => m.host_skip_title_too_long({ max: count(number('max')) }),
    too_many_rounds: () => m.host_skip_too_many_rounds({ max: number('max'), count: number('count') }),
    too_many_questions: () => m.host_skip_too_many_questions({ count: number('count') }),
  };
  return words[reason]();
}

const brokenWords = (name: string, line: number): string => {
  return line > 0 ? m.host_skip_broken_part_at({ name, line: count(line) }) : m.host_skip_broken_part({ name });
};

/** A kind in this language, or the format's own word. */
function kindWords(kind: string): string {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind as Kind]() : kind;
}

function besideWords(what: string, number: number): string {
  return what === 'media' ? m.host_skip_media({ count: number }) : m.host_skip_beside({ what: BESIDE[what as Beside](), count: number });
}
