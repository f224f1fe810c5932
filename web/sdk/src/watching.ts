// A spectator of a game: gets a token by the code of the game. Used by the screen page.

import { json, send } from './http.ts';
import type { Fetch } from './http.ts';
import type { Spectator } from './generated/protocol.ts';

/** Asks to watch a game. An ApiError of status 404 says that no game has the code; of 409, that its host does not let spectators watch. */
export function watch(gameCode: string, base = '', fetcher?: Fetch): Promise<Spectator> {
  const call = { method: 'POST', path: '/api/v1/spectators', body: { gameCode } } as const;
  return send(base, call, (response) => json<Spectator>(response), fetcher);
}
