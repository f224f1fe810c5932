// The timers of a round on this device's clock: when each has nothing left, and which questions are closed. Pure; used by Game.
//
// A message says how much was left when the server wrote it. It was under way for half a round trip at least, so the best
// one that was measured is taken off: a countdown ends early rather than late. Clocks of two devices are never compared.

import type { QuestionClosed, TimerUpdate } from './generated/protocol.ts';
import type { Envelope } from './socket.ts';

/** The timer of a question, or of the round. */
export interface GameTimer {
  /** The question that it closes; null for the round. */
  readonly questionId: string | null;
  /** Whether the time falls: false while the host holds the timers. */
  readonly running: boolean;
  /** What was left at `since`, in milliseconds. */
  readonly leftMs: number;
  /** When that was so, by the clock of the platform. */
  readonly since: number;
}

/** What is known of the timers of a round. */
export interface TimerState {
  readonly timers: readonly GameTimer[];
  /** Questions that take no answers any more. */
  readonly closed: ReadonlySet<string>;
}

/** Before any message, and when a round begins or ends. */
export const noTimers: TimerState = { timers: [], closed: new Set() };

/** Milliseconds that a timer has left at a moment of the platform's clock, never below 0. */
export function msLeft(timer: GameTimer, now: number): number {
  return timer.running ? Math.max(0, timer.leftMs - Math.max(0, now - timer.since)) : timer.leftMs;
}

/** The state after a message that came at `at`; the same object when it is about no timer. `roundTripMs`: the best one measured. */
export function timersAfter(state: TimerState, message: Envelope, at: number, roundTripMs: number): TimerState {
  switch (message.type) {
    case 'timer_update': {
      const { questionId = null, remainingMs, running } = message.payload as TimerUpdate;
      const underWay = running ? roundTripMs / 2 : 0;
      const timer = { questionId, running, leftMs: Math.max(0, remainingMs - underWay), since: at };
      const others = state.timers.filter((other) => other.questionId !== questionId);
      return { ...state, timers: [...others, timer] };
    }
    case 'question_closed': {
      const { questionId } = message.payload as QuestionClosed;
      const timers = state.timers.filter((timer) => timer.questionId !== questionId);
      return { timers, closed: new Set([...state.closed, questionId]) };
    }
    case 'round_started':
    case 'round_ended':
    case 'game_ended':
      return noTimers;
    default:
      return state;
  }
}

/** The timers that close a question: its own and the round's. */
export function timersOf(timers: readonly GameTimer[], questionId: string): readonly GameTimer[] {
  return timers.filter((timer) => timer.questionId === questionId || timer.questionId === null);
}
