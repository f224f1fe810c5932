// Spreadsheets as other programs write them, for tests only: cells with numbers, formats, formulas and errors, and packages whose
// parts stand anywhere.

import { zipped } from './zip.ts';

/** A cell: a text, a number, a number with its format, or the inside of an element with its attributes. */
export type TestCell = string | number | readonly [value: number, format: string | number] | { readonly raw: string };

interface Options {
  readonly date1904?: boolean;
  /** Changes the names and the contents of the parts. */
  readonly change?: (files: Record<string, string>) => Record<string, string>;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const FIRST_OWN = 164;

/** The workbook with one sheet of these rows. */
export function testBook(rows: readonly (readonly TestCell[])[], { date1904 = false, change = (files) => files }: Options = {}): Uint8Array {
  const formats: (string | number)[] = ['General'];
  const styleOf = (format: string | number): number => (formats.includes(format) ? formats.indexOf(format) : formats.push(format) - 1);
  const data = rows.map((cells, at) => `<row r="${String(at + 1)}">${cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${String(at + 1)}`, styleOf)).join('')}</row>`);
  const own = formats.flatMap((code, at) => (typeof code === 'string' ? [`<numFmt numFmtId="${String(FIRST_OWN + at)}" formatCode="${xml(code)}"/>`] : []));
  const xfs = formats.map((code, at) => `<xf numFmtId="${String(typeof code === 'string' ? FIRST_OWN + at : code)}"/>`);
  const files = change({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr date1904="${String(Number(date1904))}"/><sheets><sheet name="Quiz" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${MAIN}><numFmts>${own.join('')}</numFmts><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData>${data.join('')}</sheetData></worksheet>`,
  });
  return zipped(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])));
}

function cellXml(cell: TestCell, name: string, styleOf: (format: string | number) => number): string {
  if (cell === '') return '';
  if (typeof cell === 'string') return `<c r="${name}" t="inlineStr"><is><t xml:space="preserve">${xml(cell)}</t></is></c>`;
  if (typeof cell === 'number') return `<c r="${name}"><v>${String(cell)}</v></c>`;
  if ('raw' in cell) return `<c r="${name}" ${cell.raw}</c>`;
  return `<c r="${name}" s="${String(styleOf(cell[1]))}"><v>${String(cell[0])}</v></c>`;
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
