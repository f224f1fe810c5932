// Aiken, the simplest text format of Moodle, read and written: a question, choices with letters in front, and a line `ANSWER: B`.

import type { QuestionBody, QuizBody, QuizFile } from '$sdk';
import { tidyLine } from '$sdk/quizcheck.ts';
import { choiceLetter } from '$ui/parts/choices.ts';

import { Damaged } from './damaged.ts';
import { selectKey } from './keys.ts';
import { type Found, quizOf } from './readquiz.ts';
import type { Source } from './source.ts';

/** A small letter with a point must be followed by a space: `a.m.` is not a choice. */
const CHOICE = /^\s*(?:([A-Z])[.)]\s*|([a-z])(?:\)\s*|\.\s+))(\S.*)$/;
const ANSWER = /^\s*ANSWERS?\s*:\s*(.*?)[\s.)]*$/i;
const FEEDBACK = /^\s*FEEDBACK\s*:\s*(.*)$/i;
const LETTERS = /^[A-Z](?:(?:\s*[,;&+]\s*|\s+and\s+|\s+)[A-Z])*$/i;

/** Whether the text has a question of this format. */
export function isAiken({ text }: Source): boolean {
  return /^[ \t]*ANSWERS?[ \t]*:[ \t]*[A-Z](?![A-Z])/im.test(text) && /^[ \t]*(?:[A-Z][.)]|[a-z]\)|[a-z]\.[ \t])/m.test(text);
}

/** Reads all questions into one round. If the last one has no answer, the file was cut off. */
export function readAiken({ text, title }: Source): QuizFile {
  const reader = new AikenReader();
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) reader.take(line, at + 1);
  return quizOf(title, withoutNumbers(reader.end()));
}

/** Removes the numbers of the questions if each begins with its own. */
function withoutNumbers(found: readonly Found[]): readonly Found[] {
  const numbered = found.map(({ raw: { text = '' } }, at) => new RegExp(`^${String(at + 1)}[.)]\\s+(?=\\S)`).exec(text)?.[0].length ?? 0);
  if (found.length < 2 || numbered.includes(0)) return found;
  return found.map((one, at) => ({ ...one, raw: { ...one.raw, text: (one.raw.text ?? '').slice(numbered[at]) } }));
}

class AikenReader {
  readonly #found: Found[] = [];
  #question: string[] = [];
  #choices: string[] = [];
  #at = 0;
  #isBlank = false;

  take(line: string, at: number): void {
    const answer = ANSWER.exec(line)?.[1];
    const feedback = FEEDBACK.exec(line)?.[1];
    const choice = this.#choiceOf(line);
    if (line.trim() === '') this.#isBlank = true;
    else if (answer !== undefined && this.#question.length > 0) this.#finish(answer);
    else if (feedback !== undefined && this.#question.length === 0 && this.#found.length > 0) this.#explain(feedback);
    else if (choice !== undefined) this.#choices.push(choice);
    else this.#takeText(line.trim(), at);
    if (line.trim() !== '') this.#isBlank = false;
  }

  end(): Found[] {
    if (this.#choices.length > 0) throw new Damaged(this.#at);
    this.#finish();
    return this.#found;
  }

  /** A choice with the next letter; any other letter is part of a text. */
  #choiceOf(line: string): string | undefined {
    const [, capital, small, text] = CHOICE.exec(line) ?? [];
    const letter = (capital ?? small)?.toUpperCase();
    const isNext = this.#question.length > 0 && letter === String.fromCharCode(65 + this.#choices.length);
    return isNext ? text : undefined;
  }

  /** A line that continues the line above, or begins the next question after a blank line. */
  #takeText(line: string, at: number): void {
    if (this.#isBlank) this.#finish();
    const last = this.#choices.pop();
    if (last !== undefined) this.#choices.push(`${last} ${line}`);
    else {
      if (this.#question.length === 0) this.#at = at;
      this.#question.push(line);
    }
  }

  /** Text after the answer belongs to the question before. */
  #explain(explanation: string): void {
    const last = this.#found.pop();
    if (last) this.#found.push({ ...last, raw: { ...last.raw, explanation } });
  }

  /** `answer` is one letter, several letters, or the text of a choice. */
  #finish(answer?: string): void {
    if (this.#question.length === 0) return;
    const named = answer !== undefined && LETTERS.test(answer) ? answer.replace(/\band\b/gi, ' ').match(/[a-z]/gi) : null;
    const letters = named ?? (answer ? [answer] : []);
    const right = letters.map((letter) => (letter.length === 1 && this.#choices[letter.toUpperCase().charCodeAt(0) - 65]) || letter);
    const key = right.length > 1 ? selectKey(this.#choices, right).raw : { type: 'multiple_choice', choices: this.#choices, correctAnswers: right };
    this.#found.push({ at: this.#at, round: '', raw: { text: this.#question.join('\n'), ...key } });
    this.#question = [];
    this.#choices = [];
  }
}

/** The questions that the format can hold: those with choices and one right choice. The others are counted. */
export function quizToAiken(quiz: QuizBody): { text: string; leftOut: number } {
  const all = quiz.rounds.flatMap(({ questions }) => questions);
  const written = all.filter(({ choices = [], correctAnswers }) => choices.length > 1 && correctAnswers.length === 1);
  return { text: written.map(aikenQuestion).join('\n'), leftOut: all.length - written.length };
}

function aikenQuestion({ text, choices = [], correctAnswers }: QuestionBody): string {
  const lines = choices.map((choice, at) => `${choiceLetter(at)}. ${choice}\n`).join('');
  const right = choiceLetter(choices.indexOf(correctAnswers[0] ?? ''));
  return `${tidyLine(text)}\n${lines}ANSWER: ${right}\n`;
}
