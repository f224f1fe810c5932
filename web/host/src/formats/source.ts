// A file that is examined: its bytes, and its contents as text, archive, sheets or table. Each is determined once, only when a format needs
// it. Created by formats.ts.

import { readCsv, unharmed } from '$sdk/csv.ts';

import { Damaged } from './damaged.ts';
import { type Decoded, decode } from './encoding.ts';
import { type SheetRows, sheetsOf } from './sheets.ts';
import { Zip } from './zip.ts';

/** The most characters of a text that is read as a table: more than any quiz has. */
const LONGEST_TABLE = 2 * 1_024 * 1_024;

/** One file, or what was pasted. */
export class Source {
  readonly bytes: Uint8Array;
  /** A title for formats that have none. */
  readonly title: string;
  readonly #encoding: string | undefined;
  #decoded: Decoded | undefined;
  #zip: Zip | null | undefined;
  #sheets: SheetRows[] | 'broken' | null | undefined;
  #tables: SheetRows[] | undefined;

  /** `encoding` is the character set that the host chose. */
  constructor(bytes: Uint8Array, title: string, encoding?: string) {
    this.bytes = bytes;
    this.title = title;
    this.#encoding = encoding;
  }

  /** Whether it begins like an archive. */
  get isArchive(): boolean {
    return this.bytes[0] === 0x50 && this.bytes[1] === 0x4b && this.bytes.length > 4;
  }

  /** The text; an archive has none. */
  get decoded(): Decoded {
    return (this.#decoded ??= this.isArchive ? decode(new Uint8Array()) : decode(this.bytes, this.#encoding));
  }

  get text(): string {
    return this.decoded.text;
  }

  /** The archive; null when it is none, or a broken one. */
  get zip(): Zip | null {
    if (this.#zip === undefined) this.#zip = this.isArchive ? readable(() => new Zip(this.bytes), null) : null;
    return this.#zip;
  }

  /** Whether it is an archive or a spreadsheet that cannot be read. */
  get isBroken(): boolean {
    return this.isArchive && (this.zip === null || this.#read() === 'broken');
  }

  /** The sheets of a spreadsheet; null when it is none, or a broken one. */
  get sheets(): SheetRows[] | null {
    const read = this.#read();
    return read === 'broken' ? null : read;
  }

  #read(): SheetRows[] | 'broken' | null {
    const { zip } = this;
    if (this.#sheets === undefined) this.#sheets = zip === null ? null : readable(() => sheetsOf(zip), 'broken');
    return this.#sheets;
  }

  /** The sheets, or the text as the only one; none when it is neither. */
  get tables(): readonly SheetRows[] {
    return (this.#tables ??= this.sheets ?? (this.isTable ? [{ name: '', rows: this.#rows() }] : []));
  }

  /** Whether the text can be a table: others begin with brackets. */
  get isTable(): boolean {
    return !this.isArchive && this.text.length <= LONGEST_TABLE && !/^[\ufeff\s]*[<{[]/.test(this.text);
  }

  #rows(): SheetRows['rows'] {
    return readCsv(this.text).map(({ line, cells }) => ({ at: line, cells: cells.map(unharmed) }));
  }
}

function readable<Value, Otherwise>(read: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damaged) return otherwise;
    throw error;
  }
}
