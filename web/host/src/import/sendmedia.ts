// Sends the pictures and sounds of a file when its import is confirmed: all of them, or the quiz is not imported. If one fails, no
// question uses those sent before, and the server deletes them by itself. Called by the import dialogue.

import { ApiError, type Media, type QuestionBody, type QuizBody } from '$sdk';

import type { BroughtFiles } from '../formats/media.ts';

/** How files are sent, and what is heard of it. */
export interface Sending {
  readonly send: (file: Blob) => Promise<Media>;
  readonly onsent: (sent: number, all: number) => void;
  /** Whether the host is still there. */
  readonly goesOn: () => boolean;
  /** Waits, in seconds. */
  readonly wait: (seconds: number) => Promise<void>;
}

/** Seconds that the server may ask to wait, all together: its limit is for a minute. */
const LONGEST_WAIT = 600;

/** A file was not stored: why, and the question that has it. */
export class NotSent extends Error {
  readonly question: QuestionBody;

  constructor(cause: unknown, question: QuestionBody) {
    super('not sent', { cause });
    this.question = question;
  }
}

/** The quiz with the ids of what is stored now. Throws `NotSent`; null when the host left. */
export async function withSentMedia(quiz: QuizBody, files: BroughtFiles, sending: Sending): Promise<QuizBody | null> {
  const first = new Map<string, QuestionBody>();
  for (const question of quiz.rounds.flatMap(({ questions }) => questions)) {
    const id = question.media?.id;
    if (id !== undefined && files.has(id) && !first.has(id)) first.set(id, question);
  }
  const stored = new Map<string, string>();
  for (const [id, question] of first) {
    sending.onsent(stored.size, first.size);
    const file = files.get(id);
    if (!sending.goesOn()) return null;
    if (file) stored.set(id, (await sentWithWaits(file, sending, question)).id);
  }
  if (!sending.goesOn()) return null;
  const here = (question: QuestionBody): QuestionBody => {
    const id = question.media && stored.get(question.media.id);
    return question.media && id !== undefined ? { ...question, media: { ...question.media, id } } : question;
  };
  return { ...quiz, rounds: quiz.rounds.map((round) => ({ ...round, questions: round.questions.map(here) })) };
}

/** The server takes so many files a minute, and says when it takes more. */
async function sentWithWaits(file: Blob, { send, wait, goesOn }: Sending, question: QuestionBody): Promise<Media> {
  let left = LONGEST_WAIT;
  for (;;) {
    try {
      return await send(file);
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined;
      if (seconds === undefined || seconds > left || !goesOn()) throw new NotSent(error, question);
      left -= Math.max(1, seconds);
      await wait(seconds);
    }
  }
}
