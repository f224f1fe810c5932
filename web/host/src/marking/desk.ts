// The content of the marking desk: for each question the groups of equal answers, and how many of them have to be checked. Pure; the SDK
// does the grouping. It keeps its groups while a question's answers stay the same, because every mark brings a new list of all answers.

import { type AnswerGroup, groupAnswers, type GroupedReview, type Marked, type ReviewAnswer, serverGroups, Similar } from '$sdk';

import type { SheetLine } from '../run/sheet.ts';

/** A question on the desk. */
export interface DeskQuestion {
  readonly line: SheetLine;
  readonly groups: readonly AnswerGroup[];
  /** Answers given, credited ones without an answer included. */
  readonly given: number;
  readonly right: number;
  readonly answers: readonly ReviewAnswer[];
  /** The players who have an entry here. */
  readonly players: ReadonlySet<string>;
  /** What the server has counted, when it groups the answers: then `answers` and `players` are empty. */
  readonly counted: GroupedReview | null;
}

/**
 * Makes the desk of a round, one per page, so that it remembers. A group keeps the place where it first appeared: an accepted group is no
 * longer a near miss, and must not move away under the host's hand.
 */
export class Desk {
  readonly #known = new Map<string, DeskQuestion>();
  /** By question. */
  readonly #similar = new Map<string, Similar>();

  /** The released questions with their groups, in order of release. */
  of(lines: readonly SheetLine[], review: readonly ReviewAnswer[]): readonly DeskQuestion[] {
    const byQuestion = new Map<string, ReviewAnswer[]>(lines.map((line) => [line.id, []]));
    for (const answer of review) byQuestion.get(answer.questionId)?.push(answer);
    return lines.map((line) => this.#question(line, byQuestion.get(line.id) ?? []));
  }

  /** The same, from the groups of the server. */
  ofGroups(lines: readonly SheetLine[], review: ReadonlyMap<string, GroupedReview>): readonly DeskQuestion[] {
    return lines.flatMap((line) => {
      const counted = review.get(line.id);
      return counted ? [this.#grouped(line, counted)] : [];
    });
  }

  #grouped(line: SheetLine, counted: GroupedReview): DeskQuestion {
    const known = this.#known.get(line.id);
    if (known?.counted === counted) return known;
    const similar = this.#similar.get(line.id) ?? new Similar();
    this.#similar.set(line.id, similar);
    const groups = inPlace(serverGroups(counted.groups.values(), askedOf(line), similar), known?.groups ?? []);
    const question = { line, groups, given: counted.answers, right: counted.right, answers: [], players: new Set<string>(), counted };
    this.#known.set(line.id, question);
    return question;
  }

  #question(line: SheetLine, answers: readonly ReviewAnswer[]): DeskQuestion {
    const known = this.#known.get(line.id);
    if (known?.counted === null && sameEntries(known.answers, answers)) return known;
    const question: DeskQuestion = {
      line,
      groups: inPlace(groupAnswers(answers, askedOf(line)), known?.groups ?? []),
      given: answers.length,
      right: answers.filter((answer) => answer.correct).length,
      answers,
      players: new Set(answers.map((answer) => answer.playerId)),
      counted: null,
    };
    this.#known.set(line.id, question);
    return question;
  }
}

/** Whether the mark of this group may be wrong: it is a near miss or not a number, and has no points. */
export function isDoubtful(group: AnswerGroup): boolean {
  return (group.nearMiss || group.unreadable) && group.correct !== true && group.correct !== 'partial';
}

/** The doubtful groups without a decision. */
export function leftToCheck(
  question: DeskQuestion,
  isDecided: (questionId: string, group: AnswerGroup) => boolean,
): readonly AnswerGroup[] {
  return question.groups.filter((group) => isDoubtful(group) && !isDecided(question.line.id, group));
}

/** How many doubtful groups without a decision there are, with those that the server has not sent yet. */
export function countLeft(question: DeskQuestion, isDecided: (questionId: string, group: AnswerGroup) => boolean): number {
  const sent = question.groups.filter((group) => isDoubtful(group) && !group.ruled).length;
  return leftToCheck(question, isDecided).length + Math.max((question.counted?.toCheck ?? 0) - sent, 0);
}

/** How many groups the server has not sent. */
export function unlisted({ counted }: DeskQuestion): number {
  return counted ? Math.max(counted.total - counted.groups.size, 0) : 0;
}

/** A group among those of all questions. */
export interface DeskPlace {
  readonly question: string;
  readonly group: string;
}

/**
 * The next doubtful group without a decision, after this place: in its question, in the questions after it, then from the first question
 * on. Null when no other is left.
 */
export function nextToCheck(
  questions: readonly DeskQuestion[],
  isDecided: (questionId: string, group: AnswerGroup) => boolean,
  from: DeskPlace,
): DeskPlace | null {
  const places = questions.flatMap((question) => question.groups.map((group) => ({ question: question.line.id, group })));
  const at = places.findIndex(({ question, group }) => question === from.question && group.key === from.group);
  const others = [...places.slice(at + 1), ...places.slice(0, Math.max(at, 0))];
  const next = others.find(({ question, group }) => isDoubtful(group) && !isDecided(question, group));
  return next ? { question: next.question, group: next.group.key } : null;
}

/** The groups that a marking changed. */
export function groupsWith(question: DeskQuestion, { playerIds, groups }: Pick<Marked, 'playerIds' | 'groups'>): readonly AnswerGroup[] {
  const [players, keys] = [new Set(playerIds), new Set(groups)];
  return question.groups.filter(({ key, answers }) => keys.has(key) || answers.some((answer) => players.has(answer.playerId)));
}

/** The key of a group among those of all questions. */
export function groupKey(questionId: string, key: string): string {
  return `${questionId} ${key}`;
}

/** The most answers that are accepted at once; no host reads more before that. */
const MOST_COMPANIONS = 8;

/**
 * The similar groups that do not count as right yet, to be accepted together with this one. None when there are too many for the similarity
 * to have a meaning, as with numbered team names.
 */
export function companions(question: DeskQuestion, group: AnswerGroup): readonly AnswerGroup[] {
  const like = new Set(group.like);
  const found = question.groups.filter((other) => like.has(other.key) && other.correct !== true);
  return found.length <= MOST_COMPANIONS ? found : [];
}

/**
 * The texts by which groups are marked: all of them, or one when that stands for the group. An empty text is only a credit and not an answer,
 * and cannot be marked by its text.
 */
export function textsOf(groups: readonly AnswerGroup[]): readonly string[] {
  return [...new Set(groups.flatMap(({ alike, shown, texts }) => (alike ? [shown] : texts)))].filter((text) => text !== '');
}

/** The accepted answer that is closest to this text, to be shown beside it. */
export function nearestKey(keys: readonly string[], text: string): string {
  const from = text.toLowerCase();
  const distances = keys.map((key) => distance(key.toLowerCase(), from));
  return keys[distances.indexOf(Math.min(...distances))] ?? '';
}

/** Levenshtein's distance; keys and texts are short. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

function askedOf({ type, keys, choices, tolerance }: SheetLine): Parameters<typeof groupAnswers>[1] {
  return { type, correctAnswers: [...keys], choices: [...choices], tolerance };
}

function inPlace(groups: readonly AnswerGroup[], before: readonly AnswerGroup[]): readonly AnswerGroup[] {
  const places = new Map(before.map((group, index) => [group.key, index]));
  const place = (group: AnswerGroup): number => places.get(group.key) ?? before.length;
  return [...groups].sort((one, other) => place(one) - place(other));
}

function sameEntries(one: readonly ReviewAnswer[], other: readonly ReviewAnswer[]): boolean {
  return one.length === other.length && one.every((answer, index) => answer === other[index]);
}
