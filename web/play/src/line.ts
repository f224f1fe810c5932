// What the connection bar says at a moment. Pure; ConnectionBar.svelte has the words and the clock.

import type { Connection } from '$sdk';

/** `fine` shows nothing: also while coming in for the first time, and when it is over, which views of their own say. */
export type Line =
  | { readonly kind: 'fine' }
  | { readonly kind: 'trying' }
  | { readonly kind: 'waiting'; readonly seconds: number }
  | { readonly kind: 'offline' };

/** Seconds; what a server may ask for at a restart is well below. */
const LONGEST_PAUSE = 120;

/** What to say about this connection at `now` (Date.now()'s clock). */
export function lineOf(connection: Connection, now: number): Line {
  if (connection.state === 'connecting' && connection.attempt > 0) return { kind: 'trying' };
  if (connection.state !== 'waiting') return { kind: 'fine' };
  if (connection.offline) return { kind: 'offline' };
  const seconds = Math.ceil((connection.retryAt - now) / 1_000);
  // Longer than any pause there is: somebody has set the clock back.
  if (seconds <= 0 || seconds > LONGEST_PAUSE) return { kind: 'trying' };
  return { kind: 'waiting', seconds };
}
