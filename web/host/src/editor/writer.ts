// One quiz on the server: created with the first write, replaced with the others. Looks before it replaces, so that work
// of another tab or laptop is noticed: the last write wins, and what it replaced is handed out. Used by editor.svelte.ts.

import type { HostApi, Quiz, QuizUpload } from '$sdk';
import { ApiError, NetworkError } from '$sdk';

import { bodyOf, documentOf } from './body.ts';
import type { Failure } from './saver.ts';

/** The part of HostApi that is used. */
export type QuizApi = Pick<HostApi, 'quiz' | 'quizzes' | 'createQuiz' | 'replaceQuiz'>;

interface WriterEvents {
  /** The quiz exists now, under this id. */
  readonly created: (id: string) => void;
  /** Another tab or laptop had changed it; this is what was replaced. */
  readonly replaced: (theirs: QuizUpload) => void;
}

/** Writes one quiz. */
export class QuizWriter {
  readonly #api: QuizApi;
  readonly #events: WriterEvents;
  #id: string | null;
  #base: string | null = null;
  /** Content that the server is known to have; null when it has none. */
  #stored: string | null = null;
  /** What was sent last and may have arrived although no answer came. */
  #sent: string | null = null;
  /** Ids that were there before the first try to create. */
  #before: ReadonlySet<string> | null = null;

  constructor(api: QuizApi, id: string | null, events: WriterEvents) {
    this.#api = api;
    this.#id = id;
    this.#events = events;
  }

  /** `updatedAt` of the version that the next write begins from. */
  get base(): string | null {
    return this.#base;
  }

  /** The version that was read. */
  began(quiz: Quiz): void {
    this.#base = quiz.updatedAt;
    this.#stored = fingerprint(quiz);
  }

  /** The version that a draft was made from; what it held is not known any more. */
  beganFrom(base: string | null): void {
    this.#base = base;
  }

  /** The quiz was deleted elsewhere: the next write makes a new one. */
  beginAnew(): void {
    this.#id = null;
    this.#base = this.#stored = null;
  }

  /** Whether the server has exactly this, as `bodyOf` writes it. */
  has(body: QuizUpload): boolean {
    return this.#stored !== null && this.#stored === contentOf(body);
  }

  /** Writes a body, as `bodyOf` gives it, and the report of an import if it has changed. */
  async write(body: QuizUpload, importReport?: readonly string[]): Promise<void> {
    const content = contentOf(body);
    const upload = importReport ? { ...body, importReport: [...importReport] } : body;
    const saved = this.#id === null ? await this.#create(upload, content) : await this.#replace(this.#id, upload, content);
    this.#base = saved.updatedAt;
    this.#stored = content;
  }

  async #replace(id: string, body: QuizUpload, content: string): Promise<Quiz> {
    const there = await this.#api.quiz(id);
    const found = fingerprint(there);
    const isOurs = there.updatedAt === this.#base || found === content || found === this.#sent;
    this.#sent = content;
    const saved = await this.#api.replaceQuiz(id, body);
    if (!isOurs && found !== this.#stored) this.#events.replaced({ title: there.title, tags: there.tags ?? [], rounds: there.rounds });
    return saved;
  }

  async #create(body: QuizUpload, content: string): Promise<Quiz> {
    const saved = (await this.#lostOne()) ?? (await this.#createOnce(body, content));
    this.#id = saved.id;
    this.#events.created(saved.id);
    if (fingerprint(saved) === content) return saved;
    return this.#api.replaceQuiz(saved.id, body);
  }

  async #createOnce(body: QuizUpload, content: string): Promise<Quiz> {
    this.#before ??= new Set((await this.#api.quizzes()).map(({ id }) => id));
    this.#sent = content;
    const saved = await this.#api.createQuiz(body);
    this.#sent = null;
    return saved;
  }

  /** The quiz of an earlier try whose answer was lost, so that no second one is made. */
  async #lostOne(): Promise<Quiz | null> {
    if (this.#sent === null || this.#before === null) return null;
    const before = this.#before;
    const fresh = (await this.#api.quizzes()).filter(({ id }) => !before.has(id));
    for (const { id } of fresh) {
      const quiz = await this.#api.quiz(id);
      if (fingerprint(quiz) === this.#sent) return quiz;
    }
    return null;
  }
}

/** What kind of failure an error is. */
export function failureOf(error: unknown): Failure {
  if (error instanceof NetworkError) return 'unreachable';
  if (!(error instanceof ApiError)) return 'refused';
  if (error.status >= 500 || error.status === 429 || error.status === 408) return 'unreachable';
  if (error.status === 401) return 'signed_out';
  if (error.status === 404) return 'gone';
  return error.type === 'too-many-quizzes' ? 'too_many' : 'refused';
}

/** What `bodyOf` would write for this quiz: the same for quizzes that say the same, whatever ids and defaults they hold. */
function fingerprint(quiz: QuizUpload): string {
  return contentOf(bodyOf(documentOf(quiz, ['', ''])));
}

/** A body of `bodyOf` without the ids of its questions. */
function contentOf({ title, tags = [], rounds }: QuizUpload): string {
  const nameless = rounds.map((round) => ({ ...round, questions: round.questions.map(({ id: _, ...question }) => question) }));
  return JSON.stringify({ title, tags, rounds: nameless });
}
