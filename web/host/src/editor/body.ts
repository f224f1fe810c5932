// Converts between a document and the body that the server stores: reads a stored quiz onto the sheet, and writes the sheet as a body.
// Pure. Only a document without mistakes (mistakes.ts) gives a body that the server accepts.

import type { QuestionBody, QuestionMedia, QuizUpload } from '$sdk/generated/protocol.ts';
import { isMarked } from '$sdk/choices.ts';
import { tidyLine } from '$sdk/quizcheck.ts';
import { switchedOn } from '$sdk/quizrounds.ts';
import { tagsOf } from '$sdk/tags.ts';

import {
  type Choice,
  type DraftQuestion,
  hasChoices,
  isBlank,
  NEW_POINTS,
  newChoice,
  newQuestion,
  newRound,
  QUESTION_TYPES,
  type QuizDocument,
  roundPoints,
  type TruthWords,
} from './document.ts';
import { EACH_LINE, type LineName, linesOf, timeLimitBody, typedTags } from './fields.ts';

/** A stored or imported quiz on the sheet. Stored questions have points; `points` is used for questions of a file without points. */
export function documentOf(body: QuizUpload, words: TruthWords, points = NEW_POINTS): QuizDocument {
  return {
    title: body.title,
    tags: typedTags(body.tags),
    rounds: body.rounds.map((round) =>
      newRound(
        round.questions.map((question) => questionFrom(question, words, points)),
        round.title,
        String(round.timeLimit ?? ''),
        round,
      ),
    ),
  };
}

/** The document as the server accepts it: trimmed, without blank questions, empty answers and empty choices. */
export function bodyOf(document: QuizDocument): QuizUpload {
  const rounds = document.rounds.map((round) => ({
    title: tidyLine(round.title),
    questions: round.questions
      .filter((question) => !isBlank(question))
      .map((question) => questionBody(question, roundPoints(document, round))),
    ...timeLimitBody(round.timeLimit),
    ...switchedOn(round),
    ...(round.wrongPoints < 0 && { wrongPoints: round.wrongPoints }),
  }));
  const written = rounds.filter(({ questions }) => questions.length > 0);
  return { title: tidyLine(document.title), tags: tagsOf([document.tags ?? '']), rounds: written };
}

/** The accepted answers of a question, in order, as they will be stored. */
export function acceptedOf(question: DraftQuestion): string[] {
  if (!isMarked(question.type)) return [];
  if (question.type === 'order') return choicesOf(question).map(({ text }) => text);
  if (hasChoices(question.type)) {
    return choicesOf(question)
      .filter(({ right }) => right)
      .map(({ text }) => text);
  }
  const answers = question.answers.map(tidyLine).filter((answer) => answer !== '');
  return question.type === 'nearest' ? answers.slice(0, 1) : answers;
}

/** The choices as they will be stored; for `order`, in the right order. */
export function choicesOf(question: DraftQuestion): Choice[] {
  if (question.type === 'true_false') return question.truth.map(trimmed);
  if (!hasChoices(question.type)) return [];
  return question.choices.map(trimmed).filter(({ text }) => text !== '');
}

const trimmed = (choice: Choice): Choice => ({ ...choice, text: tidyLine(choice.text) });

/** One question as the server accepts it. `usual` is its value when it has no points of its own. */
export function questionBody(question: DraftQuestion, usual: number): QuestionBody {
  const { type } = question;
  const choices = shownChoices(question);
  const lines = linesOf(type).map(([name, { write }]) => write(question[name], usual));
  const body: QuestionBody = {
    ...(QUESTION_ID.test(question.key) && { id: question.key }),
    // Of the invisible characters, a question may contain only line breaks and tabs.
    text: question.text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '').trim(),
    type,
    ...(choices.length > 0 && { choices }),
    correctAnswers: acceptedOf(question),
    ...(question.media && { media: mediaBody(question.media) }),
  };
  return lines.reduce<QuestionBody>((whole, line) => ({ ...whole, ...line }), body);
}

/**
 * The choices in the order in which players see them. For `order` this is alphabetical, or reverse alphabetical if alphabetical is the
 * right order.
 */
export function shownChoices(question: DraftQuestion): string[] {
  const texts = choicesOf(question).map(({ text }) => text);
  if (question.type !== 'order') return texts;
  const sorted = [...texts].sort();
  return sorted.every((text, at) => text === texts[at]) ? sorted.reverse() : sorted;
}

/** The picture or the sound as the server accepts it. */
function mediaBody({ id, kind, alt = '' }: QuestionMedia): QuestionMedia {
  const text = tidyLine(alt);
  return { id, kind, ...(text !== '' && { alt: text }) };
}

/** A stored question as a draft; `points` is its value when it has no points of its own. */
export function questionFrom(body: QuestionBody, words: TruthWords, points = NEW_POINTS): DraftQuestion {
  const type = QUESTION_TYPES.find((known) => known === body.type) ?? 'text';
  const empty = newQuestion(type, words);
  const offered = type === 'order' ? body.correctAnswers : body.choices;
  const choices = offered ?? (type === 'true_false' ? [...DEFAULT_TRUTH] : []);
  const right = new Set(body.correctAnswers.map((answer) => answer.trim()));
  const read = choices.map((text) => newChoice(text, right.has(text.trim())));
  return {
    ...empty,
    key: body.id ?? empty.key,
    text: body.text,
    ...(!hasChoices(type) && { answers: body.correctAnswers.length > 0 ? [...body.correctAnswers] : [''] }),
    ...(hasChoices(type) && type !== 'true_false' && { choices: read }),
    ...(type === 'true_false' && { truth: read }),
    media: body.media ?? null,
    ...(Object.fromEntries(EACH_LINE.map(([name, { read }]) => [name, read(body, points)])) as Record<LineName, string>),
  };
}

/** A key that the server accepts as an id; drafts of an earlier version have other keys. */
const QUESTION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The names that the server gives to the two choices when the author names none. */
const DEFAULT_TRUTH = ['True', 'False'] as const;
