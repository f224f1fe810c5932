// The sheet of the round that is being played: the frozen quiz's questions with their keys, and the state of each.
// Pure; drawn by Sheet.svelte. Only for the host's own eyes: the screen's picture is made in screenview.ts.

import type { Game, HostView, QuestionBody, QuestionMedia } from '$sdk';

/** A line of the sheet. */
export interface SheetLine {
  readonly id: string;
  /** Its place in the quiz's own order, from 1: the number on the host's paper. */
  readonly position: number;
  readonly text: string;
  readonly type: string;
  readonly choices: readonly string[];
  /** The accepted answers; the first is shown as the right one. */
  readonly keys: readonly string[];
  readonly tolerance: number;
  readonly points: number;
  /** The explanation shown with the answer; empty when there is none. */
  readonly explanation: string;
  /** The note that only the host sees; empty when there is none. */
  readonly hostNote: string;
  /** Its picture or its sound. */
  readonly media?: QuestionMedia;
  /** Its number on the phones, once it is released. */
  readonly released: number | null;
  /** Whether its text was edited after its release. */
  readonly corrected: boolean;
  /** Whether it was withdrawn from the round. */
  readonly withdrawn: boolean;
}

/** Points of a question that names none. */
const DEFAULT_POINTS = 1000;

/** The round that counts now, from 1. */
export function currentRound(game: Game, view: Pick<HostView, 'round'>): number {
  return view.round?.round ?? game.currentRound;
}

/** The title of the current round; empty when it has none. */
export function roundTitle(game: Game, view: HostView): string {
  return view.round?.title ?? game.rounds[currentRound(game, view) - 1]?.title ?? '';
}

/** The number of a question for players: in a game that goes question by question, its place in the round of the quiz. */
export function numberIn({ round }: Partial<Pick<HostView, 'round'>>, number: number): number {
  return (round?.section?.questionIndex ?? 0) + number;
}

/** The part of the view from which the sheet is made. */
type Shown = Pick<HostView, 'round' | 'phase' | 'questions'> & Partial<Pick<HostView, 'words' | 'corrected' | 'withdrawn'>>;

/** The lines of the current round, in the quiz's order. */
export function sheetOf(game: Game, view: Shown): readonly SheetLine[] {
  const released = releasedIn(game, view);
  const questions = game.rounds[currentRound(game, view) - 1]?.questions ?? [];
  return questions.map((question, index) => lineOf(worded(question, view), numberIn(view, index + 1), [released, view]));
}

/** Any question of the game with its key, in the words that the host gave it since; null when the game has none of this id. */
export function askedIn(game: Game, view: Pick<HostView, 'words'>, questionId: string): Pick<SheetLine, 'text' | 'type' | 'keys' | 'tolerance'> | null {
  const question = game.rounds.flatMap(({ questions }) => questions).find(({ id }) => id === questionId);
  if (!question) return null;
  const { text, type, correctAnswers, tolerance = 0 } = worded(question, view);
  return { text, type, keys: correctAnswers, tolerance };
}

/** The released questions of the round, in order of release. */
export function releasedLines(lines: readonly SheetLine[]): readonly SheetLine[] {
  return lines
    .filter((line) => line.released !== null)
    .sort((one, other) => (one.released ?? 0) - (other.released ?? 0));
}

/** The question to release next: the host's choice while it is unreleased, otherwise the first unreleased one. */
export function selectedLine(lines: readonly SheetLine[], chosen: string | null): SheetLine | null {
  const coming = lines.filter((line) => line.released === null);
  return coming.find((line) => line.id === chosen) ?? coming[0] ?? null;
}

/** The unreleased question `step` lines away from the selected one; stops at the ends. */
export function neighbour(lines: readonly SheetLine[], selected: string | null, step: 1 | -1): string | null {
  const coming = lines.filter((line) => line.released === null);
  const at = coming.findIndex((line) => line.id === selected);
  return coming[Math.min(Math.max(at + step, 0), coming.length - 1)]?.id ?? null;
}

/** The number of each released question on the phones. */
type Released = ReadonlyMap<string, number>;

/**
 * While a round is open the socket sends its questions, but not once it is closed. After a reload, or when another window has continued the
 * round, the game as last read knows more.
 */
function releasedIn(game: Game, view: Pick<HostView, 'round' | 'phase' | 'questions'>): Released {
  const open = [...view.questions].sort((one, other) => one.number - other.number).map(({ question }) => question.id);
  const isClosed = view.phase === 'round_review' || view.phase === 'leaderboard' || view.phase === 'ended';
  const isRead = isClosed && game.currentRound === currentRound(game, view) && game.released.length >= open.length;
  return new Map((isRead ? game.released : open).map((id, index) => [id, numberIn(view, index + 1)]));
}

/** A question in the words that the host gave it since the game was read; its key follows the choices. */
function worded(question: QuestionBody, { words }: Pick<Shown, 'words'>): QuestionBody {
  const edited = words?.get(question.id ?? '');
  if (!edited) return question;
  const { text, choices = question.choices, accepted } = edited;
  const keyOf = (key: string): string => choices?.[question.choices?.indexOf(key) ?? -1] ?? key;
  return { ...question, text, ...(choices && { choices }), correctAnswers: accepted ?? question.correctAnswers.map(keyOf) };
}

function lineOf(question: QuestionBody, position: number, [released, view]: readonly [Released, Shown]): SheetLine {
  const id = question.id ?? String(position);
  return {
    id,
    position,
    text: question.text,
    type: question.type,
    choices: question.choices ?? [],
    keys: question.correctAnswers,
    tolerance: question.tolerance ?? 0,
    points: question.points ?? DEFAULT_POINTS,
    explanation: question.explanation ?? '',
    hostNote: question.hostNote ?? '',
    ...(question.media && { media: question.media }),
    released: released.get(id) ?? null,
    corrected: view.corrected?.includes(id) ?? false,
    withdrawn: view.withdrawn?.includes(id) ?? false,
  };
}
