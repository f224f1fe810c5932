// What is still missing before a document can be saved: one entry per thing, with its place, in the order of the sheet.
// Pure. Mirrors the server's limits (crates/rules/src/validate.rs), so that what passes here is taken there. Gives codes;
// words.ts has the sentences.

import { parseNumber } from '$sdk/number.ts';
import { LIMITS, tidyLine } from '$sdk/quizcheck.ts';

import { acceptedOf, bodyOf, choicesOf } from './body.ts';
import { type DraftQuestion, type DraftRound, isBlank, type QuizDocument } from './document.ts';
import { pointsOf } from './numbers.ts';

/** What can be wrong. */
export type MistakeCode =
  | 'title_missing'
  | 'title_long'
  | 'nothing_written'
  | 'rounds_many'
  | 'questions_many'
  | 'round_title_long'
  | 'round_empty'
  | 'round_full'
  | 'text_missing'
  | 'text_long'
  | 'answer_missing'
  | 'answer_long'
  | 'answers_many'
  | 'answer_not_number'
  | 'choices_few'
  | 'choice_long'
  | 'choices_same'
  | 'choice_none_right'
  | 'truth_missing'
  | 'points_wrong'
  | 'tolerance_wrong';

/** Where on the sheet. */
export type Field = 'title' | 'text' | 'answers' | 'choices' | 'points' | 'tolerance';

/** One thing to finish. */
export interface Mistake {
  readonly code: MistakeCode;
  readonly field: Field;
  /** Key of the round; null for the quiz itself. */
  readonly round: string | null;
  /** Key of the question; null for a round or the quiz. */
  readonly question: string | null;
}

/** Everything that keeps the document from being saved. */
export function mistakesOf(document: QuizDocument): Mistake[] {
  const found = document.rounds.flatMap(roundMistakes);
  const title = lineCode(document.title, 'title_missing', 'title_long', LIMITS.title);
  const quiz = (code: MistakeCode): Mistake => ({ code, field: 'title', round: null, question: null });
  const body = bodyOf(document);
  const count = body.rounds.reduce((sum, { questions }) => sum + questions.length, 0);
  return [
    ...(title ? [quiz(title)] : []),
    ...(body.rounds.length > LIMITS.rounds ? [quiz('rounds_many')] : []),
    ...(count > LIMITS.questions ? [quiz('questions_many')] : []),
    ...(count === 0 && found.length === 0 ? [quiz('nothing_written')] : []),
    ...found,
  ];
}

function roundMistakes(round: DraftRound): Mistake[] {
  const written = round.questions.filter((question) => !isBlank(question));
  const codes: MistakeCode[] = [];
  const title = tidyLine(round.title);
  if (lengthOf(title) > LIMITS.title) codes.push('round_title_long');
  if (title !== '' && written.length === 0) codes.push('round_empty');
  if (written.length > LIMITS.questionsPerRound) codes.push('round_full');
  const own = codes.map((code): Mistake => ({ code, field: 'title', round: round.key, question: null }));
  const theirs = written.flatMap((question) =>
    questionMistakes(question).map(({ code, field }) => ({ code, field, round: round.key, question: question.key })),
  );
  return [...own, ...theirs];
}

type Found = Pick<Mistake, 'code' | 'field'>;

/** What is missing in one question that something was written into. */
export function questionMistakes(question: DraftQuestion): Found[] {
  const text = lineCode(question.text, 'text_missing', 'text_long', LIMITS.text);
  const hasChoices = question.type === 'multiple_choice' || question.type === 'true_false';
  const found: Found[] = text ? [{ code: text, field: 'text' }] : [];
  const key = hasChoices ? choicesCode(question) : answersCode(question);
  if (key) found.push({ code: key, field: hasChoices ? 'choices' : 'answers' });
  if (question.points.trim() !== '' && pointsOf(question.points) === null) {
    found.push({ code: 'points_wrong', field: 'points' });
  }
  if (question.type === 'numeric' && question.tolerance.trim() !== '') {
    const tolerance = parseNumber(question.tolerance);
    if (tolerance === null || tolerance < 0) found.push({ code: 'tolerance_wrong', field: 'tolerance' });
  }
  return found;
}

function answersCode(question: DraftQuestion): MistakeCode | null {
  const answers = acceptedOf(question);
  if (answers.length === 0) return 'answer_missing';
  if (answers.length > LIMITS.answers) return 'answers_many';
  if (answers.some((answer) => lengthOf(answer) > LIMITS.choice)) return 'answer_long';
  if (question.type === 'numeric' && answers.some((answer) => parseNumber(answer) === null)) return 'answer_not_number';
  return null;
}

function choicesCode(question: DraftQuestion): MistakeCode | null {
  const choices = choicesOf(question);
  const texts = choices.map(({ text }) => text);
  if (question.type === 'true_false' && texts.includes('')) return 'truth_missing';
  if (choices.length < 2) return 'choices_few';
  if (texts.some((text) => lengthOf(text) > LIMITS.choice)) return 'choice_long';
  if (new Set(texts).size < texts.length) return 'choices_same';
  return choices.some(({ right }) => right) ? null : 'choice_none_right';
}

function lineCode(text: string, missing: MistakeCode, long: MistakeCode, most: number): MistakeCode | null {
  const length = lengthOf(text.trim());
  if (length === 0) return missing;
  return length > most ? long : null;
}

/** Code points, as the server counts. */
const lengthOf = (text: string): number => [...text].length;
