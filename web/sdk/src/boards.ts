// Boards with changes of rank: stores the board before, per game and on the device, so that a reload keeps the arrows.
// Used by PlayerGame and HostGame.

import type { LeaderboardEntry } from './generated/protocol.ts';
import type { StorageLike } from './platform.ts';
import { isRecord, readJson, writeJson } from './storage.ts';
import type { BoardRow } from './view.ts';

/** Rank and score by player. */
type Standing = Readonly<Record<string, readonly [rank: number, score: number]>>;

type Named = Pick<LeaderboardEntry, 'playerId' | 'displayName'>;

interface Kept {
  readonly round: number | null;
  readonly now: Standing;
  readonly before: Standing | null;
}

/** The boards of one game. */
export class Boards {
  readonly #storage: StorageLike | null;
  readonly #key: string;
  #kept: Kept | null;

  constructor(storage: StorageLike | null, key: string) {
    this.#storage = storage;
    this.#key = key;
    const stored = readJson(storage, key);
    this.#kept = isRecord(stored) && isRecord(stored.now) ? (stored as unknown as Kept) : null;
  }

  /** The rows of a board. `round` distinguishes boards; without it, boards with equal scores count as the same. */
  rows(entries: readonly LeaderboardEntry[], round: number | null): BoardRow[] {
    const kept = this.#kept;
    const before = kept === null ? null : isSame(kept, entries, round) ? kept.before : kept.now;
    const now = Object.fromEntries(entries.map((entry) => [entry.playerId, [entry.rank, entry.score] as const]));
    this.#kept = { round, now, before };
    writeJson(this.#storage, this.#key, this.#kept);
    return entries.map((entry) => ({ ...entry, previousRank: before?.[entry.playerId]?.[0] ?? null }));
  }

  /** The entries with the row of a player whom a cut board leaves out, if it is the same board and the row was known. */
  whole(entries: readonly LeaderboardEntry[], { playerId, displayName }: Named): readonly LeaderboardEntry[] {
    const kept = this.#kept;
    const row = kept?.now[playerId];
    if (!kept || !row || entries.some((entry) => entry.playerId === playerId) || !isSame(kept, entries, null)) return entries;
    return [...entries, { playerId, displayName, rank: row[0], score: row[1] }];
  }
}

/** The same board may come twice, whole and as the player's part of it. */
function isSame(kept: Kept, entries: readonly LeaderboardEntry[], round: number | null): boolean {
  if (kept.round !== null && round !== null) return kept.round === round;
  return entries.every((entry) => (kept.now[entry.playerId]?.[1] ?? entry.score) === entry.score);
}
