// The fields of a question in a file, and the check of one question: corrected if that is safe, and refused if it is not, by the
// limits of the server. Pure; used by quizfile.ts and quizcsv.ts, which read and write the fields by the table.

import type { QuestionBody, QuestionMedia } from './generated/protocol.ts';
import { hasChoices, isMarked, isNumber, isOfSeveral } from './choices.ts';
import { fold } from './fold.ts';
import { LIMITS, type QuestionKind } from './generated/limits.ts';
import { parseNumber } from './number.ts';
import { isRecord } from './storage.ts';
import { fittingTags, tagsOf } from './tags.ts';

/** Why a part of a file was left out or changed; the page has the sentences. */
export type SkipReason =
  /** Not a known format. */
  | 'not_a_quiz_file'
  /** Broken or cut off; `params.line` is where, 0 when that is not known. */
  | 'damaged'
  /** A file of another program, `params.kind`; saved as a table of questions in xlsx it could be read. */
  | 'other_file'
  /** A table whose columns have none of the known names: they are `params.columns`. */
  | 'unknown_table'
  /** A version of the format that is not read, `params.version`. */
  | 'unsupported_version'
  /** Read in the character set `params.encoding`, because it is not Unicode. */
  | 'read_as'
  /** Larger than `params.megabytes`. */
  | 'too_large'
  /** A round, or the whole file, without any usable question. */
  | 'no_questions'
  /** CSV without the column `params.column`. */
  | 'missing_column'
  /** CSV with an unknown column, `params.column`; left out. */
  | 'unknown_column'
  | 'no_text'
  /** Longer than `params.max`. */
  | 'text_too_long'
  /** `params.type`; taken as text, or as multiple choice when there are choices. */
  | 'unknown_type'
  /** Fewer than two choices. */
  | 'no_choices'
  /** Too many (`params.max`), too long, or choices where the type has none. */
  | 'bad_choices'
  /** `params.choice` occurs more than once, and is taken once. */
  | 'same_choice'
  | 'no_answers'
  /** Too many or too long: those beyond the limit are left out. */
  | 'bad_answers'
  | 'answer_not_a_choice'
  /** `params.key` in the column `params.column` does not show clearly which choices are right. */
  | 'unclear_key'
  /** Several choices are right; in the program that wrote the file, any one of them counted. */
  | 'all_of_several'
  /** The cell `params.cell` of a sheet cannot be read. */
  | 'unread_cell'
  /** Sheets that are not read, `params.sheets`. */
  | 'unread_sheets'
  | 'answer_not_a_number'
  /** The right order does not have every choice. */
  | 'answers_incomplete'
  /** A kind of question that cannot be played, `params.kind`. */
  | 'unsupported_kind'
  /** Not written as the format requires. */
  | 'malformed'
  /** A part of the package that is not in it, `params.name`. */
  | 'missing_part'
  /** A part of the package that cannot be read, `params.name`; `params.line` is where, 0 when that is not known. */
  | 'broken_part'
  /** A question of the package that is in none of its tests, `params.name`. */
  | 'unused_part'
  /** Choices of several lines are in the text of the question, and letters stand for them. */
  | 'choices_moved'
  /** `params.count` formulas that could not be converted. */
  | 'formula'
  /** A picture without a description is replaced by a word. */
  | 'no_alt'
  /** Right answers that are worth different parts of the points count equally. */
  | 'uneven_answers'
  /** Answers worth a part of the points are left out. */
  | 'partial_answer'
  /** Answers that stand for several texts (`*`) are left out. */
  | 'wildcard_answer'
  /** Accepted numbers with margins that differ. */
  | 'several_margins'
  /** Something besides the question that is not imported, `params.what`, of `params.count` questions. */
  | 'left_out'
  /** An optional field is invalid, and is not taken unchanged. */
  | `bad_${OptionalField}`
  /** Cut at `params.max`. */
  | 'title_too_long'
  | 'too_many_rounds'
  | 'too_many_questions';

/** The kinds of values of a field in a file: a text, several texts, or a value that only a check understands. */
export interface FieldKinds {
  text: string;
  list: readonly string[];
  value: unknown;
}

interface FileField {
  /** Its names in the first row of CSV; the first is written, all are read. None: tables do not have the field. */
  readonly columns: readonly string[];
  readonly kind: keyof FieldKinds;
  /** For an optional field: the stored value; undefined for none. Calls `bad` when a part of it is not stored. */
  readonly check?: (raw: unknown, bad: () => void, type: QuestionKind) => number | string | QuestionMedia | string[] | undefined;
  /** Rarely used: a table without it has no such column. */
  readonly isRare?: true;
}

/** The fields of a question by their names in JSON, in the order of the columns. A field that the server has and this does not have fails to compile. */
export const FIELDS = {
  type: { columns: ['type'], kind: 'text' },
  text: { columns: ['question', 'text'], kind: 'text' },
  choices: { columns: ['choices', 'choice'], kind: 'list' },
  correctAnswers: { columns: ['answers', 'answer', 'correct'], kind: 'list' },
  /** A whole number from 0 to 1,000,000; any other becomes the default. */
  points: { columns: ['points'], kind: 'value', check: pointsOf },
  /** A number from 0, for a numeric question; any other becomes none. */
  tolerance: { columns: ['tolerance'], kind: 'value', check: toleranceOf },
  /** A picture or a sound of this account, by its id; only the server knows whether the account has it. */
  media: { columns: [], kind: 'value', check: mediaOf },
  /** Whole seconds; any other value becomes none. */
  timeLimit: { columns: ['time_limit', 'seconds'], kind: 'value', check: timeLimitOf, isRare: true },
  /** Tags beyond the limit and too long ones are left out. */
  tags: { columns: ['tags', 'tag'], kind: 'list', check: usableTags, isRare: true },
  /** Shown with the right answer; cut to the limit. */
  explanation: { columns: ['explanation'], kind: 'value', check: longTextOf, isRare: true },
  /** Only for the host; cut to the limit. */
  hostNote: { columns: ['host_note'], kind: 'value', check: longTextOf, isRare: true },
} as const satisfies Record<Exclude<keyof QuestionBody, 'id'>, FileField>;

type FieldName = keyof typeof FIELDS;
type OptionalField = { [Name in FieldName]: (typeof FIELDS)[Name] extends { check: unknown } ? Name : never }[FieldName];

/** A question as in the file, before any check. */
export type RawQuestion = { readonly [Name in FieldName]: FieldKinds[(typeof FIELDS)[Name]['kind']] };

/** All fields with their names. */
export const eachField = () => Object.entries(FIELDS) as [FieldName, FileField][];

/** The contents of a file, field by field. */
export function rawQuestion(read: (name: FieldName, field: FileField) => unknown): RawQuestion {
  return Object.fromEntries(eachField().map(([name, field]) => [name, read(name, field)])) as RawQuestion;
}

/** A question of which only these fields are known; the rest is empty. */
export function questionFrom(known: Partial<RawQuestion>): RawQuestion {
  const empty: FieldKinds = { text: '', list: [], value: undefined };
  return rawQuestion((name, { kind }) => known[name] ?? empty[kind]);
}

/** The values that the sentence for a reason names. */
export type Params = Readonly<Record<string, string | number>>;

/** Called for everything that is not taken unchanged. */
export type Note = (reason: SkipReason, dropped: boolean, params?: Params) => void;

const TYPES: Readonly<Record<string, QuestionKind>> = {
  text: 'text',
  multiple_choice: 'multiple_choice',
  choice: 'multiple_choice',
  true_false: 'true_false',
  numeric: 'numeric',
  number: 'numeric',
  multi_select: 'multi_select',
  order: 'order',
  poll: 'poll',
  word_cloud: 'word_cloud',
  nearest: 'nearest',
};

/** A question that the server accepts, or null when that is impossible. */
export function checkedQuestion(raw: RawQuestion, note: Note): QuestionBody | null {
  const text = tidyText(raw.text);
  if (text === '') return refuse(note, 'no_text');
  if (length(text) > LIMITS.text) return refuse(note, 'text_too_long', { max: LIMITS.text });
  const type = typeOf(raw, note);
  const choices = choicesOf(type, raw.choices, note);
  if (choices === null) return null;
  const letters = distinct(raw.choices).length > 0 ? raw.choices.map(tidyLine) : choices;
  const correctAnswers = answersOf(type, { choices, letters }, raw.correctAnswers, note);
  if (correctAnswers === null) return null;
  if (isOfSeveral(type) && length(choices.join('\n')) > LIMITS.together) {
    return refuse(note, 'bad_choices', { max: LIMITS.together });
  }
  return { text, type, ...(choices.length > 0 ? { choices } : {}), correctAnswers, ...optionalOf(type, raw, note) };
}

function optionalOf(type: QuestionKind, raw: RawQuestion, note: Note): Pick<QuestionBody, OptionalField> {
  const read = eachField().map(([name, { check }]) => {
    return [name, check?.(raw[name], () => note(`bad_${name as OptionalField}`, false), type)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** A title of one line, cut to the limit. */
export function checkedTitle(raw: string, note: Note): string {
  const title = tidyLine(raw);
  if (length(title) <= LIMITS.title) return title;
  note('title_too_long', false, { max: LIMITS.title });
  return Array.from(title).slice(0, LIMITS.title).join('').trim();
}

function refuse(note: Note, reason: SkipReason, params?: Params): null {
  note(reason, true, params);
  return null;
}

function typeOf(raw: RawQuestion, note: Note): QuestionKind {
  const name = raw.type.trim().toLowerCase().replace(/[\s/-]+/g, '_');
  const known = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (known !== undefined) return known;
  if (name !== '') note('unknown_type', false, { type: raw.type.trim().slice(0, 40) });
  return raw.choices.some((choice) => choice.trim() !== '') ? 'multiple_choice' : 'text';
}

function choicesOf(type: QuestionKind, raw: readonly string[], note: Note): string[] | null {
  const written = raw.map(tidyLine);
  const choices = distinct(written);
  if (!hasChoices(type)) {
    if (choices.length > 0) note('bad_choices', false, { max: 0 });
    return [];
  }
  const most = type === 'true_false' ? 2 : LIMITS.choices;
  if (type === 'true_false' && choices.length === 0) return ['True', 'False'];
  if (choices.length < 2) return refuse(note, 'no_choices');
  if (choices.length > most) return refuse(note, 'bad_choices', { max: most });
  if (choices.some((choice) => length(choice) > LIMITS.choice)) return refuse(note, 'bad_choices', { max: LIMITS.choice });
  const again = written.find((choice, at) => choice !== '' && written.indexOf(choice) < at);
  if (again !== undefined) note('same_choice', false, { choice: again });
  return choices;
}

/** The possible answers: the choices, and those that letters stand for, as they are written. */
interface Offered {
  readonly choices: readonly string[];
  readonly letters: readonly string[];
}

function answersOf(type: QuestionKind, offered: Offered, raw: readonly string[], note: Note): string[] | null {
  const answers = distinct(raw.map(tidyLine));
  if (!isMarked(type)) {
    if (answers.length > 0) note('bad_answers', false, { max: 0 });
    return [];
  }
  if (answers.length === 0) return refuse(note, 'no_answers');
  const short = answers.filter((answer) => length(answer) <= LIMITS.choice).slice(0, LIMITS.answers);
  if (short.length === 0) return refuse(note, 'bad_answers', { max: LIMITS.choice });
  const [usable, reason] = usableAnswers(type, offered, short);
  if (usable.length === 0) return refuse(note, reason);
  if (type === 'order' && distinct(usable).length < offered.choices.length) return refuse(note, 'answers_incomplete');
  if (type === 'nearest' && usable.length > 1) note('bad_answers', false, { max: 1 });
  if (short.length < answers.length) note('bad_answers', false, { max: LIMITS.answers });
  if (usable.length < distinct(short).length) note(reason, false);
  return distinct(type === 'nearest' ? usable.slice(0, 1) : usable);
}

function usableAnswers(type: QuestionKind, offered: Offered, answers: readonly string[]): [string[], SkipReason] {
  if (type === 'text') return [[...answers], 'bad_answers'];
  if (isNumber(type)) return [answers.filter((answer) => parseNumber(answer) !== null), 'answer_not_a_number'];
  const meant = answers.map((answer) => offeredAs(answer, offered));
  return [meant.filter((choice) => choice !== undefined), 'answer_not_a_choice'];
}

/** The choice that an answer means: the same text, nearly the same, or its letter. */
function offeredAs(answer: string, { choices, letters }: Offered): string | undefined {
  if (choices.includes(answer)) return answer;
  const folded = fold(answer);
  const alike = choices.filter((choice) => fold(choice) === folded);
  if (alike.length > 0) return alike.length === 1 ? alike[0] : undefined;
  return /^[a-t]$/i.test(answer) ? letters[answer.toLowerCase().charCodeAt(0) - 97] || undefined : undefined;
}

function pointsOf(raw: unknown, bad: () => void, type: QuestionKind): number | undefined {
  const points = numberOf(raw);
  if (points === undefined || (points === 0 && !isMarked(type))) return undefined;
  if (!isMarked(type)) {
    bad();
    return undefined;
  }
  if (Number.isInteger(points) && points >= 0 && points <= LIMITS.points) return points;
  bad();
  return undefined;
}

function toleranceOf(raw: unknown, bad: () => void, type: QuestionKind): number | undefined {
  const tolerance = numberOf(raw);
  if (tolerance === undefined || (tolerance === 0 && type !== 'numeric')) return undefined;
  if (type === 'numeric' && tolerance >= 0) return tolerance;
  bad();
  return undefined;
}

const FILE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function mediaOf(raw: unknown, bad: () => void): QuestionMedia | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined;
  const { id, kind, alt = '' } = isRecord(raw) ? raw : {};
  const isKind = kind === 'picture' || kind === 'sound';
  if (typeof id === 'string' && FILE_ID.test(id) && isKind && typeof alt === 'string') {
    const text = tidyLine(alt);
    const fits = length(text) <= LIMITS.alt && (text !== '' || kind === 'sound');
    if (fits) return { id, kind, ...(text !== '' && { alt: text }) };
  }
  bad();
  return undefined;
}

function timeLimitOf(raw: unknown, bad: () => void): number | undefined {
  const seconds = numberOf(raw);
  if (seconds === undefined || isTimeLimit(seconds)) return seconds;
  bad();
  return undefined;
}

/** The valid tags of a question or a quiz. */
export function usableTags(raw: unknown, bad: () => void): string[] | undefined {
  const tags = tagsOf(Array.isArray(raw) ? raw.filter((tag) => typeof tag === 'string') : []);
  const fitting = fittingTags(tags);
  if (fitting.length < tags.length) bad();
  return fitting.length > 0 ? fitting : undefined;
}

/** A text of several lines, cut to the limit. */
function longTextOf(raw: unknown, bad: () => void): string | undefined {
  const text = typeof raw === 'string' ? tidyText(raw) : '';
  if (text === '') return undefined;
  if (length(text) <= LIMITS.text) return text;
  bad();
  return Array.from(text).slice(0, LIMITS.text).join('').trim();
}

/** Whether a question or a round may be closed after this many seconds. */
export function isTimeLimit(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= LIMITS.timeLimitLeast && seconds <= LIMITS.timeLimitMost;
}

/** Undefined for an empty value; NaN for nonsense. */
function numberOf(raw: unknown): number | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined;
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : NaN;
  return typeof raw === 'string' ? (parseNumber(raw) ?? NaN) : NaN;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** Code points, as the server counts. */
function length(text: string): number {
  return Array.from(text).length;
}

/** One line without control characters. */
export function tidyLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

export function tidyText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}
