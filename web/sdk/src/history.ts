// The outcomes of the rounds that this device has seen, kept on it. Used by PlayerGame.

import type { StorageLike } from './platform.ts';
import { isRecord, readJson, writeJson } from './storage.ts';
import type { RoundOutcome } from './view.ts';

/** One seat's rounds, in order. */
export class History {
  readonly #storage: StorageLike | null;
  readonly #key: string;
  #rounds: readonly RoundOutcome[];

  constructor(storage: StorageLike | null, key: string) {
    this.#storage = storage;
    this.#key = key;
    const stored = readJson(storage, key);
    this.#rounds = Array.isArray(stored) ? (stored as unknown[]).filter(isOutcome) : [];
  }

  get rounds(): readonly RoundOutcome[] {
    return this.#rounds;
  }

  /** Adds a round; the same round again replaces the earlier outcome. */
  add(outcome: RoundOutcome): void {
    this.#rounds = [...this.#rounds.filter((known) => !isSame(known, outcome)), outcome];
    writeJson(this.#storage, this.#key, this.#rounds);
  }
}

function isSame(one: RoundOutcome, other: RoundOutcome): boolean {
  if (one.round !== null && other.round !== null) return one.round === other.round;
  return one.results[0]?.questionId === other.results[0]?.questionId;
}

function isOutcome(value: unknown): value is RoundOutcome {
  return isRecord(value) && Array.isArray(value.results) && typeof value.roundTotal === 'number';
}
