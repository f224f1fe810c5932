// Aiken, the plainest text format of Moodle, both ways: a question, choices behind letters, and a line `ANSWER: B`.

import type { QuestionBody, QuizBody, QuizFile } from '$sdk';
import { tidyLine } from '$sdk/quizcheck.ts';
import { choiceLetter } from '$ui/parts/choices.ts';

import { Damaged } from './damaged.ts';
import { type Found, quizOf } from './readquiz.ts';
import type { Source } from './source.ts';

const CHOICE = /^\s*([A-Z])[.)]\s+(\S.*)$/;
const ANSWER = /^\s*ANSWER\s*:\s*([A-Z])\s*$/i;

/** Whether the text has a question of this format. */
export function isAiken({ text }: Source): boolean {
  return /^[ \t]*ANSWER[ \t]*:[ \t]*[A-Z][ \t]*\r?$/im.test(text) && /^[ \t]*[A-Z][.)][ \t]/m.test(text);
}

/** Reads all questions into one round. A last one without its answer means that the file was cut off. */
export function readAiken({ text, title }: Source): QuizFile {
  const reader = new AikenReader();
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) reader.take(line, at + 1);
  return quizOf(title, reader.end());
}

class AikenReader {
  readonly #found: Found[] = [];
  #question: string[] = [];
  #choices: string[] = [];
  #at = 0;
  #isBlank = false;

  take(line: string, at: number): void {
    const answer = ANSWER.exec(line)?.[1]?.toUpperCase();
    const choice = this.#choiceOf(line);
    if (line.trim() === '') this.#isBlank = true;
    else if (answer !== undefined && this.#question.length > 0) this.#finish(answer);
    else if (choice !== undefined) this.#choices.push(choice);
    else this.#takeText(line.trim(), at);
    if (line.trim() !== '') this.#isBlank = false;
  }

  end(): Found[] {
    if (this.#choices.length > 0) throw new Damaged(this.#at);
    this.#finish();
    return this.#found;
  }

  /** Of the letter that comes next; any other is part of a text. */
  #choiceOf(line: string): string | undefined {
    const [, letter, text] = CHOICE.exec(line) ?? [];
    const isNext = this.#question.length > 0 && letter === String.fromCharCode(65 + this.#choices.length);
    return isNext ? text : undefined;
  }

  /** A line that continues the one above, or begins the next question behind a blank line. */
  #takeText(line: string, at: number): void {
    if (this.#isBlank) this.#finish();
    const last = this.#choices.pop();
    if (last !== undefined) this.#choices.push(`${last} ${line}`);
    else {
      if (this.#question.length === 0) this.#at = at;
      this.#question.push(line);
    }
  }

  #finish(letter?: string): void {
    if (this.#question.length === 0) return;
    const right = letter === undefined ? [] : [this.#choices[letter.charCodeAt(0) - 65] ?? letter];
    const raw = { type: 'multiple_choice', text: this.#question.join('\n'), choices: this.#choices, correctAnswers: right };
    this.#found.push({ at: this.#at, round: '', raw });
    this.#question = [];
    this.#choices = [];
  }
}

/** The questions that the format can hold: choices with one right one. The other ones are counted. */
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
