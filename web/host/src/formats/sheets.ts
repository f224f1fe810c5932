// Reads the sheets of a spreadsheet (xlsx) as rows of texts, as the cells show them. Only values are read: a formula counts by the value
// stored in the file. A cell that cannot be read is reported. Used by source.ts; xlsx.ts writes the format.

import type { TableRow } from '$sdk/quizcsv.ts';

import { type Formats, formatsOf, serialOf, shownAs } from './cellformat.ts';
import { child, children, textBelow } from './elements.ts';
import { Workbook } from './workbook.ts';
import type { Zip } from './zip.ts';

/** Rows and columns beyond this are not read: it is more than any quiz has. */
const MOST_ROWS = 20_000;
const MOST_COLUMNS = 256;

/** A sheet with its non-empty rows. */
export interface SheetRows {
  readonly name: string;
  readonly rows: TableRow[];
}

/** The parts to which cells refer. */
interface Book {
  readonly strings: readonly string[];
  readonly formats: Formats;
  readonly isFrom1904: boolean;
}

/** A cell; null when it cannot be read. */
interface Cell {
  readonly text: string;
  /** The number in a cell; null where it shows something else, such as a date. */
  readonly number?: number | null;
}

/** The sheets in the order of the workbook; null when the archive is no spreadsheet. Throws `Damaged`. */
export function sheetsOf(zip: Zip): SheetRows[] | null {
  const workbook = Workbook.find(zip);
  if (workbook === null) return null;
  const strings = workbook.part('sharedStrings');
  const book = {
    strings: strings ? children(strings, 'si').map(stringOf) : [],
    formats: formatsOf(workbook.part('styles')),
    isFrom1904: workbook.isFrom1904,
  };
  return workbook.sheets.map(({ name, root }) => ({ name, rows: rowsOf(root, book) }));
}

function rowsOf(sheet: Element, book: Book): TableRow[] {
  const data = child(sheet, 'sheetData');
  const rows = data ? children(data, 'row').slice(0, MOST_ROWS) : [];
  return rows
    .map((row, at) => rowOf(row, Number(row.getAttribute('r') ?? at + 1), book))
    .filter(({ cells, unread }) => cells.some((cell) => cell.trim() !== '') || (unread?.size ?? 0) > 0);
}

function rowOf(row: Element, at: number, book: Book): TableRow {
  const cells: string[] = [];
  const numbers = new Map<number, number | null>();
  const unread = new Set<number>();
  for (const element of children(row, 'c')) {
    const column = columnOf(element.getAttribute('r')) ?? cells.length;
    if (column >= MOST_COLUMNS) break;
    while (cells.length < column) cells.push('');
    const cell = cellOf(element, book);
    cells[column] = cell?.text ?? '';
    if (cell === null) unread.add(column);
    if (cell?.number !== undefined) numbers.set(column, cell.number);
  }
  return { at, cells, numbers, unread };
}

/** The column in a cell's name: `B7` is in 1. */
function columnOf(name: string | null): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(name ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellOf(cell: Element, book: Book): Cell | null {
  const value = textBelow(cell, 'v');
  // A formula without a value in the file.
  if (value === '' && child(cell, 'f') && cell.getAttribute('t') !== 'str') return null;
  switch (cell.getAttribute('t')) {
    case 's':
      return textCell(value === '' ? '' : book.strings[Number(value)]);
    case 'inlineStr':
      return textCell(stringOf(child(cell, 'is') ?? cell));
    case 'str':
      return textCell(unescaped(child(cell, 'v')?.textContent ?? ''));
    case 'b':
      return textCell(value === '1' ? 'True' : 'False');
    case 'd':
      return numberCell(cell, serialOf(value, book.isFrom1904), book);
    case 'e':
      return null;
    default:
      if (value === '') return { text: '' };
      return numberCell(cell, Number(value), book);
  }
}

const textCell = (text: string | undefined): Cell | null => (text === undefined ? null : { text });

function numberCell(cell: Element, value: number, { formats, isFrom1904 }: Book): Cell | null {
  if (!Number.isFinite(value)) return null;
  const shown = shownAs(value, formats[Number(cell.getAttribute('s') ?? 0)] ?? 'General', isFrom1904);
  return shown && { text: shown.text, number: shown.isNumber ? value : null };
}

/** Text and runs of text, without the reading aids of Japanese. */
function stringOf(string: Element): string {
  const parts = children(string).flatMap((part) => {
    if (part.localName === 't') return [part.textContent];
    return part.localName === 'r' ? [child(part, 't')?.textContent ?? ''] : [];
  });
  return unescaped(parts.join(''));
}

/** Control characters are written as `_x000D_`. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
