// Reads and writes zip archives, the containers of spreadsheets and QTI packages. Reading checks every size and checksum, so that a broken
// archive is noticed and a small one cannot expand to gigabytes. Used by source.ts, qtipackage.ts and xlsx.ts. Encrypted and split
// archives, and archives above 4 GiB, count as damaged.

import { Inflate, zipSync } from 'fflate';

import { Damaged } from './damaged.ts';

/** The most bytes to which the contents that are read of one archive may expand together. */
const MOST_BYTES = 32 * 1_024 * 1_024;

/** The most entries of an archive. */
const MOST_ENTRIES = 4_096;

/** The compressed bytes that are inflated at a time: they expand at most a thousandfold before the limit is checked. */
const SLICE = 16 * 1_024;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** The archive's files by their names. */
export class Zip {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = MOST_BYTES;

  /** Reads the directory. Throws `Damaged` when there is none. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      this.#entries = this.#directory();
    } catch (error) {
      if (error instanceof RangeError) throw new Damaged();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** The content of a file; undefined when there is no file of that name. Throws `Damaged`. */
  read(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const content = this.#unfold(entry);
    if (content.length !== entry.size || checksum(content) !== entry.crc) throw new Damaged();
    return content;
  }

  #directory(): Map<string, Entry> {
    const end = this.#end();
    const count = this.#view.getUint16(end + 10, true);
    if (count > MOST_ENTRIES) throw new Damaged();
    const entries = new Map<string, Entry>();
    let at = this.#view.getUint32(end + 16, true);
    for (let each = 0; each < count; each += 1) {
      if (this.#view.getUint32(at, true) !== ENTRY) throw new Damaged();
      const length = this.#view.getUint16(at + 28, true);
      const name = pathOf(new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + length)));
      if (name !== null) entries.set(name, {
        name,
        method: this.#view.getUint16(at + 10, true),
        crc: this.#view.getUint32(at + 16, true),
        packed: this.#view.getUint32(at + 20, true),
        size: this.#view.getUint32(at + 24, true),
        offset: this.#view.getUint32(at + 42, true),
      });
      at += 46 + length + this.#view.getUint16(at + 30, true) + this.#view.getUint16(at + 32, true);
    }
    return entries;
  }

  /** The place of the directory in the archive: only a comment follows it. */
  #end(): number {
    const last = this.#bytes.length - END_SIZE;
    for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at -= 1) {
      if (this.#view.getUint32(at, true) === END) return at;
    }
    throw new Damaged();
  }

  #unfold({ method, packed, size, offset }: Entry): Uint8Array {
    if (size > this.#left || offset + 30 > this.#bytes.length) throw new Damaged();
    if (this.#view.getUint32(offset, true) !== LOCAL) throw new Damaged();
    const start = offset + 30 + this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true);
    if (start + packed > this.#bytes.length) throw new Damaged();
    const content = this.#bytes.subarray(start, start + packed);
    if (method !== STORED && method !== DEFLATED) throw new Damaged();
    if (method === STORED) this.#left -= content.length;
    return method === STORED ? content : inflate(content, size, (bytes) => (this.#left -= bytes));
  }
}

/** A path below the archive, with `/` between its parts; null for files that programs add on their own, and for paths that lead outside. */
function pathOf(name: string): string | null {
  const path = name.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const parts = path.split('/');
  const isAside = parts[0] === '__MACOSX' || (parts.at(-1) ?? '').startsWith('._') || path.endsWith('/');
  return isAside || parts[0] === '' || parts.includes('..') || /^[a-z]:/i.test(path) ? null : path;
}

/**
 * Inflates to `size` bytes; throws `Damaged` at the first slice that goes beyond. `spend` is called with all that was unfolded, also in
 * vain: an archive of broken entries costs no more than one of whole ones.
 */
function inflate(packed: Uint8Array, size: number, spend: (bytes: number) => void): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  const inflating = new Inflate((part) => {
    spend(part.length);
    if (at + part.length > size) throw new Damaged();
    whole.set(part, at);
    at += part.length;
  });
  try {
    for (let start = 0; start < packed.length; start += SLICE) {
      inflating.push(packed.subarray(start, start + SLICE), start + SLICE >= packed.length);
    }
  } catch {
    throw new Damaged();
  }
  return whole.subarray(0, at);
}

/** The archive of these files; equal files give an equal archive. */
export function zipped(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  return zipSync({ ...files }, { mtime: new Date(2_000, 0, 1) });
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as used by zip. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
