// The players in the room: each seat's state, the counts, and the filter. Pure; drawn by Room.svelte.

import type { HostQuestion, HostView, ReviewAnswer, RoomPlayer, TeamDevice } from '$sdk';

/**
 * The present state of a player. In phases without open questions all connected players are `here`; players without a phone are `paper`.
 * A player without an answer to a question is `thinking` while it is open, and has `missed` it once it is closed.
 */
export type Doing = 'answered' | 'thinking' | 'missed' | 'here' | 'offline' | 'paper';

/** A row of the room. */
export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly doing: Doing;
  /** Open questions answered; what a player sent before going offline counts. */
  readonly answered: number;
  /** Whether the player has played the joker for the round that is played or comes next. */
  readonly joker: boolean;
  /** Whether the player has had no phone so far. */
  readonly onPaper: boolean;
  /** How many times another phone has taken the seat. */
  readonly moves: number | undefined;
  /** The phones of a team, in order of joining; none for a player with one phone. */
  readonly devices: readonly TeamDevice[];
}

/** The round, from 1, for which jokers can be played now, or that is played; how many have played theirs for it. */
export interface Jokers {
  readonly round: number;
  readonly played: number;
}

/** Null where no joker can be played, and none is. */
export function jokersOf(view: HostView): Jokers | null {
  const round = view.jokerRound ?? view.round?.round ?? null;
  if (round === null || view.phase === 'ended') return null;
  const played = view.room.filter(({ joker, status }) => joker === round && status !== 'gone').length;
  return view.jokerRound === null && played === 0 ? null : { round, played };
}

/** The number of players in each state. */
export interface RoomCounts {
  readonly all: number;
  readonly answered: number;
  readonly thinking: number;
  readonly missed: number;
  readonly offline: number;
}

/** Which rows to show. */
export type RoomFilter = 'all' | 'answered' | 'thinking' | 'missed' | 'offline';

/** Above this many seats the server sends numbers only. */
export const ROOM_LIMIT = 2000;

/** All players with a seat, in order of joining. */
export function peopleOf(view: HostView): readonly Person[] {
  const open = view.phase === 'question' ? view.questions : [];
  const doubled = jokersOf(view)?.round;
  const isDoubled = ({ joker }: RoomPlayer) => joker !== undefined && joker === doubled;
  const here = view.room.filter((seat) => seat.status !== 'gone');
  return here.map((seat) => ({ ...personOf(seat, open), joker: isDoubled(seat) }));
}

/** The counts; from the server's totals when the seats themselves are not listed. */
export function countsOf(view: HostView, people: readonly Person[]): RoomCounts {
  const isListed = people.length > 0 || view.playerTotal === 0;
  if (!isListed) return { all: view.playerTotal, answered: 0, thinking: 0, missed: 0, offline: view.playerTotal - view.connectedTotal };
  const doing = (what: Doing): number => people.filter((person) => person.doing === what).length;
  const [answered, thinking, missed, offline] = [doing('answered'), doing('thinking'), doing('missed'), doing('offline')];
  return { all: people.length, answered, thinking, missed, offline };
}

/** How many players have answered a question, and out of how many. */
export interface Answered {
  readonly answered: number;
  readonly of: number;
}

/**
 * The number of answers and of players who are connected or have answered: a player who is away without an answer is not waited for. Where
 * the server does not name the players who have answered, its totals are used.
 */
export function answeredOf(view: HostView, open: HostQuestion): Answered {
  if (open.answeredBy.size === 0) {
    return { answered: Math.min(open.answerCount, view.connectedTotal), of: view.connectedTotal };
  }
  const seated = view.room.filter((seat) => seat.status !== 'gone');
  const answered = seated.filter((seat) => open.answeredBy.has(seat.id));
  const waitedFor = seated.filter((seat) => seat.status === 'connected' && !open.answeredBy.has(seat.id));
  return { answered: answered.length, of: answered.length + waitedFor.length };
}

/** Who has answered a question: all who are waited for, or all phones, while answers of teams on paper are missing; null for neither. */
export function whoAnswered(view: HostView, open: HostQuestion): 'all' | 'phones' | null {
  const { answered, of } = answeredOf(view, open);
  if (of === 0 || answered < of) return null;
  return onPaper(view).every(({ id }) => open.answeredBy.has(id)) ? 'all' : 'phones';
}

/** The players who are here and have not answered a question, in order of joining; none where the server does not name those who have. */
export function missingIn(view: HostView, { answeredBy, answerCount }: HostQuestion): readonly RoomPlayer[] {
  if (answeredBy.size === 0 && answerCount > 0) return [];
  return view.room.filter((seat) => seat.status === 'connected' && seat.onPaper !== true && !answeredBy.has(seat.id));
}

/** The rows that match the filter and the typed part of a name. */
export function filtered(people: readonly Person[], filter: RoomFilter, typed: string): readonly Person[] {
  const part = fold(typed);
  return people.filter(
    (person) =>
      (filter === 'all' || person.doing === filter) && (part === '' || fold(person.displayName).includes(part)),
  );
}

/** The players who have had no phone so far, in order of joining. */
export function onPaper(view: HostView): readonly RoomPlayer[] {
  return view.room.filter((seat) => seat.onPaper === true);
}

/** The answer that was entered for a player without a phone; empty when there is none. */
export function enteredBy(view: HostView, playerId: string, questionId: string): string {
  return view.entered.find((answer) => answer.playerId === playerId && answer.questionId === questionId)?.answer ?? '';
}

/** How many answers of players without a phone to these questions have not been entered yet. */
export function leftOnPaper(view: HostView, lines: readonly { readonly id: string }[]): number {
  const left = (playerId: string) => lines.filter(({ id }) => enteredBy(view, playerId, id) === '').length;
  return onPaper(view).reduce((sum, { id }) => sum + left(id), 0);
}

/** The ids of all players with a seat. */
export function seatsOf(view: HostView): ReadonlySet<string> {
  return new Set(view.room.map(({ id }) => id));
}

/** Those of these seats whose players did not come late. */
export function inTimeOf(seats: ReadonlySet<string>, latecomers: readonly string[] = []): ReadonlySet<string> {
  return new Set([...seats].filter((id) => !latecomers.includes(id)));
}

/** Players without an answer to this question, out of those who were in the game before it was closed, if that is known. */
export function withoutAnswer(
  view: HostView,
  answeredBy: ReadonlySet<string>,
  inTime: ReadonlySet<string> | null,
): readonly RoomPlayer[] {
  const could = view.room.filter((seat) => seat.status !== 'gone' && (inTime === null || inTime.has(seat.id)));
  return could.filter((seat) => !answeredBy.has(seat.id));
}

/**
 * The answers to be marked, without those of players removed since the round was closed, for whom marks have no effect. Where seats are not
 * listed, all answers.
 */
export function reviewOf(view: HostView): readonly ReviewAnswer[] | null {
  if (view.review === null || view.room.length === 0) return view.review;
  const here = new Set(view.room.map((seat) => seat.id));
  return view.review.filter((answer) => here.has(answer.playerId));
}

function personOf(seat: RoomPlayer, open: readonly HostQuestion[]): Omit<Person, 'joker'> {
  const answered = open.filter((question) => question.answeredBy.has(seat.id)).length;
  const { id, displayName, moves, devices = [] } = seat;
  return { id, displayName, doing: doingOf(seat, open, answered), answered, onPaper: seat.onPaper === true, moves, devices };
}

function doingOf(seat: RoomPlayer, open: readonly HostQuestion[], answered: number): Doing {
  const hasAll = open.length > 0 && answered === open.length;
  if (seat.onPaper === true) return hasAll ? 'answered' : 'paper';
  if (seat.status !== 'connected') return 'offline';
  if (open.length === 0) return 'here';
  if (hasAll) return 'answered';
  return open.every(({ closed, answeredBy }) => closed || answeredBy.has(seat.id)) ? 'missed' : 'thinking';
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
