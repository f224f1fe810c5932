// A quiz as a table, both ways (docs/quiz-csv.md): CSV here, and the sheet of a spreadsheet in the pages. Pure; used by
// quizfile.ts and the host page's formats.

import { harmless, writeCsv } from './csv.ts';
import type { QuestionBody, QuizBody } from './generated/protocol.ts';
import { eachField, type FieldKinds, FIELDS, type RawQuestion, rawQuestion, type SkipReason } from './quizcheck.ts';

/** The columns by their names, in the order of export. */
const columns = (): (readonly string[])[] => [['round'], ...eachColumn().map(([, field]) => field.columns)];

/** The fields that a table holds. */
const eachColumn = () => eachField().filter(([, field]) => field.columns.length > 0);

/** How a cell holds a field, both ways. */
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
}

/** A question of a table, with its place, and the cell that says which round it is in. */
export interface TableQuestion {
  readonly at: number;
  readonly round: string;
  readonly raw: RawQuestion;
}

/** What the header row means, and the questions below it. */
export interface QuizTable {
  readonly problems: readonly { readonly reason: SkipReason; readonly column: string }[];
  readonly questions: readonly TableQuestion[];
}

/** Reads the rows below the header. Null when the first row is no header at all. */
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

function questionOf({ at, cells }: TableRow, names: readonly (string | undefined)[]): TableQuestion {
  const cell = (column?: string) => (column === undefined ? '' : (cells[names.indexOf(column)] ?? ''));
  const raw = rawQuestion((_, { columns, kind }) => CELLS[kind].read(cell(columns[0])));
  return { at, round: cell('round').trim(), raw };
}

/** The title in a round's cell: `2`, `2: Music` or `Music`. */
export function roundTitle(cell: string): string {
  const numbered = /^\d+\s*(?:[:.)]\s*([^]*))?$/.exec(cell);
  return numbered ? (numbered[1] ?? '') : cell;
}

/** Parts at `|`; a backslash takes the meaning of what follows. */
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
