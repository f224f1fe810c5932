// From a game that has ended to the next one in the same room: asks repeatedly whether the host has started it. Used by the phone and
// the screen page.

import { json, send } from './http.ts';
import type { Fetch } from './http.ts';
import type { JoinResponse, NewScreen } from './generated/protocol.ts';

/** The pause between two requests while the room waits. */
const OFTEN_MS = 5_000;
/** The pause after ten minutes. */
const SELDOM_MS = 30_000;
const OFTEN_FOR_MS = 10 * 60_000;
/** A page that is left open asks no longer than an evening lasts. */
const MOST_MS = 3 * 3_600_000;

/** The seat in the next game for a player with this token; null while no game follows. */
export function nextSeat(token: string, base = '', fetcher?: Fetch): Promise<JoinResponse | null> {
  return send(base, { method: 'POST', path: '/api/v1/seats/next', token }, orNull<JoinResponse>, fetcher);
}

/** The link in the next game for the screen, or the spectator, with this token; null while no game follows that may be watched. */
export async function nextScreen(token: string, base = '', fetcher?: Fetch): Promise<string | null> {
  const screen = await send(base, { method: 'POST', path: '/api/v1/screens/next', token }, orNull<NewScreen>, fetcher);
  return screen?.url ?? null;
}

async function orNull<Answer>(response: Response): Promise<Answer | null> {
  return response.status === 204 ? null : json<Answer>(response);
}

export interface Room {
  /** Whether the page is visible; otherwise it sends no requests. */
  readonly isSeen: () => boolean;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

const PAGE: Room = {
  isSeen: () => document.visibilityState === 'visible',
  now: () => Date.now(),
  pause: (ms) => new Promise((done) => setTimeout(done, ms)),
};

/**
 * Asks until there is an answer, and passes it to `found`. An error of an attempt is passed to `failed`, which decides whether
 * to continue. Returns the function that ends it.
 */
export function follow<Next>(
  ask: () => Promise<Next | null>,
  { found, failed }: { readonly found: (next: Next) => void; readonly failed: (error: unknown) => boolean },
  room: Room = PAGE,
): () => void {
  let goes = true;
  void (async () => {
    const begun = room.now();
    while (goes) {
      const passed = room.now() - begun;
      if (passed > MOST_MS) return;
      await room.pause(passed < OFTEN_FOR_MS ? OFTEN_MS : SELDOM_MS);
      if (!goes || !room.isSeen()) continue;
      try {
        const next = await ask();
        if (next !== null && goes) {
          found(next);
          return;
        }
      } catch (error) {
        if (goes && !failed(error)) return;
      }
    }
  })();
  return () => {
    goes = false;
  };
}
