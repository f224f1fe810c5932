// JSON in a storage that may be full, forbidden or filled by others. Used for everything that is kept on the device; never
// throws.

import type { StorageLike } from './platform.ts';

/** The value stored under this key; null when there is none, or it cannot be read. */
export function readJson(storage: StorageLike | null, key: string): unknown {
  try {
    return JSON.parse(storage?.getItem(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** Stores a value, or removes the key for null; returns whether it worked. */
export function writeJson(storage: StorageLike | null, key: string, value: unknown): boolean {
  try {
    if (value === null) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify(value));
    return storage !== null;
  } catch {
    return false;
  }
}

/** Whether a value that was read is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The kinds of data that are stored for a seat. */
export const OF_SEAT = ['answers', 'asked', 'boards', 'history'] as const;

/** The key of the data for a seat, or for the host (`who`), in one game. */
export function kept(what: (typeof OF_SEAT)[number], gameCode: string, who: string): string {
  return `quizhall.${what}.${gameCode}.${who}`;
}
