// The little things this device remembers besides seats: the last name, the game that ended, a join whose answer got
// lost. Used by the session and the join form; a storage that is closed or full only means that nothing is remembered.

import { newKey } from '$sdk';
import type { SeatRecord } from '$sdk';

const NAME = 'quizhall.name';
const ENDED = 'quizhall.ended';
const JOINING = 'quizhall.joining';
const REMOVED = 'quizhall.removed';

/** What is kept under a key; empty when nothing. */
export function read(storage: 'localStorage' | 'sessionStorage', key: string): string {
  try {
    return window[storage].getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a value under a key. */
export function write(storage: 'localStorage' | 'sessionStorage', key: string, value: string): void {
  try {
    window[storage].setItem(key, value);
  } catch {
    // Closed or full.
  }
}

/** The name of the last time. */
export const lastName = (): string => read('localStorage', NAME);

export function rememberName(name: string): void {
  write('localStorage', NAME, name);
}

/**
 * The seat that this tab had before it was loaded again. It is kept with the tab's history: so a reload does not lead into
 * the game that another tab has joined since, and a seat survives one where there is no storage.
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

/** Whether this game was over already when this tab was opened. */
export function endedBefore(gameCode: string): boolean {
  return read('localStorage', ENDED) === gameCode && read('sessionStorage', ENDED) !== gameCode;
}

/** Remembers the seat that the host has taken away: the next join of the game says so. */
export function rememberRemoval({ gameCode, sessionToken }: SeatRecord): void {
  write('localStorage', REMOVED, `${gameCode} ${sessionToken}`);
}

/** The session token of the seat in this game that the host has taken away last, if any. */
export function removedToken(gameCode: string): string | undefined {
  const [code, token] = read('localStorage', REMOVED).split(' ');
  return code === gameCode ? token : undefined;
}

/** The last join that has no answer: its key, of always the same length, then what was wanted. */
let joining = '';

/**
 * The key of a join: the same for the same code and name until `forgetJoin`, also after a reload, so that trying again
 * after a lost answer gets the seat that was taken, and not "name taken".
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
