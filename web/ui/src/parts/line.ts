// The text of the connection bar at a moment. Pure; ConnectionBar.svelte has the words and the clock.

/** A connection to a game; the SDK's `Connection` is one. */
export type LineState =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'open' | 'closed' }
  | { readonly state: 'silent'; readonly offline: boolean }
  | { readonly state: 'waiting'; readonly retryAt: number; readonly offline: boolean };

/** `fine` shows nothing. It is also used during the first connection and after the end, for which there are separate views. */
export type Line =
  | { readonly kind: 'fine' | 'trying' | 'silent' | 'offline' | 'blocked' }
  | { readonly kind: 'waiting'; readonly seconds: number };

/** Seconds; what a server may ask for at a restart is well below. */
const LONGEST_PAUSE = 120;

/** The state of this connection to show at `now` (Date.now()'s clock). */
export function lineOf(connection: LineState, now: number): Line {
  switch (connection.state) {
    case 'open':
    case 'closed':
      return { kind: 'fine' };
    case 'connecting':
      return { kind: connection.attempt > 0 ? 'trying' : 'fine' };
    case 'silent':
      return { kind: connection.offline ? 'offline' : 'silent' };
    case 'waiting':
      return connection.offline ? { kind: 'offline' } : waiting(Math.ceil((connection.retryAt - now) / 1_000));
  }
}

function waiting(seconds: number): Line {
  // Longer than any possible pause: the clock was set back.
  return seconds <= 0 || seconds > LONGEST_PAUSE ? { kind: 'trying' } : { kind: 'waiting', seconds };
}

/** After this long without a message of its game, a page shows that its network may block the connection. */
export const BLOCKED_MS = 8_000;

/** The state to show after this long; a device without a network shows that instead. */
export function blocked(line: Line): Line {
  return line.kind === 'offline' ? line : { kind: 'blocked' };
}

/** Whether it is shown at once: it is certain and not a short gap. A socket that is being reopened may be open in a moment. */
export function isCertain({ kind }: Line): boolean {
  return kind === 'silent' || kind === 'offline' || kind === 'blocked';
}
