// Spreadsheets and CSV as quizzes: a table of our own columns (docs/host/quiz-csv.md), or one with a column for each choice. A table
// that is neither is refused with the names of its columns. Used by formats.ts.

import type { QuizFile } from '$sdk';
import { readQuizTable } from '$sdk/quizcsv.ts';
import { readTableQuiz } from '$sdk/quizfile.ts';
import { nothing, wholeRemark } from '$sdk/quizrounds.ts';

import { hasChoiceColumns } from './columns.ts';
import { reportTable } from './kahoot.ts';
import type { SheetRows } from './sheets.ts';
import type { Source } from './source.ts';
import { readLayout, unreadSheets } from './tablequestions.ts';
import { layoutOf, type TableMaker } from './tables.ts';

/** Programs whose tables are recognised, in the order in which a file picker names them. */
export const TABLE_MAKERS: readonly TableMaker[] = ['Kahoot', 'Kahoot report', 'Quizizz', 'Blooket', 'Gimkit', 'Quizlet'];

/** The most names of columns that a sentence repeats, and the most characters of them. */
const NAMED = 5;
const LONGEST_NAMES = 120;

/** Whether a table was made by this program. */
export function isMadeBy(maker: TableMaker): (source: Source) => boolean {
  return (source) => ownTable(source) === undefined && layoutOf(source)?.maker === maker;
}

/** Whether a text is a table of questions. */
export function isTextTable(source: Source): boolean {
  return source.sheets === null && (ownTable(source) !== undefined || layoutOf(source) !== undefined || isPartOfOwn(source));
}

/** Reads the first table that has questions. */
export function readTables(source: Source): QuizFile {
  const { tables, title } = source;
  const own = ownTable(source);
  const layout = own ? undefined : layoutOf(source);
  if (layout) {
    const isReport = layout.maker === 'Kahoot report';
    return readLayout(isReport ? reportTable(layout) : layout, title, isReport ? [] : othersThan(layout.sheet, tables));
  }
  const table = own ?? tables.find(isPart);
  if (!table) return unknownTable(tables);
  const read = readTableQuiz(table.rows, title);
  return { ...read, skipped: [...unreadSheets(othersThan(table.name, tables)).map((remark) => wholeRemark(remark)), ...read.skipped] };
}

/** Whether a text of an unknown format is a table: each of its rows has the same number of cells. */
export function isUnknownTable({ tables: [table] }: Source): boolean {
  const widths = (table?.rows ?? []).map(({ cells }) => cells.length);
  return widths.length >= 2 && (widths[0] ?? 0) >= 2 && widths.every((width) => width === widths[0]);
}

/** The refusal of tables whose columns are unknown. */
export function unknownTable(tables: readonly SheetRows[]): QuizFile {
  const [head] = tables.find(({ rows }) => rows.length > 0)?.rows ?? [];
  const names = (head?.cells ?? []).map((cell) => cell.replace(/\s+/g, ' ').trim()).filter((name) => name !== '');
  if (names.length === 0) return nothing('no_questions');
  return nothing('unknown_table', { columns: `${names.slice(0, NAMED).join(', ').slice(0, LONGEST_NAMES)}${names.length > NAMED ? ', …' : ''}` });
}

/** The first table with our own columns. A table that also has a column for each choice is not one of them. */
function ownTable({ tables }: Source): SheetRows | undefined {
  return tables.find((table) => {
    const read = isPart(table) ? readQuizTable(table.rows) : null;
    return read !== null && read.problems.every(({ reason }) => reason !== 'missing_column');
  });
}

/** A table with one of our two required columns, so that the missing column can be named. */
function isPart({ rows }: SheetRows): boolean {
  return readQuizTable(rows.slice(0, 1)) !== null && !hasChoiceColumns(rows[0]?.cells ?? []);
}

const isPartOfOwn = ({ tables }: Source): boolean => tables.some(isPart);

function othersThan(name: string, tables: readonly SheetRows[]): string[] {
  return tables.filter((table) => table.name !== name && table.rows.length > 0).map((table) => table.name);
}
