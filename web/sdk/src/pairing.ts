// A screen that belongs to no game yet: gets a code to show, and asks whether a host has typed it. Used by the screen page.

import { json, send } from './http.ts';
import type { Fetch } from './http.ts';
import type { NewPairing, Pairing } from './generated/protocol.ts';

/** Opens a pairing: the code to show, and the secret to ask with. */
export function openPairing(base = '', fetcher?: Fetch): Promise<NewPairing> {
  return send(base, { method: 'POST', path: '/api/v1/screen-pairings' }, (response) => json<NewPairing>(response), fetcher);
}

/** The link of the screen once a host has typed the code. An ApiError with status 404 means that the code has expired. */
export async function askPairing(secret: string, base = '', fetcher?: Fetch): Promise<string | null> {
  const call = { path: '/api/v1/screen-pairings/own', token: secret };
  return (await send(base, call, (response) => json<Pairing>(response), fetcher)).url ?? null;
}
