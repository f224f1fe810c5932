// The one time that the head of a running game shows, and whom a timer's extra time is for. Pure; drawn by ClockChip.svelte.

import type { ComingStep, GameTimer, HostView } from '$sdk';

/** The seconds that one press adds. */
export const MORE = 10;

/** What runs: a break, a timer, the autopilot's pause before its next step, or the autopilot while nothing is timed. */
export type Clock =
  | { readonly kind: 'break'; readonly time: NonNullable<HostView['pause']> }
  | { readonly kind: 'timer'; readonly time: GameTimer }
  | { readonly kind: 'step'; readonly time: ComingStep }
  | { readonly kind: 'autopilot' };

/** The clock to show; null while nothing runs. Of several timers the one that ends first. */
export function clockOf(view: HostView): Clock | null {
  if (view.phase === 'ended') return null;
  if (view.pause) return { kind: 'break', time: view.pause };
  const [first] = [...view.timers].sort((one, other) => endOf(one) - endOf(other));
  if (first) return { kind: 'timer', time: first };
  if (view.nextStep) return { kind: 'step', time: view.nextStep };
  return view.autopilot ? { kind: 'autopilot' } : null;
}

/** The names of the players with extra time who are here and can still answer before this timer closes. */
export function waitedFor(view: HostView, { questionId, extraMs }: GameTimer): readonly string[] {
  if (extraMs === undefined) return [];
  const open = view.questions.filter(({ question, closed }) => !closed && (questionId === null || question.id === questionId));
  const isSlow = ({ id, status, extraTime = 100 }: HostView['room'][number]): boolean =>
    status === 'connected' && extraTime > 100 && open.some(({ answeredBy }) => !answeredBy.has(id));
  return view.room.filter(isSlow).map(({ displayName }) => displayName);
}

/** The same timer for the player with the most extra time. */
export function longest(timer: GameTimer): GameTimer {
  return { ...timer, leftMs: timer.leftMs + (timer.extraMs ?? 0) };
}

/** On the clock of this device; held timers keep their order. */
function endOf({ since, leftMs }: GameTimer): number {
  return since + leftMs;
}
