// CSV by RFC 4180; finds out the separator. Pure; knows rows and cells, nothing of quizzes.

/** A row with the line it begins on, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The beginning of a formula, in half and full width, after the white space, quotes and apostrophes before it. */
const FORMULA = String.raw`[\s'"\0]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]`;

/** A cell that a spreadsheet would run, or that begins with a character that some programs drop. */
const BEGINS = new RegExp(`^(?:'*[\\t\\r\\n\\0]|${FORMULA})`);

/** A place inside a cell where a spreadsheet with other settings splits, followed by a formula. */
const BEHIND = new RegExp(`([;\\t\\r\\n])(?=${FORMULA})`, 'g');

/** The same with the apostrophe of `harmless` in between. */
const MADE_HARMLESS = new RegExp(`([;\\t\\r\\n])'(?=${FORMULA})`, 'g');

/** Reads rows; blank ones are left out. */
export function readCsv(text: string): CsvRow[] {
  const whole = text.replace(/^\ufeff/, '');
  const hint = /^sep=(.)\r?\n/i.exec(whole);
  const start = hint?.[0].length ?? 0;
  const separator = hint?.[1] ?? separatorOf(whole);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let at = start;
  let line = hint ? 2 : 1;
  let began = line;
  while (at <= whole.length) {
    const cell = cellAt(whole, at, separator);
    cells.push(cell.text);
    line += cell.lines;
    at = cell.end;
    if (whole[at] === separator) {
      at += 1;
      continue;
    }
    if (cells.some((text) => text.trim() !== '')) rows.push({ line: began, cells });
    at += whole.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    cells = [];
    began = line;
  }
  return rows;
}

function cellAt(text: string, start: number, separator: string): { text: string; end: number; lines: number } {
  let at = start;
  let content = '';
  if (text[at] === '"') {
    for (at += 1; at < text.length; at += 1) {
      if (text[at] !== '"') content += text.charAt(at);
      else if (text[at + 1] === '"') {
        content += '"';
        at += 1;
      } else break;
    }
    at += 1;
  }
  const rest = at;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  content = (content + text.slice(rest, at)).replace(/\r\n?/g, '\n');
  return { text: content, end: at, lines: content.split('\n').length - 1 };
}

/** The most frequent of comma, semicolon and tab in the first line. */
function separatorOf(text: string): string {
  const first = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.trimStart())?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const counted = [',', ';', '\t'].map((separator) => ({ separator, count: first.split(separator).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

/** Writes rows with commas and CRLF after a byte order mark, by which spreadsheets recognise UTF-8. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text);
  return `\ufeff${rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;
}

/** Puts an apostrophe before each part of a cell that a spreadsheet would run, whatever separator it uses for the file. */
export function harmless(text: string): string {
  const inside = text.replace(BEHIND, "$1'");
  return BEGINS.test(inside) ? `'${inside}` : inside;
}

/** The original of a text that was made harmless; any other text unchanged. */
export function unharmed(text: string): string {
  const whole = text.startsWith("'") && BEGINS.test(text) ? text.slice(1) : text;
  return whole.replace(MADE_HARMLESS, '$1');
}
