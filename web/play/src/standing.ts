// The state of an answer in one word, for the line below a question. Pure; the components have the sentences.

import type { PlayerQuestion, PlayerView } from '$sdk';
import { hasChoices, isNumber } from '$sdk/choices.ts';
import { readNumbers } from '$sdk/number.ts';

/** The state that the line below an open question shows. */
export type Standing =
  | 'none'
  | 'draft'
  | 'change'
  | 'sending'
  | 'changing'
  | 'kept'
  | 'stored'
  /** Stored, to a question for a number, and no number can be read in it. */
  | 'words'
  | 'shared'
  | 'overtaken'
  | 'suggesting'
  | 'suggested'
  | 'elsewhere'
  | 'refused';

/** The outcome of a question after the round. */
export type Outcome = 'none' | 'unsent' | 'stored' | 'elsewhere' | 'missed' | 'missed_change' | 'unsure';

/** The state of an open question. `connected` means that messages in transit can arrive, `suggests` that this phone only suggests. */
export function standingOf(each: PlayerQuestion, connected: boolean, suggests = false): Standing {
  if (suggests) return suggestionOf(each, connected);
  if (each.state === 'sending' || each.state === 'changing') return connected ? each.state : 'kept';
  if (each.overtaken) return 'overtaken';
  if (each.draft !== null) return each.state === 'stored' && each.storedAnswer !== null ? 'change' : 'draft';
  if (each.missed) return 'refused';
  if (each.state === 'none') return 'none';
  if (each.storedAnswer === null) return 'elsewhere';
  if (isNumber(each.question.type) && readNumbers(each.storedAnswer).length === 0) return 'words';
  return each.by === null ? 'stored' : 'shared';
}

function suggestionOf({ draft, answer, suggestions }: PlayerQuestion, connected: boolean): Standing {
  if (draft !== null) return 'draft';
  if (answer === null) return 'none';
  if (suggestions.some((each) => each.answer === answer)) return 'suggested';
  return connected ? 'suggesting' : 'kept';
}

/** The outcome of a question of a past round. It states clearly what was not stored. */
export function outcomeOf(each: PlayerQuestion): Outcome {
  if (each.unsure) return 'unsure';
  if (each.missed) return each.state === 'stored' ? 'missed_change' : 'missed';
  if (each.state === 'stored') return each.storedAnswer === null ? 'elsewhere' : 'stored';
  if (each.state !== 'none') return 'unsure';
  return each.draft === null ? 'none' : 'unsent';
}

/**
 * The sign beside an outcome. Beside a right answer, the tick of a stored one would mean that it is right, so it has none there.
 */
export function outcomeSign(outcome: Outcome, isRevealed: boolean): 'none' | 'going' | 'stored' | 'bad' | 'plain' {
  if (outcome === 'stored' || outcome === 'elsewhere') return isRevealed ? 'plain' : 'stored';
  if (outcome === 'none') return 'none';
  return outcome === 'unsure' ? 'going' : 'bad';
}

/** The value of `data-state`: the answer's state, and `missed` when it was not stored. */
export function stateMark(each: PlayerQuestion): string {
  return each.missed ? 'missed' : each.state;
}

/** The number of a question for players: in a game that goes question by question, its place in the round of the quiz. */
export function shownNumber(round: PlayerView['round'], number: number): number {
  return round?.section ? round.section.questionIndex + 1 : number;
}

/** How a question is answered; unknown types are text. */
export type AnswerKind = 'choice' | 'select' | 'order' | 'number' | 'word' | 'text';

/** How this question is answered. */
export function answerKind({ type, choices = [] }: PlayerQuestion['question']): AnswerKind {
  if (hasChoices(type) && choices.length > 0) return type === 'multi_select' ? 'select' : type === 'order' ? 'order' : 'choice';
  if (type === 'word_cloud') return 'word';
  return isNumber(type) ? 'number' : 'text';
}

/** An answer of several lines, joined for the middle of a sentence. */
export function onOneLine(answer: string): string {
  return answer.split('\n').join(', ');
}
