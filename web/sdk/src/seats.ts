// The seats that this device has, one per game code, so that a reload or a link leads straight back. Used by the play page;
// never throws, whatever the storage contains or forbids.

import { browserStorage } from './platform.ts';
import type { StorageLike } from './platform.ts';
import { isRecord, kept, OF_SEAT, readJson, writeJson } from './storage.ts';
import type { SeatRecord } from './view.ts';

const KEY = 'quizhall.seats';
/** Older seats are removed: a game has one, a regular guest some dozens. */
const KEPT = 20;

interface Stored {
  readonly version: 1;
  /** Newest first. */
  readonly seats: readonly SeatRecord[];
}

/** Seats in storage; without a storage they last as long as this object. */
export class SeatStore {
  readonly #storage: StorageLike | null;
  /** Seats that could not be written are at least kept in memory. */
  #remembered: readonly SeatRecord[] | null = null;

  constructor(storage: StorageLike | null = browserStorage()) {
    this.#storage = storage;
  }

  /** Stores a seat; it becomes the latest and replaces an earlier one of the same game. */
  save(seat: SeatRecord): void {
    const { gameCode, playerId, displayName, sessionToken } = seat;
    const others = this.#fresh().filter((other) => other.gameCode !== gameCode);
    this.#write([{ gameCode, playerId, displayName, sessionToken }, ...others]);
  }

  load(gameCode: string): SeatRecord | null {
    return this.#fresh().find((seat) => seat.gameCode === gameCode.toUpperCase()) ?? null;
  }

  /** All of them, the seat saved last first. */
  all(): readonly SeatRecord[] {
    return this.#fresh();
  }

  /** The seat saved last. */
  latest(): SeatRecord | null {
    return this.#fresh()[0] ?? null;
  }

  /** Gives up a seat, with everything that is stored for it. */
  forget(gameCode: string): void {
    this.#write(this.#fresh().filter((seat) => seat.gameCode !== gameCode.toUpperCase()));
  }

  /** Read each time: another tab may have written since. */
  #fresh(): readonly SeatRecord[] {
    return this.#remembered ?? this.#read();
  }

  #read(): readonly SeatRecord[] {
    const stored = readJson(this.#storage, KEY);
    if (!isRecord(stored) || stored.version !== 1 || !Array.isArray(stored.seats)) return [];
    return (stored.seats as unknown[]).filter(isSeat);
  }

  #write(seats: readonly SeatRecord[]): void {
    const stays = seats.slice(0, KEPT);
    const ids = new Set(stays.map((seat) => seat.playerId));
    for (const { gameCode, playerId } of [...this.#fresh(), ...seats].filter((seat) => !ids.has(seat.playerId))) {
      for (const what of OF_SEAT) writeJson(this.#storage, kept(what, gameCode, playerId), null);
    }
    const isWritten = writeJson(this.#storage, KEY, { version: 1, seats: stays } satisfies Stored);
    this.#remembered = isWritten ? null : stays;
  }
}

function isSeat(value: unknown): value is SeatRecord {
  if (!isRecord(value)) return false;
  return ['gameCode', 'playerId', 'displayName', 'sessionToken'].every((field) => typeof value[field] === 'string');
}
