// Writes spreadsheets (xlsx): sheets of texts and numbers with a first row that stays in view. There is no formula and no
// macro in them: every text is an inline string. Used by export.ts and the results page; sheets.ts reads the format.

import { zipped } from './zip.ts';

/** A sheet; the first row names the columns. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly (string | number)[])[];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The most characters of a sheet's name. */
const LONGEST_NAME = 31;

/** Styles by their index: the first row, and cells. Cells are texts that wrap, so that nothing typed becomes a date. */
const [BOLD, CELL] = [1, 2];
const STYLES = `<styleSheet ${MAIN}>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/>
<xf numFmtId="49" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

/** The workbook of these sheets. */
export function workbook(sheets: readonly Sheet[]): Uint8Array {
  const numbered = sheets.map((sheet, at) => ({ ...sheet, id: String(at + 1) }));
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/>
${numbered.map(({ id }) => `<Override PartName="/xl/worksheets/sheet${id}.xml" ContentType="${KIND}.worksheet+xml"/>`).join('\n')}
</Types>`,
    '_rels/.rels': links([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': links([
      ...numbered.map(({ id }) => [`rId${id}`, 'worksheet', `worksheets/sheet${id}.xml`] as const),
      ['styles', 'styles', 'styles.xml'],
    ]),
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>
${numbered.map(({ name, id }) => `<sheet name="${xml(sheetName(name))}" sheetId="${id}" r:id="rId${id}"/>`).join('\n')}
</sheets></workbook>`,
    'xl/styles.xml': STYLES,
    ...Object.fromEntries(numbered.map(({ id, rows }) => [`xl/worksheets/sheet${id}.xml`, sheetXml(rows)])),
  };
  const encoder = new TextEncoder();
  return zipped(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, encoder.encode(HEAD + text)])));
}

function links(links: readonly (readonly [id: string, type: string, target: string])[]): string {
  const all = links.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`);
  return `<Relationships xmlns="${PACKAGE}/relationships">\n${all.join('\n')}\n</Relationships>`;
}

function sheetXml(rows: Sheet['rows']): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => String(row[at] ?? '').length)));
  const columns = widths.map((width, at) => {
    return `<col min="${String(at + 1)}" max="${String(at + 1)}" width="${String(Math.min(60, width + 3))}" customWidth="1"/>`;
  });
  return `<worksheet ${MAIN}>
<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}
<sheetData>
${rows.map((row, at) => `<row r="${String(at + 1)}">${row.map((cell) => cellXml(cell, at === 0 ? BOLD : CELL)).join('')}</row>`).join('\n')}
</sheetData>
</worksheet>`;
}

function cellXml(cell: string | number, style: number | undefined): string {
  if (typeof cell === 'number') return `<c><v>${String(cell)}</v></c>`;
  if (cell === '') return '<c/>';
  return `<c s="${String(style)}" t="inlineStr"><is><t xml:space="preserve">${xml(escaped(cell))}</t></is></c>`;
}

/** Characters that XML cannot express, as spreadsheets write them, and texts that look like one of these. */
function escaped(text: string): string {
  const code = (sign: string): string => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, code);
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const xml = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? '');

/**
 * The name without the signs that are forbidden in names of sheets. Spreadsheets refuse the empty name and “History”, which no caller
 * gives.
 */
function sheetName(name: string): string {
  return Array.from(name.replace(/[[\]:*?/\\'\p{Cc}]/gu, ' ').trim()).slice(0, LONGEST_NAME).join('').trim();
}
