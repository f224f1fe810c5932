// A quiz as a table, in both directions (docs/host/quiz-csv.md): CSV here, and the sheet of a spreadsheet in the pages. Pure; used by
// quizfile.ts and the host page's formats.

import { harmless, writeCsv } from './csv.ts';
import type { QuestionBody, QuizBody } from './generated/protocol.ts';
import { exactly, readNumbers } from './number.ts';
import { eachField, type FieldKinds, FIELDS, type RawQuestion, rawQuestion, type SkipReason } from './quizcheck.ts';
import type { Remark } from './quizrounds.ts';

/** The columns by their names, in the order of export. */
const columns = (): (readonly string[])[] => [['round'], ...eachColumn().map(([, field]) => field.columns)];

/** The fields that a table has. */
const eachColumn = () => eachField().filter(([, field]) => field.columns.length > 0);

/** How a cell represents a field, in both directions. */
const CELLS: { readonly [Kind in keyof FieldKinds]: Cell<FieldKinds[Kind]> } = {
  text: { read: (cell) => cell, write: (text) => text },
  list: { read: split, write: join },
  value: { read: (cell) => cell.trim(), write: String },
};

interface Cell<Value> {
  readonly read: (cell: string) => Value;
  readonly write: (value: Value) => string;
}

/** A row of a table with its place in the file, from 1. */
export interface TableRow {
  readonly at: number;
  readonly cells: readonly string[];
  /** The numbers in cells, by column; null if such a cell shows something else, such as a date. */
  readonly numbers?: ReadonlyMap<number, number | null>;
  /** The columns of cells that exist but cannot be read. */
  readonly unread?: ReadonlySet<number>;
}

/** A question of a table, with its place, and the cell that names its round. */
export interface TableQuestion {
  readonly at: number;
  readonly round: string;
  readonly raw: RawQuestion;
  readonly remarks: readonly Remark[];
}

/** The meaning of the header row, and the questions below it. */
export interface QuizTable {
  readonly problems: readonly { readonly reason: SkipReason; readonly column: string }[];
  readonly questions: readonly TableQuestion[];
}

/** Reads the rows below the header. Null when the first row is not a header. */
export function readQuizTable([head, ...rows]: readonly TableRow[]): QuizTable | null {
  const names = (head?.cells ?? []).map((cell) => columnOf(cell));
  const needed = [FIELDS.text.columns[0], FIELDS.correctAnswers.columns[0]];
  const missing = needed.filter((column) => !names.includes(column));
  if (missing.length === needed.length) return null;
  const unknown = (head?.cells ?? []).filter((cell, at) => cell.trim() !== '' && names[at] === undefined);
  const problems = [
    ...missing.map((column) => ({ reason: 'missing_column' as const, column })),
    ...unknown.map((cell) => ({ reason: 'unknown_column' as const, column: cell.trim().slice(0, 40) })),
  ];
  if (missing.length > 0) return { problems, questions: [] };
  return { problems, questions: rows.map((row) => questionOf(row, names)) };
}

/** The name by which a column is written. */
function columnOf(cell: string): string | undefined {
  const name = cell.trim().toLowerCase();
  return columns().find((names) => names.includes(name))?.[0];
}

function questionOf(row: TableRow, names: readonly (string | undefined)[]): TableQuestion {
  const place = (column?: string) => (column === undefined ? -1 : names.indexOf(column));
  const raw = rawQuestion((_, { columns, kind }) => CELLS[kind].read(cellText(row, place(columns[0]), kind === 'value')));
  const answers = place(FIELDS.correctAnswers.columns[0]);
  const isNumeric = /^(?:numeric|number|nearest)$/i.test(raw.type.trim()) && row.numbers?.has(answers) === true;
  const correctAnswers = isNumeric ? [spelled(row, answers)] : raw.correctAnswers;
  const used = names.flatMap((name, at) => (name === undefined ? [] : [at]));
  return { at: row.at, round: cellText(row, place('round')).trim(), raw: { ...raw, correctAnswers }, remarks: unreadCells(row, used, true) };
}

/** The text of a cell; if only a number makes sense, that of the number and not of its format. */
export function cellText({ cells, numbers }: TableRow, column: number, isNumber = false): string {
  const number = isNumber ? numbers?.get(column) : undefined;
  return typeof number === 'number' ? String(number) : (cells[column] ?? '');
}

/** An accepted number as its cell shows it, so that it has one reading. */
function spelled({ cells, numbers }: TableRow, column: number): string {
  const text = cells[column] ?? '';
  const number = numbers?.get(column);
  if (typeof number !== 'number') return text;
  const [nearest] = readNumbers(text).sort((a, b) => Math.abs(a - number) - Math.abs(b - number));
  return nearest === undefined ? text : exactly(nearest);
}

/** The remarks about cells in these columns that cannot be read; `dropped` when the question is useless without them. */
export function unreadCells({ at, unread }: TableRow, used: readonly number[], dropped: boolean): Remark[] {
  const lost = used.filter((column) => unread?.has(column));
  return lost.map((column) => ({ reason: 'unread_cell', params: { cell: `${columnLetters(column)}${String(at)}` }, dropped }));
}

/** The name of a column in spreadsheets, from 0: `A`, `Z`, `AA`. */
export function columnLetters(column: number): string {
  const before = column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1);
  return before + String.fromCharCode(65 + (column % 26));
}

/** The title in a round's cell: `2`, `2: Music` or `Music`. */
export function roundTitle(cell: string): string {
  const numbered = /^\d+\s*(?:[:.)]\s*([^]*))?$/.exec(cell);
  return numbered ? (numbered[1] ?? '') : cell;
}

/** Splits at `|`; a backslash removes the meaning of the next character. */
function split(cell: string): string[] {
  const parts = cell.match(/(?:^|\|)(?:\\[^]|[^|\\]|\\$)*/g) ?? [];
  return parts.map((part) => part.replace(/^\|/, '').replace(/\\([|\\])/g, '$1'));
}

function join(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[|\\]/g, '\\$&')).join('|');
}

/** The quiz as CSV; its own title is not in it. */
export function writeQuizCsv(quiz: QuizBody): string {
  const [head = [], ...rows] = writeQuizTable(quiz);
  return writeCsv([head, ...rows.map((row) => row.map(harmless))]);
}

/** The quiz as rows, the names of the columns first. A spreadsheet may run some of the cells unless they are marked as text. */
export function writeQuizTable(quiz: QuizBody): (readonly string[])[] {
  const questions = quiz.rounds.flatMap((round) => round.questions);
  const fields = eachField().filter(([name, { columns, isRare }]) => columns.length > 0 && (!isRare || questions.some((question) => question[name] !== undefined)));
  const rows = quiz.rounds.flatMap((round, at) => {
    const name = round.title === '' ? String(at + 1) : `${String(at + 1)}: ${round.title}`;
    return round.questions.map((question) => rowOf(name, question, fields));
  });
  return [['round', ...fields.map(([, { columns }]) => columns[0] ?? '')], ...rows];
}

function rowOf(round: string, question: QuestionBody, fields: ReturnType<typeof eachField>): string[] {
  const cells = fields.map(([name, { kind }]) => {
    const value: unknown = question[name];
    return value === undefined ? '' : (CELLS[kind] as Cell<unknown>).write(value);
  });
  return [round, ...cells];
}
