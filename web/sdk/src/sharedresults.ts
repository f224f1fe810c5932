// The released results of a results link, which need no account. Used by the results page.

import type { GameMoment, MomentList, ScreenUpdate, SharedResults } from './generated/protocol.ts';
import { json, send } from './http.ts';
import type { Fetch } from './http.ts';
import type { SeatRecord } from './view.ts';

/** Reads what a results link shows. */
export class SharedResultsApi {
  readonly #path: string;
  readonly #token: string;
  readonly #fetch: Fetch | undefined;

  /** `token` is the part after the `#` of the link. */
  constructor(token: string, options: { readonly fetch?: Fetch } = {}) {
    this.#token = token;
    this.#path = `/api/v1/results/${encodeURIComponent(token)}`;
    this.#fetch = options.fetch;
  }

  /** With a player's session token, also this player's answers. */
  read(sessionToken?: string): Promise<SharedResults> {
    return send('', { path: this.#path, token: sessionToken }, json<SharedResults>, this.#fetch);
  }

  /** The moments of the game, if the link shows the replay. */
  async moments(): Promise<GameMoment[]> {
    return (await send('', { path: `${this.#path}/moments` }, json<MomentList>, this.#fetch)).moments;
  }

  /** The picture that the screen was sent at a moment. */
  moment(index: number): Promise<ScreenUpdate> {
    return send('', { path: `${this.#path}/moments/${String(index)}` }, json<ScreenUpdate>, this.#fetch);
  }

  /** The results as a CSV file. */
  csv(): Promise<Blob> {
    const call = { path: this.#path, headers: { Accept: 'text/csv' } };
    return send('', call, (response) => response.blob(), this.#fetch);
  }

  /** The proof of the game, where the link gives it. */
  proof(gameId: string): Promise<Blob> {
    const call = { path: `/api/v1/games/${encodeURIComponent(gameId)}/proof`, token: this.#token };
    return send('', call, (response) => response.blob(), this.#fetch);
  }
}

/** The session token of the player of this game, if one of these is: a player's token begins with the game's id. */
export function sessionOf(gameId: string, seats: readonly SeatRecord[]): string | undefined {
  const bytes = gameId.replaceAll('-', '').match(/../g) ?? [];
  const binary = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
  // 15 bytes are 20 whole characters; the next one also holds bits of the secret.
  const start = `qp_${btoa(binary.slice(0, 15)).replaceAll('+', '-').replaceAll('/', '_')}`;
  return seats.find(({ sessionToken }) => sessionToken.startsWith(start))?.sessionToken;
}
