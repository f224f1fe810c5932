// Edits that are not on the server yet, kept on this device: no typed text is ever lost, also across a reload, a crash, or
// the end of a session. One record per quiz and tab, so that two tabs never overwrite each other. Used by the editor, and by
// home to show unfinished quizzes. Tolerates a storage that is full, closed or has other content.

import { EACH_SWITCH, isCost } from '$sdk/quizrounds.ts';

import { type DraftRound, NO_SCORING, QUESTION_TYPES, type QuizDocument, type Scoring } from './document.ts';
import { EACH_LINE, NO_LINES } from './fields.ts';

/** A document that waits to be saved. */
export interface Draft {
  readonly quizId: string;
  /** The account that wrote it. */
  readonly host: string;
  /** `updatedAt` of the stored quiz that it began from; null for a quiz that the server does not have. */
  readonly base: string | null;
  /** When it was written (ms). */
  readonly at: number;
  readonly document: QuizDocument;
}

/** The part of Storage that is used. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'quizhall.draft.';

/** The beginning of ids of quizzes that the server does not have. */
const LOCAL = 'new-';

/** Whether a quiz exists only on this device. */
export const isLocal = (quizId: string): boolean => quizId.startsWith(LOCAL);

/** An id for a quiz that is created here. */
export function localId(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `${LOCAL}${a.toString(36)}${b.toString(36)}`;
}

/** The drafts of one account on this device, as one tab sees them. */
export class Drafts {
  readonly #storage: DraftStorage | null;
  readonly #tab: string;
  readonly #host: string;

  constructor(storage: DraftStorage | null, tab: string, host: string) {
    this.#storage = storage;
    this.#tab = tab;
    this.#host = host;
  }

  /** Stores a document; false when that is impossible. */
  save(quizId: string, document: QuizDocument, base: string | null, at: number): boolean {
    if (!this.#storage) return false;
    try {
      const draft: Draft = { quizId, host: this.#host, base, at, document };
      this.#storage.setItem(this.#key(quizId), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  /** The newest draft of a quiz, from whichever tab; this tab's own comes first. */
  newest(quizId: string): Draft | null {
    const own = this.#read(this.#key(quizId));
    return own ?? this.all().find((draft) => draft.quizId === quizId) ?? null;
  }

  /** One draft per quiz, newest first. */
  all(): Draft[] {
    const found = this.#keys().map((key) => this.#read(key));
    const drafts = found.filter((draft) => draft !== null).sort((a, b) => b.at - a.at);
    return drafts.filter((draft, at) => drafts.findIndex(({ quizId }) => quizId === draft.quizId) === at);
  }

  /** Deletes this tab's draft, and those of other tabs that are not newer than `upTo`. */
  forget(quizId: string, upTo = 0): void {
    for (const key of this.#keys()) {
      const draft = this.#read(key);
      if (draft?.quizId === quizId && (key === this.#key(quizId) || draft.at <= upTo)) this.#remove(key);
    }
  }

  #key(quizId: string): string {
    return `${PREFIX}${quizId}.${this.#tab}`;
  }

  #keys(): string[] {
    const storage = this.#storage;
    if (!storage) return [];
    try {
      const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
      return keys.filter((key) => key.startsWith(PREFIX));
    } catch {
      return [];
    }
  }

  #read(key: string): Draft | null {
    try {
      const read: unknown = JSON.parse(this.#storage?.getItem(key) ?? 'null');
      return isDraft(read) && read.host === this.#host ? withEveryLine(read) : null;
    } catch {
      return null;
    }
  }

  #remove(key: string): void {
    try {
      this.#storage?.removeItem(key);
    } catch {
      // A closed storage contains nothing either.
    }
  }
}

const TAB = 'quizhall.tab';

/** The drafts of this browser. */
export function browserDrafts(host: string): Drafts {
  try {
    // A reload is the same tab: it finds its own draft again.
    const tab = sessionStorage.getItem(TAB) ?? localId().slice(LOCAL.length);
    sessionStorage.setItem(TAB, tab);
    return new Drafts(localStorage, tab, host);
  } catch {
    return new Drafts(null, '', host);
  }
}

/** A draft of an earlier version lacks newer fields; they are empty. */
function withEveryLine(draft: Draft): Draft {
  const rounds = draft.document.rounds.map((round: Omit<DraftRound, 'timeLimit' | keyof Scoring>) => {
    const questions = round.questions.map((question) => ({ ...NO_LINES, ...NO_MEDIA, ...question }));
    return { timeLimit: '', ...NO_SCORING, ...round, questions };
  });
  return { ...draft, document: { ...draft.document, rounds } };
}

const NO_MEDIA = { media: null } as const;

function isDraft(read: unknown): read is Draft {
  if (!isRecord(read) || !isRecord(read.document)) return false;
  const fits = typeof read.quizId === 'string' && typeof read.host === 'string' && typeof read.at === 'number';
  const { title, tags = '', rounds } = read.document;
  return fits && typeof tags === 'string' && typeof title === 'string' && Array.isArray(rounds) && rounds.every(isRound);
}

function isRound(read: unknown): boolean {
  if (!isRecord(read)) return false;
  const isLine = read.timeLimit === undefined || typeof read.timeLimit === 'string';
  const isCosting = read.wrongPoints === undefined || isCost(read.wrongPoints);
  const areFlags = EACH_SWITCH.every((name) => read[name] === undefined || typeof read[name] === 'boolean');
  const fits = typeof read.key === 'string' && typeof read.title === 'string' && isLine && areFlags && isCosting;
  return fits && Array.isArray(read.questions) && read.questions.every(isQuestion);
}

function isQuestion(read: unknown): boolean {
  if (!isRecord(read)) return false;
  const lines = EACH_LINE.map(([name]) => (read[name] === undefined ? '' : read[name]));
  const texts = [read.key, read.text, ...lines, ...listOf(read.answers)];
  const choices = [...listOf(read.choices), ...listOf(read.truth)];
  const fits = texts.every((text) => typeof text === 'string');
  return fits && QUESTION_TYPES.some((type) => type === read.type) && choices.every(isChoice) && isMedia(read.media);
}

function isMedia(read: unknown): boolean {
  if (read === undefined || read === null) return true;
  if (!isRecord(read)) return false;
  return typeof read.id === 'string' && typeof read.kind === 'string' && typeof (read.alt ?? '') === 'string';
}

function isChoice(read: unknown): boolean {
  if (!isRecord(read)) return false;
  return typeof read.key === 'string' && typeof read.text === 'string' && typeof read.right === 'boolean';
}

/** Null where there is no list; such a value is neither a text nor a choice. */
const listOf = (read: unknown): readonly unknown[] => (Array.isArray(read) ? read : [null]);

const isRecord = (read: unknown): read is Record<string, unknown> => typeof read === 'object' && read !== null;
