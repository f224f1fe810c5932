// The mistakes that prevent saving a document: one entry for each, with its place, in the order of the sheet. Pure. Checks by
// limits that are generated from the server's, so that the server accepts a document that passes here.

import { isNumber, isOfSeveral } from '$sdk/choices.ts';
import { LIMITS } from '$sdk/generated/limits.ts';
import { parseNumber } from '$sdk/number.ts';
import { tidyLine } from '$sdk/quizcheck.ts';
import * as m from '$words/generated/messages.js';
import { count } from '$words/sentence.ts';

import { acceptedOf, bodyOf, choicesOf } from './body.ts';
import { type DraftQuestion, type DraftRound, isBlank, keyOf, marksOf, type QuizDocument } from './document.ts';
import { areTags, EACH_LINE, type LineName, linesOf, timeMistake } from './fields.ts';
import { secondsOf } from './numbers.ts';

const long = (most: number): string => m.host_mistake_long({ most: count(most) });

/** The possible mistakes, each with its sentence. */
const WORDS = {
  title_missing: m.host_mistake_title_missing,
  title_long: () => long(LIMITS.title),
  nothing_written: m.host_mistake_nothing_written,
  rounds_many: () => m.host_mistake_rounds_many({ most: count(LIMITS.rounds) }),
  questions_many: () => m.host_mistake_questions_many({ most: count(LIMITS.questions) }),
  round_title_long: () => long(LIMITS.title),
  round_empty: m.host_mistake_round_empty,
  round_time: timeMistake,
  round_full: () => m.host_mistake_round_full({ most: count(LIMITS.questionsPerRound) }),
  text_missing: m.host_mistake_text_missing,
  text_long: () => long(LIMITS.text),
  answer_missing: m.host_mistake_answer_missing,
  answer_long: () => long(LIMITS.choice),
  answers_many: () => m.host_mistake_answers_many({ most: count(LIMITS.answers) }),
  answer_not_number: m.host_mistake_not_number,
  choices_few: m.host_mistake_choices_few,
  choice_long: () => long(LIMITS.choice),
  choices_same: m.host_mistake_choices_same,
  choices_long: () => m.host_mistake_choices_long({ most: count(LIMITS.together) }),
  choice_none_right: m.host_mistake_none_right,
  truth_missing: m.host_mistake_truth_missing,
  alt_missing: m.host_mistake_alt_missing,
  alt_long: () => long(LIMITS.alt),
  ...(Object.fromEntries(EACH_LINE.map(([name, { mistake }]) => [`${name}_wrong`, mistake])) as Record<LineMistake, () => string>),
};

type LineMistake = `${LineName}_wrong`;

/** One of them, by its name. */
export type MistakeCode = keyof typeof WORDS;

/** The mistake as a sentence beside its place. */
export const mistakeWords = (code: MistakeCode): string => WORDS[code]();

/** The place on the sheet. */
export type Field = 'title' | 'time' | 'text' | 'answers' | 'choices' | 'media' | LineName;

/** One thing to finish. */
export interface Mistake {
  readonly code: MistakeCode;
  readonly field: Field;
  /** Key of the round; null for the quiz itself. */
  readonly round: string | null;
  /** Key of the question; null for a round or the quiz. */
  readonly question: string | null;
}

/** All mistakes that prevent the document from being saved. */
export function mistakesOf(document: QuizDocument): Mistake[] {
  const found = document.rounds.flatMap(roundMistakes);
  const title = lineCode(document.title, 'title_missing', 'title_long', LIMITS.title);
  const quiz = (code: MistakeCode, field: Field = 'title'): Mistake => ({ code, field, round: null, question: null });
  const body = bodyOf(document);
  const count = body.rounds.reduce((sum, { questions }) => sum + questions.length, 0);
  return [
    ...(title ? [quiz(title)] : []),
    ...(areTags(document.tags ?? '') ? [] : [quiz('tags_wrong', 'tags')]),
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
  if (round.timeLimit.trim() !== '' && secondsOf(round.timeLimit) === null) codes.push('round_time');
  const own = codes.map((code): Mistake => ({ code, field: code === 'round_time' ? 'time' : 'title', round: round.key, question: null }));
  const theirs = written.flatMap((question) =>
    questionMistakes(question).map(({ code, field }) => ({ code, field, round: round.key, question: question.key })),
  );
  return [...own, ...theirs];
}

type Found = Pick<Mistake, 'code' | 'field'>;

/** The mistakes of one question that is not empty. */
export function questionMistakes(question: DraftQuestion): Found[] {
  const text = lineCode(question.text, 'text_missing', 'text_long', LIMITS.text);
  const field = keyOf(question.type);
  const key = field === 'choices' ? choicesCode(question) : field === 'answers' ? answersCode(question) : null;
  const lines = linesOf(question.type).filter(([name, { isRight }]) => question[name].trim() !== '' && !isRight(question[name]));
  const alt = altCode(question);
  return [
    ...(text ? [{ code: text, field: 'text' } as const] : []),
    ...(alt ? [{ code: alt, field: 'media' } as const] : []),
    ...(key && field ? [{ code: key, field } as const] : []),
    ...lines.map(([name]) => ({ code: `${name}_wrong`, field: name }) as const),
  ];
}

/** The part of the form with the first thing that a question still lacks of its text and its key; null when it has both. */
export function partOfGap(question: DraftQuestion): string | null {
  const gap = questionMistakes(question).find(({ field }) => field === 'text' || field === keyOf(question.type));
  if (!gap || gap.field === 'text') return gap?.field ?? null;
  if (gap.code === 'choice_none_right') return 'right-0';
  const lines = question.type === 'true_false' ? question.truth : question.choices;
  const empty = gap.field === 'choices' ? lines.findIndex(({ text }) => text.trim() === '') : 0;
  return `${gap.field === 'choices' ? 'choice' : 'answer'}-${String(Math.max(0, empty))}`;
}

function answersCode(question: DraftQuestion): MistakeCode | null {
  const answers = acceptedOf(question);
  if (answers.length === 0) return 'answer_missing';
  if (answers.length > LIMITS.answers) return 'answers_many';
  if (answers.some((answer) => lengthOf(answer) > LIMITS.choice)) return 'answer_long';
  if (isNumber(question.type) && answers.some((answer) => parseNumber(answer) === null)) return 'answer_not_number';
  return null;
}

function choicesCode(question: DraftQuestion): MistakeCode | null {
  const choices = choicesOf(question);
  const texts = choices.map(({ text }) => text);
  if (question.type === 'true_false' && texts.includes('')) return 'truth_missing';
  if (choices.length < 2) return 'choices_few';
  if (texts.some((text) => lengthOf(text) > LIMITS.choice)) return 'choice_long';
  if (new Set(texts).size < texts.length) return 'choices_same';
  if (isOfSeveral(question.type) && lengthOf(texts.join('\n')) > LIMITS.together) return 'choices_long';
  return marksOf(question.type) === 'none' || choices.some(({ right }) => right) ? null : 'choice_none_right';
}

/** A picture needs an alternative text, a sound can have one. */
function altCode({ media }: DraftQuestion): MistakeCode | null {
  const code = media && lineCode(media.alt ?? '', 'alt_missing', 'alt_long', LIMITS.alt);
  return code === 'alt_missing' && media?.kind === 'sound' ? null : code;
}

function lineCode(text: string, missing: MistakeCode, long: MistakeCode, most: number): MistakeCode | null {
  const length = lengthOf(text.trim());
  if (length === 0) return missing;
  return length > most ? long : null;
}

/** Code points, as the server counts. */
const lengthOf = (text: string): number => [...text].length;
