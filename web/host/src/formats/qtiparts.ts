// The parts of a QTI package: its XML, those of it that are broken, and the pictures and sounds that its texts show. Used by
// qtipackage.ts and the readers of each version. A file that is no package is one part without a path.

import type { Remark } from '$sdk/quizrounds.ts';

import { Damaged } from './damaged.ts';
import { rootOf } from './elements.ts';
import { decode } from './encoding.ts';
import type { Medium } from './markup.ts';
import { inAddress, Media, type Shown } from './media.ts';
import type { Zip } from './zip.ts';

/** A file of the package. */
export interface Part {
  readonly path: string;
  readonly root: Element;
}

/** Canvas writes some of its files with its own file name extension. */
export const isXml = (name: string): boolean => /\.(?:xml|qti)$/i.test(name);

/** The parts of a package, and its pictures and sounds. */
export class Package {
  readonly #zip: Zip | null;
  readonly media = new Media();
  readonly parts: readonly Part[];
  /** The remarks about parts that cannot be read, by path. */
  readonly broken = new Map<string, Remark>();

  constructor(zip: Zip | null, root?: Element) {
    this.#zip = zip;
    if (zip) this.parts = zip.names.filter(isXml).flatMap((path) => this.#part(zip, path));
    else this.parts = root ? [{ path: '', root }] : [];
  }

  /** The objects in a text of the part at this path. */
  shown(media: readonly Medium[], from: string): Shown {
    return this.media.of(media, (source) => this.#file(source, from));
  }

  #part(zip: Zip, path: string): Part[] {
    try {
      const content = zip.read(path);
      return content ? [{ path, root: rootOf(decode(content).text) }] : [];
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.broken.set(path, { reason: 'broken_part', params: { name: path.slice(-60), line: error.line }, dropped: true });
      return [];
    }
  }

  #file(source: string, from: string): ReturnType<typeof inAddress> {
    const inside = inAddress(source);
    if (inside || !this.#zip) return inside;
    const zip = this.#zip;
    const name = placesOfFile(source, from).find((path) => zip.names.includes(path));
    return name === undefined ? undefined : { name, bytes: () => readable(zip, name) };
  }
}

function readable(zip: Zip, name: string): Uint8Array | undefined {
  try {
    return zip.read(name);
  } catch (error) {
    if (error instanceof Damaged) return undefined;
    throw error;
  }
}

/** The possible places of a file to which a text refers: next to it, or in the folders to which Canvas and Common Cartridge refer. */
function placesOfFile(source: string, from: string): string[] {
  const [, below] = /^(?:\$|%24)IMS-CC-FILEBASE(?:\$|%24)\/([^?#]*)/i.exec(source) ?? [];
  if (below === undefined) return [resolved(source, from)];
  const path = resolved(below, '');
  return [`web_resources/${path}`, path, resolved(below, from)];
}

/** The path in the package for a reference. */
export function resolved(href: string, from: string): string {
  try {
    const url = new URL(href.replaceAll('\\', '/'), `zip://package/${from.split('/').map(encodeURIComponent).join('/')}`);
    return url.protocol === 'zip:' ? decodeURIComponent(url.pathname.slice(1)) : href;
  } catch {
    return href;
  }
}

