// The pictures and sounds of an imported file. Until the import is confirmed an id represents each, and nothing is sent;
// import/sendmedia.ts sends those of the accepted questions. Used by the readers of Moodle XML and of QTI packages.

import { LIMITS } from '$sdk/generated/limits.ts';
import type { Remark } from '$sdk/quizrounds.ts';
import { m } from '$words/language.svelte.ts';

import type { Medium } from './markup.ts';

/** The files by the ids that represent them. */
export type BroughtFiles = ReadonlyMap<string, Blob>;

/** The picture or sound of a question, and the remarks about it. */
export interface Shown {
  /** The field of the question; absent when it shows nothing. */
  readonly media?: { readonly id: string; readonly kind: 'picture' | 'sound'; readonly alt: string };
  /** Pictures, sounds and films that are left out. */
  readonly lost: number;
  readonly remarks: readonly Remark[];
}

const UNDESCRIBED: Remark = { reason: 'no_alt', params: {}, dropped: false };

/** The first bytes of the types that a browser can draw or play. The name of a file is ignored. */
const TYPES: readonly (readonly [type: string, at: number, sign: string])[] = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/mp4', 4, 'ftypM4A'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/mpeg', 0, '\xff\xfb'],
  ['audio/mpeg', 0, '\xff\xf3'],
];

/** Collects the pictures and sounds of the questions of one file. */
export class Media {
  readonly #files = new Map<string, Blob>();
  readonly #ids = new Map<string, string | null>();

  get files(): BroughtFiles {
    return this.#files;
  }

  /**
   * The picture or sound of a question, out of those in its texts: the first whose bytes exist. `name` identifies a file; `bytes` are read
   * once for each.
   */
  of(media: readonly Medium[], file: (source: string) => { name: string; bytes: () => Uint8Array | undefined } | undefined): Shown {
    for (const medium of media) {
      const found = medium.kind === 'other' ? undefined : file(medium.source);
      const id = found && this.#idOf(found.name, found.bytes);
      const type = this.#files.get(id ?? '')?.type ?? '';
      if (!id || type.startsWith('image/') !== (medium.kind === 'picture')) continue;
      const alt = Array.from(medium.alt).slice(0, LIMITS.alt).join('').trim();
      const isBare = medium.kind === 'picture' && alt === '';
      const described = isBare ? m.host_import_picture() : alt;
      return { media: { id, kind: medium.kind === 'sound' ? 'sound' : 'picture', alt: described }, lost: media.length - 1, remarks: isBare ? [UNDESCRIBED] : [] };
    }
    return { lost: media.length, remarks: [] };
  }

  #idOf(name: string, read: () => Uint8Array | undefined): string | null {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const bytes = read();
    const type = bytes && typeOf(bytes);
    const id = type === undefined ? null : `00000000-0000-0000-0000-${String(this.#files.size + 1).padStart(12, '0')}`;
    if (id !== null && bytes && type !== undefined) this.#files.set(id, new Blob([new Uint8Array(bytes)], { type }));
    this.#ids.set(name, id);
    return id;
  }
}

function typeOf(bytes: Uint8Array): string | undefined {
  const begin = String.fromCharCode(...bytes.subarray(0, 16));
  return TYPES.find(([, at, sign]) => begin.startsWith(sign, at))?.[0];
}

/** The content of base64, as XML files and addresses have it; undefined for anything else. */
export function ofBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, '')), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The content of an address that contains the content itself. */
export function inAddress(source: string): { name: string; bytes: () => Uint8Array | undefined } | undefined {
  const [begin] = /^data:[\w/+.-]*(?:;[\w=-]+)*;base64,/i.exec(source.slice(0, 200)) ?? [];
  return begin === undefined ? undefined : { name: source, bytes: () => ofBase64(source.slice(begin.length)) };
}
