// One quiz on the server: created by the first write, replaced by later ones. It reads the quiz before replacing it, so that changes from
// another tab or laptop are noticed: the last write wins, and the replaced version is returned. Used by editor.svelte.ts.

import type { HostApi, Quiz, QuizUpload } from '$sdk';
import { ApiError, NetworkError } from '$sdk';

import { bodyOf, documentOf } from './body.ts';
import type { Failure } from './saver.ts';

/** The part of HostApi that is used. */
export type QuizApi = Pick<HostApi, 'quiz' | 'quizzes' | 'createQuiz' | 'replaceQuiz'>;

interface WriterEvents {
  /** The quiz exists now, under this id. */
  readonly created: (id: string) => void;
  /** Another tab or laptop had changed it; this is the version that was replaced. */
  readonly replaced: (theirs: QuizUpload) => void;
}

/** Writes one quiz. */
export class QuizWriter {
  readonly #api: QuizApi;
  readonly #events: WriterEvents;
  #id: string | null;
  #base: string | null = null;
  /** The content that the server is known to have; null when it has none. */
  #stored: string | null = null;
  /** The content that was sent last and may have arrived without an answer. */
  #sent: string | null = null;
  /** The ids that existed before the first attempt to create. */
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

  /** The version that a draft was made from; its content is no longer known. */
  beganFrom(base: string | null): void {
    this.#base = base;
  }

  /** The quiz was deleted elsewhere: the next write creates a new one. */
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

  /** The quiz of an earlier attempt whose answer was lost, so that no second quiz is created. */
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

/** The kind of failure of an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof NetworkError) return 'unreachable';
  if (!(error instanceof ApiError)) return 'refused';
  if (error.status >= 500 || error.status === 429 || error.status === 408) return 'unreachable';
  if (error.status === 401) return 'signed_out';
  if (error.status === 404) return 'gone';
  return error.type === 'too-many-quizzes' ? 'too_many' : 'refused';
}

/** The body that `bodyOf` would write for this quiz. Quizzes with the same content give the same body, whatever their ids and defaults. */
function fingerprint(quiz: QuizUpload): string {
  return contentOf(bodyOf(documentOf(quiz, ['', ''])));
}

/** A body of `bodyOf` without the ids of its questions. */
function contentOf({ title, tags = [], rounds }: QuizUpload): string {
  const nameless = rounds.map((round) => ({ ...round, questions: round.questions.map(({ id: _, ...question }) => question) }));
  return JSON.stringify({ title, tags, rounds: nameless });
}
