// The questions of a table that has a column for each choice, row by row: the text, the choices, which are right, the seconds and
// the other columns. Nothing is guessed: an unclear row is left out and reported with its place. Used by tables.ts.

import { cellText, columnLetters, roundTitle, type TableRow, unreadCells } from '$sdk/quizcsv.ts';
import type { RawQuestion } from '$sdk/quizcheck.ts';
import type { QuizFile, Remark } from '$sdk/quizrounds.ts';

import { type Columns, plainName, type Role } from './columns.ts';
import { type KeyCell, rightChoices } from './keycells.ts';
import { inOrder } from './keys.ts';
import { type Found, type Kind, quizOf, unsupported } from './readquiz.ts';
import type { Layout } from './tables.ts';

/** The names of question types in such tables that differ from our own names. */
const TYPES: Readonly<Record<string, string>> = {
  mc: 'multiple_choice',
  quiz: 'multiple_choice',
  'single choice': 'multiple_choice',
  'single select': 'multiple_choice',
  checkbox: 'multi_select',
  'multiple select': 'multi_select',
  'multiple response': 'multi_select',
  'multiple answers': 'multi_select',
  'multi select quiz': 'multi_select',
  tf: 'true_false',
  boolean: 'true_false',
  'true or false': 'true_false',
  'fill in the blank': 'text',
  'fill in the blanks': 'text',
  'short answer': 'text',
  'type answer': 'text',
  'type the answer': 'text',
  survey: 'poll',
  opinion: 'poll',
};

/** The types that cannot be played. */
const UNPLAYED: Readonly<Record<string, Kind>> = {
  'open ended': 'essay',
  essay: 'essay',
  paragraph: 'essay',
  reorder: 'ordering',
  ordering: 'ordering',
  puzzle: 'ordering',
  jumble: 'ordering',
  match: 'matching',
  matching: 'matching',
  slide: 'information',
  'drop pin': 'picture',
  hotspot: 'picture',
  labeling: 'picture',
};

/** A row with its key. */
interface Asked {
  readonly row: TableRow;
  readonly layout: Layout;
  /** The right choices, from 0; null where they are unclear. */
  readonly right: readonly number[] | null;
}

/** Whether a row contains more than a number at its beginning. */
export function isFilled({ cells }: TableRow, { roles, choices, wrong }: Columns): boolean {
  const columns = [roles.get('question'), ...choices, ...wrong];
  return columns.some((column) => column !== undefined && (cells[column] ?? '').trim() !== '');
}

/** The cell of the key, with the choices that it may name. */
export function keyCell({ cells, numbers }: TableRow, { roles, choices }: Columns, head: readonly string[]): KeyCell {
  const column = roles.get('key') ?? -1;
  const number = numbers?.get(column);
  return {
    text: cells[column] ?? '',
    ...(number !== undefined && { number }),
    offered: choices.map((at) => (cells[at] ?? '').trim()),
    names: choices.map((at) => plainName(head[at] ?? '')),
  };
}

/** Reads the rows. `others` are the sheets that are not read. */
export function readLayout(layout: Layout, title: string, others: readonly string[]): QuizFile {
  const rows = layout.rows.filter((row) => isFilled(row, layout.columns));
  const keys = rightChoices(rows.map((row) => keyCell(row, layout.columns, layout.head.cells)), layout.style);
  let round = '';
  const found = rows.map((row, at) => {
    round = roundTitle(textOf(row, layout, 'round')) || round;
    return questionOf({ row, layout, right: keys[at] ?? null }, round);
  });
  return quizOf(title, found, [...unreadSheets(others), ...unknownColumns(layout, rows)]);
}

/** The remark about further sheets, with as many names as fit in a line. */
export function unreadSheets(names: readonly string[]): Remark[] {
  return names.length === 0 ? [] : [{ reason: 'unread_sheets', params: { sheets: names.join(', ').slice(0, 120) }, dropped: true }];
}

function unknownColumns({ head, columns: { unknown, roles, choices, wrong } }: Layout, rows: readonly TableRow[]): Remark[] {
  const known = new Set([...unknown, ...roles.values(), ...choices, ...wrong]);
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const nameless = Array.from({ length: width }, (_, at) => at).filter((at) => {
    return !known.has(at) && (head.cells[at] ?? '').trim() === '' && !isCount(rows, at);
  });
  const filled = [...unknown, ...nameless].filter((at) => rows.some(({ cells }) => (cells[at] ?? '').trim() !== ''));
  return filled.map((at) => {
    const column = (head.cells[at] ?? '').trim() || columnLetters(at);
    return { reason: 'unknown_column', params: { column: column.slice(0, 40) }, dropped: true };
  });
}

/** Whether a column without a name only counts the questions. */
function isCount(rows: readonly TableRow[], column: number): boolean {
  const numbers = rows.map(({ cells }) => Number((cells[column] ?? '').replace(/[.)]$/, '')));
  return numbers.every((number, at) => Number.isInteger(number) && (at === 0 || number > (numbers[at - 1] ?? 0)));
}

function questionOf(asked: Asked, round: string): Found {
  const { row, layout } = asked;
  const { roles, choices, wrong } = layout.columns;
  const type = plainType(textOf(row, layout, 'type'));
  const kind = Object.hasOwn(UNPLAYED, type) ? UNPLAYED[type] : undefined;
  const picture = textOf(row, layout, 'picture') === '' ? 0 : 1;
  const needed = [...choices, ...wrong, ...(['question', 'key', 'type'] as const).flatMap((role) => roles.get(role) ?? [])];
  const others = [...roles.values()].filter((column) => !needed.includes(column));
  const key = kind === undefined ? keyOf(asked, TYPES[type] ?? textOf(row, layout, 'type')) : { raw: {}, remarks: [unsupported(kind)] };
  const remarks = [...unreadCells(row, needed, true), ...unreadCells(row, others, false), ...key.remarks];
  const lost = layout.maker === 'Kahoot report' ? (['players'] as const) : [];
  return { at: row.at, round, raw: { ...besideKey(asked), ...key.raw }, remarks, media: picture, beside: lost };
}

const plainType = (type: string): string => type.toLowerCase().replace(/[\s/_-]+/g, ' ').trim();

/** The question, and the values of columns other than choices and key. */
function besideKey({ row, layout }: Asked): Partial<RawQuestion> {
  const list = textOf(row, layout, 'tags');
  return {
    text: textOf(row, layout, 'question'),
    timeLimit: secondsOf(textOf(row, layout, 'time', true)),
    points: textOf(row, layout, 'points', true),
    tolerance: textOf(row, layout, 'tolerance', true),
    explanation: textOf(row, layout, 'explanation'),
    hostNote: textOf(row, layout, 'note'),
    tags: list === '' ? [] : list.split(/[|,]/),
  };
}

function textOf(row: TableRow, { columns }: Layout, role: Role, isNumber = false): string {
  const column = columns.roles.get(role);
  return column === undefined ? '' : cellText(row, column, isNumber).trim();
}

/** `30` and `30 sec` are seconds. */
const secondsOf = (text: string): string => /^(\d+)\s*(?:s|secs?|seconds?|sek|sekunden|segundos?|secondes?)\.?$/i.exec(text)?.[1] ?? text;

interface Key {
  readonly raw: Partial<RawQuestion>;
  readonly remarks: readonly Remark[];
}

function keyOf(asked: Asked, type: string): Key {
  const { row, layout } = asked;
  const { choices, wrong } = layout.columns;
  const key = textOf(row, layout, 'key');
  const offered = choices.map((at) => (row.cells[at] ?? '').trim());
  const others = wrong.map((at) => (row.cells[at] ?? '').trim()).filter((text) => text !== '');
  if (type === 'poll') return { raw: { type, choices: offered, correctAnswers: [] }, remarks: [] };
  if (others.length > 0) return { raw: { type, choices: inOrder([key, ...others]), correctAnswers: [key] }, remarks: [] };
  if (offered.every((text) => text === '')) return { raw: { type, correctAnswers: key.split('|') }, remarks: [] };
  const isKeyless = key === '' && !row.numbers?.has(layout.columns.roles.get('key') ?? -1);
  if (type === 'text' && isKeyless) return { raw: { type, correctAnswers: offered }, remarks: [] };
  if (isKeyless) return { raw: { type, choices: offered }, remarks: [] };
  return ofChoices(asked, type, offered);
}

function ofChoices({ row, layout, right }: Asked, type: string, offered: readonly string[]): Key {
  const correctAnswers = (right ?? []).map((at) => offered[at] ?? '');
  if (right === null) {
    const column = (layout.head.cells[layout.columns.roles.get('key') ?? -1] ?? '').trim();
    const params = { key: textOf(row, layout, 'key').slice(0, 40), column: column.slice(0, 40) };
    return { raw: { choices: offered }, remarks: [{ reason: 'unclear_key', params, dropped: true }] };
  }
  if (type === 'text') return { raw: { type, correctAnswers }, remarks: [] };
  const isSeveral = right.length > 1 && type !== 'multi_select';
  const remarks: Remark[] = isSeveral ? [{ reason: 'all_of_several', params: {}, dropped: false }] : [];
  return { raw: { type: isSeveral ? 'multi_select' : type, choices: offered, correctAnswers }, remarks };
}
