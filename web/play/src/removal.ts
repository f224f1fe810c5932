// Whether a phone whose seat the host has removed can join again. Used by SeatOver.

import { Api, ApiError } from '$sdk';
import type { SeatRecord } from '$sdk';

/** The server's answer; `unknown` without an answer, and when the server no longer has such a game. */
export type Return = 'open' | 'banned' | 'unknown';

/** Asks with the token of the seat that was removed. */
export async function askReturn({ gameCode, sessionToken }: SeatRecord, api = new Api()): Promise<Return> {
  try {
    await api.joinOptions(gameCode, sessionToken);
    return 'open';
  } catch (error) {
    return error instanceof ApiError && error.type === 'banned' ? 'banned' : 'unknown';
  }
}
