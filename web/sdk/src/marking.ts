// The marking desk's grouping: equal answers together, near misses and non-numbers first, and groups that differ by a typing error.
// Pure; used by the host page.

import { countsAs, isNumber, isOfSeveral, namedChoices } from './choices.ts';
import { fold } from './fold.ts';
import { QUESTION_KINDS } from './generated/limits.ts';
import type { QuestionBody, ReviewAnswer, ReviewGroup } from './generated/protocol.ts';
import { acceptedNumbers, readNumbers } from './number.ts';
import { likeness } from './similar.ts';

/** Answers with the same meaning. */
export interface AnswerGroup {
  /** What they have in common: the folded text, the number, the choice. Unique in a grouping, and the same in the next one. */
  readonly key: string;
  /** The exact texts, distinct, most frequent first, as `markAnswers` takes them. */
  readonly texts: readonly string[];
  /** The most frequent one. */
  readonly shown: string;
  readonly count: number;
  /** `partial`: each earns a part of the points, less than all and more than none. */
  readonly correct: boolean | 'mixed' | 'partial';
  /** The points of each answer that is partly right; 0 for other groups. */
  readonly partialPoints: number;
  /** Close to an accepted answer by the server's marking, however it counts now, so that marking moves no group. */
  readonly nearMiss: boolean;
  /** Whether the host has decided how each of its answers counts. */
  readonly ruled: boolean;
  /** Not readable as a number when one was asked for, so that marking could only be wrong. */
  readonly unreadable: boolean;
  /** Empty when the server groups them: then they are read in pages. */
  readonly answers: readonly ReviewAnswer[];
  /** Whether the server groups them, so that one of the texts stands for all answers. */
  readonly alike: boolean;
  /** Keys of groups that differ by a typing mistake, largest first; of `text` questions. */
  readonly like: readonly string[];
}

/** The properties of a question that grouping needs. */
type Asked = Pick<QuestionBody, 'type' | 'correctAnswers' | 'choices' | 'tolerance'>;

/**
 * Groups one question's answers: first those that marking may have got wrong, then by size. The caller leaves out answers to
 * other questions.
 */
export function groupAnswers(answers: readonly ReviewAnswer[], question: Asked): AnswerGroup[] {
  const keyOf = keyFor(question);
  const groups = new Map<string, ReviewAnswer[]>();
  for (const answer of answers) {
    const key = keyOf(answer.answer);
    const group = groups.get(key);
    if (group) group.push(answer);
    else groups.set(key, [answer]);
  }
  const numeric = isNumber(question.type);
  return withLike([...groups].map(([key, members]) => summary(key, members, numeric)), question);
}

/**
 * The groups of one question that the server has sent, in the same form and order. They are many: which of them are alike is found only when it
 * is asked for, and kept in `similar` for later groupings of the question.
 */
export function serverGroups(groups: Iterable<ReviewGroup>, question: Asked, similar = new Similar()): AnswerGroup[] {
  const ordered = [...groups].map(grouped).sort(byUrgency);
  if (!hasTexts(question)) return ordered;
  const table = similar.of(ordered);
  return ordered.map((group) => ({
    ...group,
    get like() {
      return table().get(group.key) ?? [];
    },
  }));
}

/** Which groups of a question are alike, as long as the groups are the same: marks do not change it. */
export class Similar {
  #keys = '';
  #table: (() => ReadonlyMap<string, readonly string[]>) | null = null;

  of(groups: readonly AnswerGroup[]): () => ReadonlyMap<string, readonly string[]> {
    const keys = JSON.stringify(groups.map(({ key }) => key).sort());
    if (keys !== this.#keys || this.#table === null) {
      const written = bySize(groups);
      let found: ReadonlyMap<string, readonly string[]> | null = null;
      this.#keys = keys;
      this.#table = () => (found ??= likeness(written));
    }
    return this.#table;
  }
}

function grouped({ key, texts, count, right = 0, partial = 0, ...marks }: ReviewGroup): AnswerGroup {
  const { partialPoints = 0, nearMiss = false, unread = false, ruled = false } = marks;
  const correct = right === count ? true : right + partial === 0 ? false : partial === count ? 'partial' : 'mixed';
  const shown = texts[0] ?? '';
  return { key, texts, shown, count, correct, partialPoints, nearMiss, ruled, unreadable: unread, answers: [], alike: true, like: [] };
}

/** In order, each with the groups that differ from it by a typing mistake. */
function withLike(groups: readonly AnswerGroup[], question: Asked): AnswerGroup[] {
  const ordered = [...groups].sort(byUrgency);
  if (!hasTexts(question)) return ordered;
  const like = likeness(bySize(ordered));
  return ordered.map((group) => ({ ...group, like: like.get(group.key) ?? [] }));
}

function bySize(groups: readonly AnswerGroup[]): { key: string; text: string }[] {
  return [...groups].sort((one, other) => other.count - one.count).map(({ key, shown }) => ({ key, text: shown }));
}

function hasTexts({ type }: Asked): boolean {
  return type === 'text' || isUnknown(type);
}

function isUnknown(type: string): boolean {
  return !QUESTION_KINDS.some((kind) => kind === type);
}

function keyFor({ type, correctAnswers, choices = [], tolerance = 0 }: Asked): (text: string) => string {
  if (isOfSeveral(type) || type === 'poll') return (text) => choicesKey(type, text, choices);
  if (type === 'multiple_choice' || type === 'true_false') return (text) => text.trim();
  if (!isNumber(type)) return fold;
  const accepted = acceptedNumbers(correctAnswers, tolerance);
  const off = (number: number): number => Math.min(...accepted.map((right) => Math.abs(right - number)));
  return (text) => {
    const [first, second = first] = readNumbers(text);
    if (first === undefined || second === undefined) return `${UNREADABLE}${fold(text)}`;
    // Of two readings, the one that marking uses.
    return String(off(second) < off(first) ? second : first);
  };
}

/** The same choices, however they are named; in their order only if the order was asked for. */
function choicesKey(type: string, text: string, choices: readonly string[]): string {
  const named = namedChoices(text, choices);
  if (named === null) return `${UNREADABLE}${fold(text)}`;
  const places = type === 'order' ? named : [...new Set(named)].sort((one, other) => one - other);
  return places.map((place) => choices[place] ?? '').join('\n');
}

/** The beginning of the key of a group that is not a number, or names no choices. */
const UNREADABLE = '? ';

function summary(key: string, answers: readonly ReviewAnswer[], numeric: boolean): AnswerGroup {
  const counts = new Map<string, number>();
  let right = 0;
  let wrong = 0;
  let partialPoints = 0;
  let nearMiss = false;
  for (const answer of answers) {
    counts.set(answer.answer, (counts.get(answer.answer) ?? 0) + 1);
    right += answer.correct ? 1 : 0;
    wrong += countsAs(answer, false) ? 1 : 0;
    partialPoints = Math.max(partialPoints, answer.partialPoints ?? 0);
    nearMiss ||= answer.nearMiss ?? false;
  }
  const texts = [...counts].sort(([, one], [, other]) => other - one).map(([text]) => text);
  const isPartial = right === 0 && wrong === 0;
  const correct = right === answers.length ? true : wrong === answers.length ? false : isPartial ? 'partial' : 'mixed';
  const shown = texts[0] ?? '';
  const unreadable = numeric && shown !== '' && key.startsWith(UNREADABLE);
  const ruled = answers.every((answer) => answer.ruled === true);
  return { key, texts, shown, count: answers.length, correct, partialPoints, nearMiss, ruled, unreadable, answers, alike: false, like: [] };
}

function byUrgency(one: AnswerGroup, other: AnswerGroup): number {
  const doubtful = (group: AnswerGroup): number => Number(group.nearMiss || group.unreadable);
  return doubtful(other) - doubtful(one) || other.count - one.count;
}
