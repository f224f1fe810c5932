// The fields that a question has in a file, and one question checked: set right where that is safe and refused where it is
// not, by the limits of the server. Pure; used by quizfile.ts and quizcsv.ts, which read and write the fields by the table.

import type { QuestionBody, QuestionMedia } from './generated/protocol.ts';
import { hasChoices, isMarked, isNumber, isOfSeveral } from './choices.ts';
import { fold } from './fold.ts';
import { LIMITS, type QuestionKind } from './generated/limits.ts';
import { parseNumber } from './number.ts';
import { isRecord } from './storage.ts';
import { fittingTags, tagsOf } from './tags.ts';

/** Why something of a file was left out or changed; the page has the words. */
export type SkipReason =
  /** No format that is known here. */
  | 'not_a_quiz_file'
  /** Broken or cut off; `params.line` is where, 0 when that is not known. */
  | 'damaged'
  /** A file of another program, `params.kind`; as a table of questions in xlsx it could be read. */
  | 'other_file'
  /** A table whose columns have none of the known names: they are `params.columns`. */
  | 'unknown_table'
  /** A version of the format that is not read, `params.version`. */
  | 'unsupported_version'
  /** Read in the character set `params.encoding`, as it is not Unicode. */
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
  /** `params.choice` stands there more than once, and is taken once. */
  | 'same_choice'
  | 'no_answers'
  /** Too many or too long: those beyond are left out. */
  | 'bad_answers'
  | 'answer_not_a_choice'
  /** `params.key` in the column `params.column` does not say clearly which choices are right. */
  | 'unclear_key'
  /** More than one choice is right, of which any counted where the file was made. */
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
  /** Not written as the format demands. */
  | 'malformed'
  /** A part of the package that is not in it, `params.name`. */
  | 'missing_part'
  /** A part of the package that cannot be read, `params.name`; `params.line` is where, 0 when that is not known. */
  | 'broken_part'
  /** A question of the package that none of its tests has, `params.name`. */
  | 'unused_part'
  /** Choices of several lines are in the text of the question, and letters stand for them. */
  | 'choices_moved'
  /** `params.count` formulas that could not be converted. */
  | 'formula'
  /** A picture without a description has a word in its place. */
  | 'no_alt'
  /** Right answers that are worth different parts of the points count alike. */
  | 'uneven_answers'
  /** Answers worth a part of the points are left out. */
  | 'partial_answer'
  /** Answers that stand for several texts (`*`) are left out. */
  | 'wildcard_answer'
  /** Accepted numbers with margins that differ. */
  | 'several_margins'
  /** Something beside the question that is not taken, `params.what`, of `params.count` questions. */
  | 'left_out'
  /** A field that may be left out is not as it must be, and is not taken as it was. */
  | `bad_${OptionalField}`
  /** Cut at `params.max`. */
  | 'title_too_long'
  | 'too_many_rounds'
  | 'too_many_questions';

/** What a file can hold in a field: a text, several, or a value that only a check understands. */
export interface FieldKinds {
  text: string;
  list: readonly string[];
  value: unknown;
}

interface FileField {
  /** Its names in the first row of CSV; the first is written, all are read. None: a table does not hold it. */
  readonly columns: readonly string[];
  readonly kind: keyof FieldKinds;
  /** Of a field that may be left out: what is stored of it; undefined for nothing. Calls `bad` when not all of it is. */
  readonly check?: (raw: unknown, bad: () => void, type: QuestionKind) => number | string | QuestionMedia | string[] | undefined;
  /** Few quizzes have it: a table without it has no such column. */
  readonly isRare?: true;
}

/** The fields of a question by their names in JSON, in the order of the columns. */
export const FIELDS = {
  type: { columns: ['type'], kind: 'text' },
  text: { columns: ['question', 'text'], kind: 'text' },
  choices: { columns: ['choices', 'choice'], kind: 'list' },
  correctAnswers: { columns: ['answers', 'answer', 'correct'], kind: 'list' },
  /** A whole number from 0 to 1,000,000; the default is taken for another. */
  points: { columns: ['points'], kind: 'value', check: pointsOf },
  /** A number from 0, of a numeric question; none is taken for another. */
  tolerance: { columns: ['tolerance'], kind: 'value', check: toleranceOf },
  /** A picture or a sound of this account, by its id; whether the account has it, only the server knows. */
  media: { columns: [], kind: 'value', check: mediaOf },
  /** Whole seconds; none is taken for another. */
  timeLimit: { columns: ['time_limit', 'seconds'], kind: 'value', check: timeLimitOf, isRare: true },
  /** Too many and too long ones are left out. */
  tags: { columns: ['tags', 'tag'], kind: 'list', check: usableTags, isRare: true },
  /** Shown with the right answer; cut at what fits. */
  explanation: { columns: ['explanation'], kind: 'value', check: longTextOf, isRare: true },
  /** For the host alone; cut at what fits. */
  hostNote: { columns: ['host_note'], kind: 'value', check: longTextOf, isRare: true },
} as const satisfies Record<string, FileField>;

type FieldName = keyof typeof FIELDS;
type OptionalField = { [Name in FieldName]: (typeof FIELDS)[Name] extends { check: unknown } ? Name : never }[FieldName];

/** What a file says of a question, before anything is believed. */
export type RawQuestion = { readonly [Name in FieldName]: FieldKinds[(typeof FIELDS)[Name]['kind']] };

/** All fields with their names. */
export const eachField = () => Object.entries(FIELDS) as [FieldName, FileField][];

/** What a file says, field by field. */
export function rawQuestion(read: (name: FieldName, field: FileField) => unknown): RawQuestion {
  return Object.fromEntries(eachField().map(([name, field]) => [name, read(name, field)])) as RawQuestion;
}

/** A question of which a file says this much; the rest is empty. */
export function questionFrom(known: Partial<RawQuestion>): RawQuestion {
  const empty: FieldKinds = { text: '', list: [], value: undefined };
  return rawQuestion((name, { kind }) => known[name] ?? empty[kind]);
}

/** What a sentence about a reason names. */
export type Params = Readonly<Record<string, string | number>>;

/** Called for everything that is not taken as it was. */
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

/** A question that the server takes, or null when it cannot be one. */
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

/** A title of one line, cut to what fits. */
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

/** What an answer may be: the choices, and those that letters stand for, as they are written. */
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

/** The tags that fit, of a question or a quiz. */
export function usableTags(raw: unknown, bad: () => void): string[] | undefined {
  const tags = tagsOf(Array.isArray(raw) ? raw.filter((tag) => typeof tag === 'string') : []);
  const fitting = fittingTags(tags);
  if (fitting.length < tags.length) bad();
  return fitting.length > 0 ? fitting : undefined;
}

/** A text of several lines, as far as it fits. */
function longTextOf(raw: unknown, bad: () => void): string | undefined {
  const text = typeof raw === 'string' ? tidyText(raw) : '';
  if (text === '') return undefined;
  if (length(text) <= LIMITS.text) return text;
  bad();
  return Array.from(text).slice(0, LIMITS.text).join('').trim();
}

/** Whether a question or a round may be closed after so many seconds. */
export function isTimeLimit(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= LIMITS.timeLimitLeast && seconds <= LIMITS.timeLimitMost;
}

/** Undefined where nothing is said; not a number where nonsense is. */
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
