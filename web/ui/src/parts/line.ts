// What the connection bar says at a moment. Pure; ConnectionBar.svelte has the words and the clock.

/** A connection to a game; the SDK's `Connection` is one. */
export type LineState =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'open' | 'closed' }
  | { readonly state: 'silent'; readonly offline: boolean }
  | { readonly state: 'waiting'; readonly retryAt: number; readonly offline: boolean };

/** `fine` shows nothing: also while coming in for the first time, and when it is over, which views of their own say. */
export type Line =
  | { readonly kind: 'fine' | 'trying' | 'silent' | 'offline' | 'blocked' }
  | { readonly kind: 'waiting'; readonly seconds: number };

/** Seconds; what a server may ask for at a restart is well below. */
const LONGEST_PAUSE = 120;

/** What to say about this connection at `now` (Date.now()'s clock). */
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
  // Longer than any pause there is: the clock was set back.
  return seconds <= 0 || seconds > LONGEST_PAUSE ? { kind: 'trying' } : { kind: 'waiting', seconds };
}

/** A page that gets no word of its game for so long says that its network may not let it through. */
export const BLOCKED_MS = 8_000;

/** What to say when it has lasted for so long: a device without a network shows that instead. */
export function blocked(line: Line): Line {
  return line.kind === 'offline' ? line : { kind: 'blocked' };
}

/** Whether it is shown at once: it is known, and no short gap. A socket that is opened again may be there in a moment. */
export function isCertain({ kind }: Line): boolean {
  return kind === 'silent' || kind === 'offline' || kind === 'blocked';
}
