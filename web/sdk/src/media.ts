// The pictures and sounds of a game on this device: loads the encrypted copies before their questions are released, spread over
// some seconds, and opens a copy with the key that comes with its question. Loaded by the pages when a game has any. A page over
// plain http cannot use the browser's own cryptography, so the cipher is a library.

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { concatBytes, hexToBytes } from '@noble/ciphers/utils.js';

import type { MediaPreload, ReleasedMedia } from './generated/protocol.ts';
import type { Fetch } from './http.ts';

/** The time over which the requests for the copies of a round are spread: a class of phones shares one connection. */
const SPREAD_MS = 20_000;
/** The bytes of a segment, and those that its encryption adds. */
const SEGMENT = 256 * 1024;
const TAG = 16;
/** Pauses before a copy that could not be loaded is requested again, after its question was released. */
const PAUSES_MS = [500, 2_000, 6_000];

/** Media types that a page shows or plays. */
const TYPES = /^(?:image\/(?:png|jpeg|webp)|audio\/(?:mpeg|mp4|ogg))$/;

/** Parts that a test replaces. */
export interface MediaOptions {
  readonly fetch?: Fetch;
  readonly random?: () => number;
  /** Calls `run` later; returns the function that stops it. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** The copies of one game at a time. */
export class MediaCopies {
  readonly #fetch: Fetch;
  readonly #random: () => number;
  readonly #later: NonNullable<MediaOptions['later']>;
  /** Copies that are loaded or on their way, by name. */
  readonly #loading = new Map<string, Promise<Uint8Array | null>>();
  /** The functions that stop the loads that wait for their turn. */
  readonly #waiting = new Map<string, () => void>();
  readonly #opened = new Map<string, Promise<Blob | null>>();
  #game = '';

  constructor(options: MediaOptions = {}) {
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#random = options.random ?? Math.random;
    this.#later = options.later ?? later;
  }

  /** Loads these copies within the next seconds; those of another game are dropped. */
  ahead({ gameId, items }: MediaPreload): void {
    if (gameId !== this.#game) this.close();
    this.#game = gameId;
    for (const { name } of items) {
      if (this.#loading.has(name) || this.#waiting.has(name) || this.#opened.has(name)) continue;
      const stop = this.#later(() => void this.#load(name), this.#random() * SPREAD_MS);
      this.#waiting.set(name, stop);
    }
  }

  /** The file of a released question; null when it cannot be loaded, or the key does not belong to it. */
  open(media: ReleasedMedia): Promise<Blob | null> {
    const known = this.#opened.get(media.name);
    if (known) return known;
    const opening = this.#open(media).then((file) => {
      // The next request may succeed.
      if (file === null) this.#opened.delete(media.name);
      return file;
    });
    this.#opened.set(media.name, opening);
    return opening;
  }

  /** Drops everything, and sends no more requests. */
  close(): void {
    for (const stop of this.#waiting.values()) stop();
    this.#waiting.clear();
    this.#loading.clear();
    this.#opened.clear();
  }

  async #open(media: ReleasedMedia): Promise<Blob | null> {
    for (const pause of [0, ...PAUSES_MS]) {
      if (pause > 0) await new Promise<void>((done) => this.#later(done, pause));
      const copy = await this.#load(media.name, pause > 0, media.gameId);
      const file = copy && opened(copy, media);
      this.#loading.delete(media.name);
      if (file) return TYPES.test(media.type) ? new Blob([file], { type: media.type }) : null;
    }
    return null;
  }

  /** `again`: bypasses every cache. */
  #load(name: string, again = false, game = this.#game): Promise<Uint8Array | null> {
    this.#waiting.get(name)?.();
    this.#waiting.delete(name);
    const known = this.#loading.get(name);
    if (known) return known;
    const loading = this.#ask(`/api/v1/games/${game}/media/${name}`, again);
    this.#loading.set(name, loading);
    void loading.then((copy) => {
      if (copy === null) this.#loading.delete(name);
    });
    return loading;
  }

  async #ask(path: string, again: boolean): Promise<Uint8Array | null> {
    try {
      const response = await this.#fetch(path, { cache: again ? 'reload' : 'default', credentials: 'omit' });
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
    } catch {
      return null;
    }
  }
}

/** The bytes of the file in a copy; null when the copy is damaged, or belongs to another file. */
function opened(copy: Uint8Array, { key, bytes }: ReleasedMedia): Uint8Array<ArrayBuffer> | null {
  try {
    const secret = hexToBytes(key);
    const segments = [];
    for (let at = 0, number = 0; at < copy.length; at += SEGMENT + TAG, number += 1) {
      const nonce = new Uint8Array(12);
      new DataView(nonce.buffer).setUint32(0, number, true);
      segments.push(chacha20poly1305(secret, nonce).decrypt(copy.subarray(at, at + SEGMENT + TAG)));
    }
    const whole = concatBytes(...segments);
    return whole.length >= bytes ? new Uint8Array(whole.subarray(0, bytes)) : null;
  } catch {
    return null;
  }
}

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
}
