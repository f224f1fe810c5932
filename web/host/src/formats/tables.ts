// Tables of questions that have a column for each choice, as a sheet or as CSV: the templates of Kahoot, Quizizz, Blooket and
// Gimkit, and tables of people's own. Finds the row with the names of the columns; tablequestions.ts reads those below it.
// Used by formats.ts, kahoot.ts and ownsheets.ts.

import type { TableRow } from '$sdk/quizcsv.ts';

import { type Columns, columnsOf, plainName, templateOf } from './columns.ts';
import { isNumbers, type KeyStyle } from './keycells.ts';
import type { SheetRows } from './sheets.ts';
import type { Source } from './source.ts';
import { isFilled, keyCell } from './tablequestions.ts';

/** Programs whose tables are known. */
export type TableMaker = 'Kahoot' | 'Kahoot report' | 'Quizizz' | 'Blooket' | 'Gimkit' | 'Quizlet';

/** A table whose columns are known. */
export interface Layout {
  /** The program that made it; null for any other. */
  readonly maker: TableMaker | null;
  /** The name of its sheet. */
  readonly sheet: string;
  /** The names of the columns. */
  readonly head: TableRow;
  /** The rows below. */
  readonly rows: readonly TableRow[];
  readonly columns: Columns;
  /** The kind of its key, if the program requires one. */
  readonly style?: KeyStyle;
}

/** The number of rows that are searched for the names of the columns: a title and instructions may precede them. */
const HEADER_ROWS = 30;

/** The programs by names that only their tables contain, the least specific last. */
const MAKERS: readonly (readonly [maker: TableMaker, names: readonly string[], style?: KeyStyle])[] = [
  ['Kahoot report', ['question number', 'correct answers', 'time allotted to answer', 'player'], 'texts'],
  ['Quizizz', ['question text', 'question type', 'option 1', 'correct answer'], 'numbers'],
  ['Blooket', ['question #', 'question text', 'answer 1', 'time limit', 'correct answer'], 'numbers'],
  ['Gimkit', ['question', 'correct answer', 'incorrect answer 1']],
  ['Kahoot', ['question', 'answer 1', 'answer 2', 'time limit', 'correct answer'], 'numbers'],
  ['Quizlet', ['term', 'definition']],
];

/** The first table whose columns are known; undefined when there is none. */
export function layoutOf(source: Source): Layout | undefined {
  for (const table of source.tables) {
    const layout = layoutIn(table);
    if (layout) return layout;
  }
  return undefined;
}

function layoutIn({ name, rows }: SheetRows): Layout | undefined {
  for (const [at, head] of rows.slice(0, HEADER_ROWS).entries()) {
    const below = { sheet: name, head, rows: rows.slice(at + 1) };
    const columns = columnsOf(head.cells);
    if (columns) return isQuestions(below.rows, columns) ? { ...below, columns, ...makerOf(head, columns) } : undefined;
    const template = templateOf(head.cells);
    if (template) return isTemplate(below.rows, template) ? { ...below, columns: template, maker: 'Kahoot', style: 'numbers' } : undefined;
  }
  return undefined;
}

function makerOf({ cells }: TableRow, columns: Columns): Pick<Layout, 'maker' | 'style'> {
  const names = new Set(cells.map(plainName));
  const [maker = null, , style] = MAKERS.find(([, each]) => each.every((name) => names.has(name))) ?? [];
  // These are Kahoot's own names only with their length limits, because many tables have such names.
  const isKahoot = columns.choices.every((at) => /\d\D+\d{2,3}/.test(cells[at] ?? ''));
  return maker === 'Kahoot' && !isKahoot ? { maker: null } : { maker, ...(style && { style }) };
}

/** Whether the column of the question holds texts: one of numbers counts the questions. */
function isQuestions(rows: readonly TableRow[], { roles }: Columns): boolean {
  const column = roles.get('question') ?? -1;
  const asked = rows.filter(({ cells }) => (cells[column] ?? '').trim() !== '');
  return asked.length === 0 || asked.some(({ cells }) => !/^[\d\s.,]+$/.test(cells[column] ?? ''));
}

/** Whether each row has a question in words, a time and the numbers of choices, so that the columns are what they seem to be. */
function isTemplate(rows: readonly TableRow[], columns: Columns): boolean {
  const [question = -1, time = -1, key = -1] = (['question', 'time', 'key'] as const).map((role) => columns.roles.get(role));
  const filled = rows.filter((row) => isFilled(row, columns));
  return filled.every((row) => {
    const [asked = '', seconds = '', right = ''] = [question, time, key].map((column) => row.cells[column] ?? '');
    const isKey = right.trim() === '' || isNumbers(keyCell(row, columns, []));
    return (asked === '' || /\p{L}/u.test(asked)) && /^\d{0,3}$/.test(seconds.trim()) && isKey;
  });
}
