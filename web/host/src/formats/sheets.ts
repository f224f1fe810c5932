// The sheets of a spreadsheet (xlsx) as rows of texts. Reads values only: formulas count by the value that the file keeps for
// them. Used by source.ts; xlsx.ts writes the format.

import type { TableRow } from '$sdk/quizcsv.ts';

import { Damaged } from './damaged.ts';
import { child, children, descendants, rootOf, textBelow } from './elements.ts';
import { exactly } from './keys.ts';
import type { Zip } from './zip.ts';

/** What is beyond is not read: more than any quiz has. */
const MOST_ROWS = 20_000;
const MOST_COLUMNS = 256;

const WORKBOOK = 'xl/workbook.xml';
const LINKS = 'xl/_rels/workbook.xml.rels';
const STRINGS = 'xl/sharedStrings.xml';

/** Whether the archive is a spreadsheet. */
export const hasSheets = (zip: Zip): boolean => zip.names.includes(WORKBOOK);

/** The rows of each sheet that have something in them, in the order of the workbook. Throws `Damaged`. */
export function sheetsOf(zip: Zip): TableRow[][] {
  const targets = new Map(
    children(rootIn(zip, LINKS)).map((link) => [link.getAttribute('Id'), link.getAttribute('Target') ?? '']),
  );
  const strings = zip.names.includes(STRINGS) ? children(rootIn(zip, STRINGS), 'si').map(stringOf) : [];
  return descendants(rootIn(zip, WORKBOOK), 'sheet').flatMap((sheet) => {
    const link = [...sheet.attributes].find(({ localName, name }) => localName === 'id' && name !== 'id');
    const target = targets.get(link?.value ?? '');
    const path = target?.startsWith('/') ? target.slice(1) : `xl/${target ?? ''}`;
    // Sheets of charts have no rows.
    return path.includes('worksheets/') ? [rowsOf(rootIn(zip, path), strings)] : [];
  });
}

function rootIn(zip: Zip, name: string): Element {
  const content = zip.read(name);
  if (!content) throw new Damaged();
  return rootOf(new TextDecoder().decode(content));
}

function rowsOf(sheet: Element, strings: readonly string[]): TableRow[] {
  const data = child(sheet, 'sheetData');
  const rows = data ? children(data, 'row').slice(0, MOST_ROWS) : [];
  return rows
    .map((row, at) => ({ at: Number(row.getAttribute('r') ?? at + 1), cells: cellsOf(row, strings) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function cellsOf(row: Element, strings: readonly string[]): string[] {
  const cells: string[] = [];
  for (const cell of children(row, 'c')) {
    const column = columnOf(cell.getAttribute('r')) ?? cells.length;
    if (column >= MOST_COLUMNS) break;
    while (cells.length < column) cells.push('');
    cells[column] = valueOf(cell, strings);
  }
  return cells;
}

/** The column of a cell's name: `B7` is in 1. */
function columnOf(name: string | null): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(name ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function valueOf(cell: Element, strings: readonly string[]): string {
  const value = textBelow(cell, 'v');
  switch (cell.getAttribute('t')) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'inlineStr':
      return stringOf(child(cell, 'is') ?? cell);
    case 'str':
      return unescaped(child(cell, 'v')?.textContent ?? '');
    case 'b':
      return value === '1' ? 'True' : 'False';
    case 'e':
      return '';
    default:
      return value !== '' && Number.isFinite(Number(value)) ? exactly(Number(value)) : value;
  }
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
