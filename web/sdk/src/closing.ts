// What a close of the socket requires, and how long to wait. Pure; used by GameSocket. It uses the ranges of the contract (40xx
// refused, 41xx trouble, 42xx at once, 44xx stop), so a number of a later server is understood, too; a test compares it with the
// generated table.

import type { ClosedBecause } from './view.ts';

/** The first pause is between 0 and this; it doubles with every attempt up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** After "too many messages" the next attempt waits at least this long. */
const RATE_PAUSE_MS = 2_000;

/** Another connection with the same token has replaced this one. */
export const REPLACED = 4409;
/** A close after which a client connects again at once. */
export const AT_ONCE = 4200;

const STOPS: Readonly<Record<number, ClosedBecause>> = {
  1000: 'game_over',
  4401: 'unauthorized',
  4403: 'forbidden',
  4404: 'game_not_found',
  [REPLACED]: 'replaced',
  4411: 'removed',
};

/** The meaning of a close. */
export type Verdict =
  | { readonly then: 'stop'; readonly why: ClosedBecause }
  | {
      readonly then: 'reconnect';
      /** The oldest message without an answer was refused: it must not be sent again. */
      readonly refused: boolean;
      readonly pauseMs: number;
      /** The server chose the pause; nothing shortens it. */
      readonly imposed: boolean;
    };

/** Interprets a close; `attempt` counts the attempts since a connection last held, `chance` is in [0, 1). */
export function judge(code: number, reason: string, attempt: number, chance: number): Verdict {
  const range = Math.floor(code / 100);
  if (code === 1000 || range === 44) return { then: 'stop', why: STOPS[code] ?? 'game_closed' };
  const refused = (range === 40 && code !== 4008) || [1002, 1003, 1007, 1009].includes(code);
  const asked = retryWindow(reason);
  if (asked !== null) {
    const [from, to] = asked;
    return { then: 'reconnect', refused, pauseMs: (from + chance * (to - from)) * 1_000, imposed: true };
  }
  if (range === 42 && attempt === 0) return { then: 'reconnect', refused, pauseMs: 0, imposed: false };
  const pause = chance * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return { then: 'reconnect', refused, pauseMs: code === 4008 ? RATE_PAUSE_MS + pause : pause, imposed: code === 4008 };
}

/** `…; retry=a-b`, in seconds. */
function retryWindow(reason: string): [number, number] | null {
  const found = /; retry=(\d{1,5})-(\d{1,5})(?:;|$)/.exec(reason);
  const [from, to] = [Number(found?.[1]), Number(found?.[2])];
  return from <= to ? [from, to] : null;
}
