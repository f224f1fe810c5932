// A file that is looked at: its bytes, and what they are as text, archive or sheets, each worked out once and only when a
// format asks for it. Made by formats.ts.

import type { TableRow } from '$sdk/quizcsv.ts';

import { Damaged } from './damaged.ts';
import { type Decoded, decode } from './encoding.ts';
import { hasSheets, sheetsOf } from './sheets.ts';
import { Zip } from './zip.ts';

/** One file, or what was pasted. */
export class Source {
  readonly bytes: Uint8Array;
  /** A title for formats that have none. */
  readonly title: string;
  #decoded: Decoded | undefined;
  #zip: Zip | null | undefined;
  #sheets: TableRow[][] | null | undefined;

  constructor(bytes: Uint8Array, title: string) {
    this.bytes = bytes;
    this.title = title;
  }

  /** Whether it begins as an archive does. */
  get isArchive(): boolean {
    return this.bytes[0] === 0x50 && this.bytes[1] === 0x4b && this.bytes.length > 4;
  }

  /** As text; an archive has none. */
  get decoded(): Decoded {
    return (this.#decoded ??= decode(this.isArchive ? new Uint8Array() : this.bytes));
  }

  get text(): string {
    return this.decoded.text;
  }

  /** As an archive; null when it is none, or a broken one. */
  get zip(): Zip | null {
    if (this.#zip === undefined) this.#zip = this.isArchive ? readable(() => new Zip(this.bytes)) : null;
    return this.#zip;
  }

  /** Whether it is an archive or a spreadsheet that cannot be read. */
  get isBroken(): boolean {
    return this.isArchive && (this.zip === null || (hasSheets(this.zip) && this.sheets === null));
  }

  /** The rows of a spreadsheet, by sheet; null when it is none, or a broken one. */
  get sheets(): TableRow[][] | null {
    const { zip } = this;
    if (this.#sheets === undefined) this.#sheets = zip && hasSheets(zip) ? readable(() => sheetsOf(zip)) : null;
    return this.#sheets;
  }
}

function readable<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damaged) return null;
    throw error;
  }
}
