// Writes a quiz as GIFT: rounds as categories, questions by number. gift.ts reads it; points are not part of the format.

import type { QuestionBody, QuizBody } from '$sdk';
import { acceptedNumbers, exactly } from '$sdk/number.ts';

/** The whole quiz, and the number of questions that the format cannot hold. */
export function quizToGift(quiz: QuizBody): { text: string; leftOut: number } {
  const rounds = quiz.rounds.map(({ title, questions }, at) => {
    const number = String(at + 1);
    const name = title === '' ? number : `${number}: ${title}`;
    return [`$CATEGORY: ${name.replaceAll('/', '//')}`, ...questions.map(giftQuestion)].join('\n\n');
  });
  const all = quiz.rounds.flatMap(({ questions }) => questions);
  const leftOut = all.filter(({ type }) => UNWRITABLE.has(type)).length;
  return { text: `// ${quiz.title}\n\n${rounds.join('\n\n')}\n`, leftOut };
}

/** Types that the format cannot express; the reader finds their texts in comments. */
const UNWRITABLE = new Set(['order', 'poll', 'word_cloud']);

function giftQuestion(question: QuestionBody, at: number): string {
  if (UNWRITABLE.has(question.type)) return `// ${question.type}: ${question.text.replaceAll('\n', ' ')}`;
  return `::${String(at + 1)}::[plain]${escaped(question.text)} {${answersOf(question)}${explanationOf(question)}}`;
}

/** The feedback for everyone after the question. */
function explanationOf({ explanation = '' }: QuestionBody): string {
  return explanation === '' ? '' : `####${escaped(explanation)}`;
}

function answersOf({ type, choices = [], correctAnswers, tolerance = 0 }: QuestionBody): string {
  if (type === 'numeric' || type === 'nearest') {
    const numbers = acceptedNumbers(correctAnswers, tolerance);
    return `#\n${numbers.map((value) => `\t=${exactly(value)}:${String(tolerance)}\n`).join('')}`;
  }
  if (type === 'text') {
    return lines(correctAnswers.map((answer) => option('=', answer.replaceAll('*', '\\*'))));
  }
  const isPlainTruth = type === 'true_false' && choices.join() === 'True,False' && correctAnswers.length === 1;
  if (isPlainTruth) return correctAnswers[0] === 'True' ? 'TRUE' : 'FALSE';
  return lines(choices.map((choice) => option(correctAnswers.includes(choice) ? '=' : '~', choice)));
}

/** An answer with its share of the points, or with its markup where its text could be mistaken for one. */
function option(sign: '=' | '~', text: string): string {
  const share = sign === '=' ? '%100%' : '%0%';
  return `${sign}${text.startsWith('%') ? share : ''}${text.startsWith('[') ? '[plain]' : ''}${escaped(text)}`;
}

const lines = (answers: readonly string[]): string => `\n${answers.map((answer) => `\t${answer}\n`).join('')}`;

/** The text with a backslash before each sign of the format, and line breaks as `\n`. */
function escaped(text: string): string {
  return text.replace(/[\\~=#{}:]/g, '\\$&').replaceAll('\n', '\\n');
}
