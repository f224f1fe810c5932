// What a device shows of a sealed quiz: the first digits of its seal, and how the proof names its player. Used by the phone, the host page
// and the screen.

import type { OwnRef } from './generated/protocol.ts';
import { json, send } from './http.ts';
import type { Fetch } from './http.ts';

/** How many digits people compare, in groups of four. */
const SHOWN = 12;

/** The digits of a seal that are shown: `5f1c 0a97 d2be`. */
export function sealDigits(seal: string): string {
  return (seal.slice(0, SHOWN).match(/.{1,4}/g) ?? []).join(' ');
}

/** How the proof of the game names the player with this token; once the game has ended. */
export async function ownRef(token: string, base = '', fetcher?: Fetch): Promise<string> {
  return (await send(base, { path: '/api/v1/seats/ref', token }, json<OwnRef>, fetcher)).ref;
}
