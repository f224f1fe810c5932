// The small values that this device remembers besides seats: the last name, the game that ended, a join whose answer was lost. Used by the
// session and the join form. If a storage is closed or full, nothing is remembered.

import { newKey } from '$sdk';
import type { SeatRecord } from '$sdk';

const NAME = 'quizhall.name';
const ENDED = 'quizhall.ended';
const JOINING = 'quizhall.joining';
const REMOVED = 'quizhall.removed';

/** The value stored under a key; empty when there is none. */
export function read(storage: 'localStorage' | 'sessionStorage', key: string): string {
  try {
    return window[storage].getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Stores a value under a key. */
export function write(storage: 'localStorage' | 'sessionStorage', key: string, value: string): void {
  try {
    window[storage].setItem(key, value);
  } catch {
    // Closed or full.
  }
}

/** The name that was used last. */
export const lastName = (): string => read('localStorage', NAME);

export function rememberName(name: string): void {
  write('localStorage', NAME, name);
}

/**
 * The seat that this tab had before it was reloaded. It is kept with the tab's history, so a reload does not lead into a game that another
 * tab has joined since, and a seat survives a reload even without storage.
 */
export function tabSeat(): SeatRecord | null {
  return (history.state as { seat?: SeatRecord } | null)?.seat ?? null;
}

export function rememberSeat(seat: SeatRecord | null): void {
  history.replaceState({ seat }, '');
}

/** Remembers that this game is over: a new tab starts with the join form, while a reload shows its board again. */
export function rememberEnd(gameCode: string): void {
  write('localStorage', ENDED, gameCode);
  write('sessionStorage', ENDED, gameCode);
}

/** Whether this game was already over when this tab was opened. */
export function endedBefore(gameCode: string): boolean {
  return read('localStorage', ENDED) === gameCode && read('sessionStorage', ENDED) !== gameCode;
}

/** Remembers the seat that the host has removed, so that the next join of the game sends its token. */
export function rememberRemoval({ gameCode, sessionToken }: SeatRecord): void {
  write('localStorage', REMOVED, `${gameCode} ${sessionToken}`);
}

/** The session token of the seat in this game that the host removed last, if any. */
export function removedToken(gameCode: string): string | undefined {
  const [code, token] = read('localStorage', REMOVED).split(' ');
  return code === gameCode ? token : undefined;
}

/** The last join without an answer: its key, which always has the same length, then the requested code and name. */
let joining = '';

/**
 * The key of a join. It is the same for the same code and name until `forgetJoin`, even after a reload. A new attempt after a lost answer
 * therefore gets the seat that was taken, and not "name taken".
 */
export function joinKey(gameCode: string, displayName: string): string {
  const key = newKey();
  const wanted = `${gameCode} ${displayName}`;
  const kept = read('localStorage', JOINING) || joining;
  if (kept.slice(key.length) === wanted) return kept.slice(0, key.length);
  joining = key + wanted;
  write('localStorage', JOINING, joining);
  return key;
}

export function forgetJoin(): void {
  joining = '';
  write('localStorage', JOINING, '');
}
