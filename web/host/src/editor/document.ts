// A quiz while it is written: the content of the sheet, unfinished parts included, and every change that can be made to it. Pure and
// immutable: an operation gives a new document that shares the unchanged parts, so history.ts can keep them all. Never talks to the server;
// body.ts turns a document into the body of a request.

import { hasChoices, isMarked } from '$sdk/choices.ts';
import { QUESTION_KINDS, type QuestionKind } from '$sdk/generated/limits.ts';
import type { QuestionMedia } from '$sdk/generated/protocol.ts';
import { EACH_SWITCH, type Switch, switchedOn } from '$sdk/quizrounds.ts';

import { type LineName, NO_LINES } from './fields.ts';
import { pointsOf } from './numbers.ts';

/** The kinds of questions, and one of them. */
export { hasChoices, QUESTION_KINDS as QUESTION_TYPES, type QuestionKind as QuestionType };

/** The part of a question with its key: its choices, its accepted answers, or none. */
export function keyOf(type: QuestionKind): 'choices' | 'answers' | null {
  if (hasChoices(type)) return 'choices';
  return isMarked(type) ? 'answers' : null;
}

/** Which of its choices the author marks as right: any number; one of two; or none, because all or none are right. */
export function marksOf(type: QuestionKind): 'any' | 'one' | 'none' {
  if (type === 'true_false') return 'one';
  return type === 'order' || type === 'poll' ? 'none' : 'any';
}

/** A choice that players can tap. */
export interface Choice {
  readonly key: string;
  readonly text: string;
  readonly right: boolean;
}

/**
 * A question while it is written; its lines (fields.ts) are kept as typed. Values of other types stay, so that changing the type loses
 * nothing.
 */
export interface DraftQuestion extends Readonly<Record<LineName, string>> {
  /** Identifies it on this page and, if it is a UUID, on the server, where the question keeps its history by it. */
  readonly key: string;
  readonly text: string;
  readonly type: QuestionKind;
  /** The accepted answers of `text`, `numeric` and `nearest`; the first is shown as the right one. */
  readonly answers: readonly string[];
  /** The choices of every type except `true_false`; for `order`, in the right order. */
  readonly choices: readonly Choice[];
  /** The two choices of `true_false`. */
  readonly truth: readonly Choice[];
  /** The picture or the sound, the alternative text as it is typed; null when there is none. */
  readonly media: QuestionMedia | null;
}

/** What answers of a round earn besides the points of right ones, by the names of RoundBody. */
export interface Scoring extends Readonly<Record<Switch, boolean>> {
  /** The points of a wrong answer, never more than 0. */
  readonly wrongPoints: number;
}

/** No additional points. */
export const NO_SCORING: Scoring = {
  ...(Object.fromEntries(EACH_SWITCH.map((name) => [name, false])) as Record<Switch, boolean>),
  wrongPoints: 0,
};

/** A round while it is written. */
export interface DraftRound extends Scoring {
  readonly key: string;
  readonly title: string;
  readonly questions: readonly DraftQuestion[];
  /** The time limit in seconds, as typed; empty without one. */
  readonly timeLimit: string;
}

/** The whole sheet. */
export interface QuizDocument {
  readonly title: string;
  /** The tags as typed, separated by commas. */
  readonly tags?: string;
  readonly rounds: readonly DraftRound[];
}

/** A question's place: indices from 0. */
export interface Place {
  readonly round: number;
  readonly question: number;
}

/** The initial choices of a new true-or-false question. */
export type TruthWords = readonly [string, string];

let made = 0;
const PAGE = crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? '';

/** A name that is unique on this device. */
export function newKey(): string {
  made += 1;
  return `${PAGE}-${made.toString(36)}`;
}

/** A key by which the server also knows a question: a random UUID, even where the page is not a secure context. */
export function newQuestionKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A choice, wrong by default. */
export const newChoice = (text = '', right = false): Choice => ({ key: newKey(), text, right });

/** The points of a question of a new quiz. */
export const NEW_POINTS = 1;

/** An empty question of this type. */
export function newQuestion(type: QuestionKind, words: TruthWords, points = NEW_POINTS): DraftQuestion {
  return {
    key: newQuestionKey(),
    text: '',
    type,
    answers: [''],
    choices: [newChoice(), newChoice(), newChoice(), newChoice()],
    truth: [newChoice(words[0]), newChoice(words[1])],
    media: null,
    ...NO_LINES,
    points: String(points),
  };
}

/** A round with these questions. */
export const newRound = (
  questions: readonly DraftQuestion[],
  title = '',
  timeLimit = '',
  scoring: Partial<Scoring> = {},
): DraftRound => ({
  key: newKey(),
  title,
  questions,
  timeLimit,
  ...NO_SCORING,
  ...switchedOn(scoring),
  ...(scoring.wrongPoints !== undefined && { wrongPoints: scoring.wrongPoints }),
});

/** The place of a question; null when it is not on the sheet. */
export function placeOf(document: QuizDocument, key: string): Place | null {
  for (const [round, { questions }] of document.rounds.entries()) {
    const question = questions.findIndex((one) => one.key === key);
    if (question >= 0) return { round, question };
  }
  return null;
}

/** The question with this key. */
export function questionOf(document: QuizDocument, key: string | null): DraftQuestion | null {
  const place = key === null ? null : placeOf(document, key);
  return (place && document.rounds[place.round]?.questions[place.question]) ?? null;
}

export const setTitle = (document: QuizDocument, title: string): QuizDocument => ({ ...document, title });

export const setTags = (document: QuizDocument, tags: string): QuizDocument => ({ ...document, tags });

export function setRoundTitle(document: QuizDocument, key: string, title: string): QuizDocument {
  return changeRound(document, key, (round) => ({ ...round, title }));
}

export function setRoundTime(document: QuizDocument, key: string, timeLimit: string): QuizDocument {
  return changeRound(document, key, (round) => ({ ...round, timeLimit }));
}

export function setRoundScoring(document: QuizDocument, key: string, scoring: Partial<Scoring>): QuizDocument {
  return changeRound(document, key, (round) => ({ ...round, ...scoring }));
}

/** Changes some fields of a question. */
export function changeQuestion(
  document: QuizDocument,
  key: string,
  change: Partial<Omit<DraftQuestion, 'key'>>,
): QuizDocument {
  const place = placeOf(document, key);
  if (!place) return document;
  return changeQuestions(document, place.round, (questions) =>
    questions.map((one) => (one.key === key ? { ...one, ...change } : one)),
  );
}

/** Changes the type of a question. Its content is kept in the new type where it fits and the new type is still empty. */
export function retype(question: DraftQuestion, type: QuestionKind): Partial<DraftQuestion> {
  const answers = question.answers.filter((answer) => answer.trim() !== '');
  const isOffered = question.choices.some(({ text }) => text.trim() !== '');
  if (hasChoices(type) && type !== 'true_false' && !isOffered && answers.length > 0) {
    const right = answers.map((answer) => newChoice(answer, true));
    return { type, choices: [...right, ...question.choices.slice(right.length)] };
  }
  const right = question.type === 'multiple_choice' || question.type === 'multi_select' ? question.choices.filter((choice) => choice.right) : [];
  // A poll earns nothing; a question made from it gets the usual points.
  const worth = !isMarked(question.type) && isMarked(type) && pointsOf(question.points) === 0 ? { points: '' } : {};
  if (type === 'text' && answers.length === 0 && right.length > 0) {
    return { type, ...worth, answers: right.map(({ text }) => text) };
  }
  return { type, ...worth };
}

/** Adds a question to a round, before the one at `at`. */
export function insertQuestion(
  document: QuizDocument,
  roundKey: string,
  at: number,
  question: DraftQuestion,
): QuizDocument {
  return changeRound(document, roundKey, (round) => ({
    ...round,
    questions: [...round.questions.slice(0, at), question, ...round.questions.slice(at)],
  }));
}

/** Adds questions at the end of the round with this question, or of the last round. A question whose key is taken gets another key. */
export function addQuestions(document: QuizDocument, beside: string | null, questions: readonly DraftQuestion[]): QuizDocument {
  const taken = new Set(document.rounds.flatMap((round) => round.questions.map(({ key }) => key)));
  const added = questions.map((question) => (taken.has(question.key) ? withNewKeys(question) : question));
  const place = beside === null ? null : placeOf(document, beside);
  const round = place ? document.rounds[place.round] : document.rounds.at(-1);
  if (!round) return insertRounds(document, 0, [newRound(added)]);
  return changeRound(document, round.key, (one) => ({
    ...one,
    questions: [...one.questions.filter((question) => !isBlank(question)), ...added],
  }));
}

export function removeQuestion(document: QuizDocument, key: string): QuizDocument {
  const place = placeOf(document, key);
  if (!place) return document;
  return changeQuestions(document, place.round, (questions) => questions.filter((one) => one.key !== key));
}

/** Adds a copy after the question; returns its key. */
export function duplicateQuestion(document: QuizDocument, key: string): { document: QuizDocument; key: string } {
  const place = placeOf(document, key);
  const question = questionOf(document, key);
  const round = place && document.rounds[place.round];
  if (!question || !round) return { document, key };
  const copy = withNewKeys(question);
  return { document: insertQuestion(document, round.key, place.question + 1, copy), key: copy.key };
}

/** Moves a question into a round, before the one that is now at `at`. */
export function moveQuestion(document: QuizDocument, key: string, toRound: string, at: number): QuizDocument {
  const from = placeOf(document, key);
  const question = questionOf(document, key);
  const target = document.rounds.findIndex((round) => round.key === toRound);
  if (!from || !question || target < 0) return document;
  const behindItself = from.round === target && from.question < at;
  const to = behindItself ? at - 1 : at;
  if (from.round === target && from.question === to) return document;
  return insertQuestion(removeQuestion(document, key), toRound, to, question);
}

/** Moves a question one place up (-1) or down (+1); at the edge of a round into the next one. */
export function stepQuestion(document: QuizDocument, key: string, by: -1 | 1): QuizDocument {
  const from = placeOf(document, key);
  if (!from) return document;
  const round = document.rounds[from.round];
  const beyond = document.rounds[from.round + by];
  const last = (round?.questions.length ?? 0) - 1;
  const leaves = by < 0 ? from.question === 0 : from.question === last;
  if (!leaves && round) return moveQuestion(document, key, round.key, by < 0 ? from.question - 1 : from.question + 2);
  if (!beyond) return document;
  return moveQuestion(document, key, beyond.key, by < 0 ? beyond.questions.length : 0);
}

/** Adds rounds before the one at `at`. */
export function insertRounds(document: QuizDocument, at: number, rounds: readonly DraftRound[]): QuizDocument {
  return { ...document, rounds: [...document.rounds.slice(0, at), ...rounds, ...document.rounds.slice(at)] };
}

export function removeRound(document: QuizDocument, key: string): QuizDocument {
  return { ...document, rounds: document.rounds.filter((round) => round.key !== key) };
}

/** Adds a copy after the round; returns its key. */
export function duplicateRound(document: QuizDocument, key: string): { document: QuizDocument; key: string } {
  const at = document.rounds.findIndex((round) => round.key === key);
  const round = document.rounds[at];
  if (!round) return { document, key };
  const copy = newRound(round.questions.map(withNewKeys), round.title, round.timeLimit, round);
  return { document: insertRounds(document, at + 1, [copy]), key: copy.key };
}

/** Moves a round before the one that is now at `at`. */
export function moveRound(document: QuizDocument, key: string, at: number): QuizDocument {
  const from = document.rounds.findIndex((round) => round.key === key);
  const round = document.rounds[from];
  if (!round) return document;
  const to = from < at ? at - 1 : at;
  return to === from ? document : insertRounds(removeRound(document, key), to, [round]);
}

/** Moves a round one place up (-1) or down (+1). */
export function stepRound(document: QuizDocument, key: string, by: -1 | 1): QuizDocument {
  const from = document.rounds.findIndex((round) => round.key === key);
  const to = from + by;
  if (from < 0 || to < 0 || to >= document.rounds.length) return document;
  return moveRound(document, key, by < 0 ? to : to + 1);
}

/**
 * The points of most questions of the round; if several values are equally frequent, the first. For an empty round, the usual points of the
 * quiz.
 */
export function roundPoints(document: QuizDocument, round: DraftRound | undefined): number {
  return mostOf(round?.questions ?? []) ?? quizPoints(document);
}

/** The points of most questions of the quiz. */
export function quizPoints(document: QuizDocument): number {
  return mostOf(document.rounds.flatMap(({ questions }) => questions)) ?? NEW_POINTS;
}

/** Changes the points of the questions of a round, except of those whose points differ from the usual ones. */
export function setRoundPoints(document: QuizDocument, key: string, points: number): QuizDocument {
  return changeRound(document, key, (round) => worth(round, roundPoints(document, round), points));
}

/** The same for every round whose usual points are those of the quiz. */
export function setQuizPoints(document: QuizDocument, points: number): QuizDocument {
  const usual = quizPoints(document);
  const rounds = document.rounds.map((round) => (roundPoints(document, round) === usual ? worth(round, usual, points) : round));
  return { ...document, rounds };
}

/** Whether the round's streaks and half points add nothing: both are rounded down, and no question is worth more than one point. */
export function isScoringIdle(document: QuizDocument, round: DraftRound): boolean {
  const usual = roundPoints(document, round);
  const worths = round.questions.filter(({ type }) => isMarked(type)).map(({ points }) => pointsOf(points) ?? usual);
  return (round.streaks || round.halfPoints) && worths.includes(1) && worths.every((points) => points <= 1);
}

function worth(round: DraftRound, usual: number, points: number): DraftRound {
  const questions = round.questions.map((question) => {
    return (pointsOf(question.points) ?? usual) === usual ? { ...question, points: String(points) } : question;
  });
  return { ...round, questions };
}

/** Questions without marks earn nothing, so they do not influence the usual points. */
function mostOf(questions: readonly DraftQuestion[]): number | null {
  const counts = new Map<number, number>();
  for (const { type, points } of questions) {
    const number = isMarked(type) ? pointsOf(points) : null;
    if (number !== null) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? null;
}

/** Whether the question is still empty. Empty questions are not saved, and no mistake is reported for them. */
export function isBlank(question: DraftQuestion): boolean {
  const written = [question.text, ...question.answers, ...question.choices.map(({ text }) => text)];
  return question.media === null && written.every((text) => text.trim() === '');
}

function withNewKeys(question: DraftQuestion): DraftQuestion {
  const copies = (choices: readonly Choice[]): Choice[] => choices.map((choice) => ({ ...choice, key: newKey() }));
  return { ...question, key: newQuestionKey(), choices: copies(question.choices), truth: copies(question.truth) };
}

function changeRound(document: QuizDocument, key: string, change: (round: DraftRound) => DraftRound): QuizDocument {
  return { ...document, rounds: document.rounds.map((round) => (round.key === key ? change(round) : round)) };
}

function changeQuestions(
  document: QuizDocument,
  round: number,
  change: (questions: readonly DraftQuestion[]) => readonly DraftQuestion[],
): QuizDocument {
  const rounds = document.rounds.map((one, at) =>
    at === round ? { ...one, questions: change(one.questions) } : one,
  );
  return { ...document, rounds };
}
