// A player's calls over HTTP: taking a seat, and giving it to another phone. Used by the play page; the host's calls are in hostapi.ts.

import type { JoinOptions, JoinRequest, JoinResponse, NewSeatCode, TakeSeat } from './generated/protocol.ts';
import { ApiError, json, NetworkError, send } from './http.ts';
import type { Fetch } from './http.ts';

/** Parts that a test replaces. */
export interface ApiOptions {
  readonly fetch?: Fetch;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly random?: () => number;
}

/** How a phone joins a game that has teams: it creates one, or joins one by its code. Neither: a player with one phone. */
export type TeamWay = Pick<JoinRequest, 'team'> | Pick<JoinRequest, 'teamCode'>;

/** Tries of one join, and the bounds of the pauses between them: 0.5, 1, 2 s. */
const TRIES = 4;
const FIRST_PAUSE_MS = 500;
/** A `Retry-After` longer than this is left to the caller. */
const LONGEST_PAUSE_MS = 5_000;

/** The HTTP interface without an account. `base` is the address of the server; only a page of the server needs none. */
export class Api {
  readonly #base: string;
  readonly #options: ApiOptions;

  constructor(base = '', options: ApiOptions = {}) {
    this.#base = base.replace(/\/$/, '');
    this.#options = options;
  }

  /**
   * Takes a seat. Repeats itself after a network error, 429 or 503, with the same key: a lost response cannot take two
   * seats. Give a new random key (`newKey()`) for each press of the button. `removed` is the session token that this device had in
   * the game before the host removed it: the server refuses a banned one (403).
   */
  async join(
    gameCode: string,
    displayName: string,
    idempotencyKey: string,
    team: TeamWay = {},
    removed?: string,
  ): Promise<JoinResponse> {
    return this.#seat('/join', { gameCode, displayName, ...team }, idempotencyKey, removed);
  }

  /** What the game asks of a phone that wants to join. `removed` is as for `join`: a banned one is refused here as well. */
  joinOptions(gameCode: string, removed?: string): Promise<JoinOptions> {
    const path = `/api/v1/join/${encodeURIComponent(gameCode)}`;
    return send<JoinOptions>(this.#base, { path, token: removed }, json, this.#options.fetch);
  }

  /** Takes the seat of a code, in place of the phone that has it; repeats itself as `join` does. */
  async takeSeat(gameCode: string, seatCode: string, idempotencyKey: string): Promise<JoinResponse> {
    return this.#seat('/api/v1/seats', { gameCode, seatCode }, idempotencyKey);
  }

  /** A code with which another phone takes the seat of this token. */
  ownSeatCode(token: string): Promise<NewSeatCode> {
    return send<NewSeatCode>(this.#base, { method: 'POST', path: '/api/v1/seat-code', token }, json, this.#options.fetch);
  }

  async #seat(path: string, body: JoinRequest | TakeSeat, idempotencyKey: string, token?: string): Promise<JoinResponse> {
    const { sleep = pause, random = Math.random, fetch: fetcher } = this.#options;
    const call = { method: 'POST', path, body, token, headers: { 'Idempotency-Key': idempotencyKey } } as const;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send<JoinResponse>(this.#base, call, json, fetcher);
      } catch (error) {
        const wait = waitBefore(attempt, error, random());
        if (wait === null) throw error;
        await sleep(wait);
      }
    }
  }
}

function waitBefore(attempt: number, error: unknown, chance: number): number | null {
  if (attempt >= TRIES) return null;
  const jittered = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + chance / 2);
  if (error instanceof NetworkError) return jittered;
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return null;
  const asked = (error.retryAfter ?? 0) * 1_000;
  return asked > LONGEST_PAUSE_MS ? null : Math.max(asked, jittered);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A random key of 128 bits; works where the page is not a secure context, too. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
