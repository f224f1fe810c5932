// A spectator of a game: gets a token by the code of the game. Used by the screen page.

import { json, send } from './http.ts';
import type { Fetch } from './http.ts';
import type { Spectator } from './generated/protocol.ts';

/** Asks to watch a game. An ApiError with status 404 means that no game has the code; with 409, that its host does not allow spectators. */
export function watch(gameCode: string, base = '', fetcher?: Fetch): Promise<Spectator> {
  const call = { method: 'POST', path: '/api/v1/spectators', body: { gameCode } } as const;
  return send(base, call, (response) => json<Spectator>(response), fetcher);
}
