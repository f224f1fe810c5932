// The timers of a round by this device's clock: when each has nothing left, which questions are closed, when the autopilot
// takes its next step; and the break between two rounds. Pure; used by Game.
//
// A message states how much was left when the server wrote it. It was under way for at least half a round trip, so the best
// measured one is subtracted: a countdown ends early rather than late. Clocks of two devices are never compared, and the clock of this
// device is the platform's `steady`, which does not jump when the time is set.

import type { NextStep, TimerUpdate, ToAll, ToAllV1 } from './generated/protocol.ts';
import type { Envelope } from './socket.ts';

/** Time that falls by this device's clock. */
export interface TimeLeft {
  /** Whether it falls: false while the host holds the timers, and while the autopilot waits for the host. */
  readonly running: boolean;
  /** The time left at `since`, in milliseconds. */
  readonly leftMs: number;
  /** The time of that state, by the platform's `steady`; in a browser `performance.now()`. */
  readonly since: number;
}

/** The timer of a question, or of the round. */
export interface GameTimer extends TimeLeft {
  /** The question that it closes; null for the round. */
  readonly questionId: string | null;
  /** For the host: how much more than `leftMs` the player with the most extra time had. */
  readonly extraMs?: number;
}

/** The autopilot's next step. */
export interface ComingStep extends TimeLeft {
  readonly next: NextStep;
}

/** The break between two rounds. */
export interface BreakTime extends TimeLeft {
  /** The host's text for the break; empty when there is none. */
  readonly text: string;
}

/** The timers of a round, as far as they are known. */
export interface TimerState {
  readonly timers: readonly GameTimer[];
  /** Questions that accept no more answers. */
  readonly closed: ReadonlySet<string>;
  /** Those of them whose own time was over when they closed. */
  readonly timedOut: ReadonlySet<string>;
  /** The autopilot's next step; null while a question is open, and while no autopilot runs. */
  readonly step: ComingStep | null;
  /** The break; null while there is none. */
  readonly pause: BreakTime | null;
}

/** The messages about timers that only this module takes in. */
export type TimerMessage = 'timer_update' | 'question_closed' | 'autopilot_step' | 'break_update';

/** The state before any message, and when a round begins or ends. */
export const noTimers: TimerState = { timers: [], closed: new Set(), timedOut: new Set(), step: null, pause: null };

/** Milliseconds that a timer has left at a moment of the platform's `steady` clock, never below 0. */
export function msLeft(timer: TimeLeft, now: number): number {
  return timer.running ? Math.max(0, timer.leftMs - Math.max(0, now - timer.since)) : timer.leftMs;
}

/** The state after a message that came at `at`; the same object when it concerns no timer. `roundTripMs`: the best one measured. */
export function timersAfter(state: TimerState, message: Envelope, at: number, roundTripMs: number): TimerState {
  const heard = message as ToAll | ToAllV1;
  switch (heard.type) {
    case 'timer_update': {
      const { questionId = null, extraMs, ...left } = heard.payload;
      const timer = { questionId, ...counted(left, at, roundTripMs), ...(extraMs !== undefined && { extraMs }) };
      const others = state.timers.filter((other) => other.questionId !== questionId);
      return { ...state, timers: [...others, timer] };
    }
    case 'question_closed': {
      const { questionId } = heard.payload;
      const timers = state.timers.filter((timer) => timer.questionId !== questionId);
      const isOver = state.timers.some((timer) => timer.questionId === questionId && msLeft(timer, at) === 0);
      const timedOut = isOver ? new Set([...state.timedOut, questionId]) : state.timedOut;
      return { ...state, timers, timedOut, closed: new Set([...state.closed, questionId]) };
    }
    case 'autopilot_step': {
      const { next, ...left } = heard.payload;
      return { ...state, step: { next, ...counted(left, at, roundTripMs) } };
    }
    case 'break_update': {
      const { remainingMs, text = '' } = heard.payload;
      if (remainingMs === undefined) return state.pause === null ? state : { ...state, pause: null };
      return { ...state, pause: { text, ...counted({ remainingMs, running: true }, at, roundTripMs) } };
    }
    case 'question_released':
    case 'autopilot_status':
      return state.step === null ? state : { ...state, step: null };
    case 'round_started':
    case 'round_ended':
    case 'game_ended':
      return noTimers;
    default:
      return state;
  }
}

function counted(left: Pick<TimerUpdate, 'remainingMs' | 'running'>, at: number, roundTripMs: number): TimeLeft {
  const underWay = left.running ? roundTripMs / 2 : 0;
  return { running: left.running, leftMs: Math.max(0, left.remainingMs - underWay), since: at };
}

/** The timers that close a question: its own and the round's. */
export function timersOf(timers: readonly GameTimer[], questionId: string): readonly GameTimer[] {
  return timers.filter((timer) => timer.questionId === questionId || timer.questionId === null);
}
