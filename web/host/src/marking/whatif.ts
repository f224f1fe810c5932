// What a correction would do, in a sentence: how many players or teams gain or lose points, and who would lead. Pure; drawn by
// WhatIf.svelte.

import type { WhatIfOutcome } from '$sdk';
import * as m from '$words/generated/messages.js';
import { count } from '$words/sentence.ts';

import { isolated, listed } from '../run/isolate.ts';

/** The names on a place that are written out; of more, one fewer and how many others. */
const NAMES = 3;
/** The length up to which an answer is written out. */
const LONGEST = 32;

/** How the sentence is put. */
export interface Manner {
  /** Whether teams play. */
  readonly hasTeams: boolean;
  /** Whether it says who would lead: not before the points of the round are out. */
  readonly hasPlaces: boolean;
}

/** What the corrections would do. */
export function outcomeWords({ before, after, changes }: WhatIfOutcome, { hasTeams, hasPlaces }: Manner): string {
  const differences = changes.map(({ scoreBefore, scoreAfter }) => scoreAfter - scoreBefore);
  const gains = differences.filter((points) => points > 0);
  const losses = differences.filter((points) => points < 0).map((points) => -points);
  const parts = [
    gains.length > 0 && (hasTeams ? m.run_what_if_gain_teams : m.run_what_if_gain)({ count: gains.length, points: pointsWords(gains) }),
    losses.length > 0 && (hasTeams ? m.run_what_if_lose_teams : m.run_what_if_lose)({ count: losses.length, points: pointsWords(losses) }),
    hasPlaces && firstWords(leaders(before), leaders(after)),
  ];
  const said = parts.filter((part) => typeof part === 'string');
  return said.length > 0 ? said.join(' ') : m.run_what_if_none();
}

/** What accepting an answer would give; empty when it gives no one anything. */
export function acceptingWords(answer: string, { changes }: WhatIfOutcome, hasTeams: boolean): string {
  const gains = changes.map(({ scoreBefore, scoreAfter }) => scoreAfter - scoreBefore).filter((points) => points > 0);
  if (gains.length === 0) return '';
  const words = hasTeams ? m.run_what_if_accept_teams : m.run_what_if_accept;
  return words({ answer: isolated(shortened(answer)), count: gains.length, points: pointsWords(gains) });
}

/** “2 points”, or “2 to 4 points” where it is not the same for all. */
function pointsWords(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const points = m.everywhere_points({ count: most, points: count(most) });
  return least === most ? points : m.run_what_if_range({ least: count(least), points });
}

interface Leader {
  readonly playerId: string;
  readonly displayName: string;
}

function leaders(board: WhatIfOutcome['before']): readonly Leader[] {
  return board.filter(({ rank }) => rank === 1);
}

/** Empty when the same lead, and when no one led before. */
function firstWords(before: readonly Leader[], after: readonly Leader[]): string | null {
  const isSame = before.length === after.length && before.every(({ playerId }) => after.some((other) => other.playerId === playerId));
  if (isSame || before.length === 0 || after.length === 0) return null;
  return m.run_what_if_first({ before: namesOf(before), after: namesOf(after) });
}

function namesOf(leading: readonly Leader[]): string {
  const names = leading.map(({ displayName }) => displayName);
  if (names.length <= NAMES) return listed(names, ', ');
  const others = names.length - (NAMES - 1);
  return `${listed(names.slice(0, NAMES - 1), ', ')} ${m.run_podium_more({ count: others })}`;
}

function shortened(answer: string): string {
  const line = answer.replace(/\s+/g, ' ');
  const signs = [...line];
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST).join('').trimEnd()}…` : line;
}
