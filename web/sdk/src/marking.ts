// The marking desk's grouping: equal answers together, near misses first, and which groups differ by a slip of the finger.
// Pure; used by the host page.

import { fold } from './fold.ts';
import type { QuestionBody, ReviewAnswer } from './generated/protocol.ts';
import { parseNumber } from './number.ts';
import { likeness } from './similar.ts';

/** Answers that say the same. */
export interface AnswerGroup {
  /** What makes them the same: the folded text, the number, the choice. Unique in a grouping, and the same in the next. */
  readonly key: string;
  /** The exact texts, distinct, most frequent first: what `markAnswers` wants. */
  readonly texts: readonly string[];
  /** The most frequent one. */
  readonly shown: string;
  readonly count: number;
  readonly correct: boolean | 'mixed';
  /** Close to an accepted answer, as the server's marking saw it; however it counts now, so that marking moves no group. */
  readonly nearMiss: boolean;
  readonly answers: readonly ReviewAnswer[];
  /** Keys of groups that differ by a typing mistake, largest first; of `text` questions. */
  readonly like: readonly string[];
}

/** Groups one question's answers: near misses first, then by size. The caller leaves out those to other questions. */
export function groupAnswers(
  answers: readonly ReviewAnswer[],
  question: Pick<QuestionBody, 'type' | 'correctAnswers' | 'choices'>,
): AnswerGroup[] {
  const keyOf = keyFor(question.type);
  const groups = new Map<string, ReviewAnswer[]>();
  for (const answer of answers) {
    const key = keyOf(answer.answer);
    const group = groups.get(key);
    if (group) group.push(answer);
    else groups.set(key, [answer]);
  }
  const ordered = [...groups].map(([key, members]) => summary(key, members)).sort(byUrgency);
  if (question.type !== 'text' && !isUnknown(question.type)) return ordered;
  const bySize = [...ordered].sort((one, other) => other.count - one.count);
  const like = likeness(bySize.map((group) => group.key));
  return ordered.map((group) => ({ ...group, like: like.get(group.key) ?? [] }));
}

function isUnknown(type: string): boolean {
  return !['text', 'multiple_choice', 'true_false', 'numeric'].includes(type);
}

function keyFor(type: string): (text: string) => string {
  if (type === 'multiple_choice' || type === 'true_false') return (text) => text.trim();
  if (type !== 'numeric') return fold;
  return (text) => {
    const number = parseNumber(text);
    return number === null ? `? ${fold(text)}` : String(number);
  };
}

function summary(key: string, answers: readonly ReviewAnswer[]): AnswerGroup {
  const counts = new Map<string, number>();
  let right = 0;
  let nearMiss = false;
  for (const answer of answers) {
    counts.set(answer.answer, (counts.get(answer.answer) ?? 0) + 1);
    right += answer.correct ? 1 : 0;
    nearMiss ||= answer.nearMiss ?? false;
  }
  const texts = [...counts].sort(([, one], [, other]) => other - one).map(([text]) => text);
  const correct = right === answers.length ? true : right === 0 ? false : 'mixed';
  return { key, texts, shown: texts[0] ?? '', count: answers.length, correct, nearMiss, answers, like: [] };
}

function byUrgency(one: AnswerGroup, other: AnswerGroup): number {
  return Number(other.nearMiss) - Number(one.nearMiss) || other.count - one.count;
}
