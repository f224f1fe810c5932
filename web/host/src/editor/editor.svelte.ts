// The quiz that is being edited: its history, its open parts, its missing parts, and whether it is saved. The components of this folder
// draw it and call it; document.ts makes the changes, saver.ts decides when they are written.

import type { HostApi, QuizUpload } from '$sdk';
import { ApiError } from '$sdk';
import { m } from '$words/language.svelte.ts';

import { clearNoticeOfPage, showNoticeHere } from '../frame/notices.svelte.ts';
import { rename } from '../router.svelte.ts';
import { quizPath } from '../routes.ts';
import { AskedHistory } from './asked.svelte.ts';
import { bodyOf, documentOf } from './body.ts';
import { isBlank, newQuestion, newRound, questionOf, type QuizDocument, type TruthWords } from './document.ts';
import { type Draft, type Drafts, isLocal } from './draft.ts';
import { begin, change, type History, opened, redo, undo } from './history.ts';
import { type Mistake, mistakesOf } from './mistakes.ts';
import { Saver, type SaveState } from './saver.ts';
import { failureOf, QuizWriter } from './writer.ts';

/** How a change is made. */
interface Change {
  /** The thing that is open afterwards; unchanged by default. */
  readonly open?: string | null;
  /** The field that is typed into. Changes of the same field are undone together. */
  readonly field?: string;
  /** What screen readers announce. */
  readonly say?: string;
}

/** The progress of loading. */
export type Loading = 'loading' | 'ready' | 'missing' | { readonly problem: unknown };

/** The most lines of a report that the server accepts. */
const REPORT_LINES = 200;

/** How long after a change a draft is stored (ms). When the page is left, it is stored at once. */
const DRAFT_REST = 250;

const CLOCK = {
  set: (run: () => void, ms: number): unknown => setTimeout(run, ms),
  clear: (timer: unknown): void => {
    clearTimeout(timer as number);
  },
};

/** The editor of one quiz, while its page is open. */
export class Editor {
  /** For the files of a question. */
  readonly api: HostApi;
  /** The games in which its questions were asked. */
  readonly asked: AskedHistory;
  readonly #drafts: Drafts;
  readonly #saver: Saver<QuizUpload>;
  readonly #writer: QuizWriter;
  #id: string;
  #adopted = 0;
  #isClosed = false;
  #draftTimer: ReturnType<typeof setTimeout> | null = null;
  #history = $state.raw<History>(begin({ title: '', rounds: [] }));
  /** The questions that were left once, so that their mistakes are shown. */
  #left = $state.raw<readonly string[]>([]);
  /** Whether the server does not have `report` yet. */
  #isReportNew = false;

  loading = $state.raw<Loading>('loading');
  save = $state.raw<SaveState>({ kind: 'saved' });
  /** The last action, for screen readers. */
  said = $state('');
  /** The report of an import: the parts that it left out and the reasons, until it is dismissed. */
  report = $state.raw<readonly string[]>([]);
  /** Whose drawer of settings is open: the key of a round, `quiz`, or none. */
  settings = $state<string | null>(null);
  /** Whether the changes could be stored on this device. */
  kept = $state(true);

  readonly document = $derived(this.#history.now.document);
  readonly open = $derived(this.#history.now.open);
  /** The question that the preview shows: the open one, or the one that was open last, or the first. */
  readonly shown = $derived(
    [this.open, ...this.#left.toReversed()].find((key) => questionOf(this.document, key) !== null) ??
      this.document.rounds[0]?.questions[0]?.key ??
      null,
  );
  readonly mistakes = $derived(mistakesOf(this.document));
  readonly canUndo = $derived(this.#history.past.length > 0);
  readonly canRedo = $derived(this.#history.future.length > 0);
  /** Whether a new quiz is still completely empty. */
  readonly isEmpty = $derived(isEmptyDocument(this.document));

  constructor(api: HostApi, quizId: string, drafts: Drafts) {
    this.api = api;
    this.asked = new AskedHistory(api);
    this.#id = quizId;
    this.#drafts = drafts;
    this.#writer = new QuizWriter(api, isLocal(quizId) ? null : quizId, {
      created: (id) => {
        this.#created(id);
      },
      replaced: (theirs) => {
        this.#replaced(theirs);
      },
    });
    this.#saver = new Saver({
      write: (body) => this.#write(body),
      failureOf,
      report: (state) => {
        this.save = state;
      },
      clock: CLOCK,
    });
  }

  /** The id on the server; null while there is none. */
  get storedId(): string | null {
    return isLocal(this.#id) ? null : this.#id;
  }

  async load(): Promise<void> {
    const draft = this.#drafts.newest(this.#id);
    this.#adopted = draft?.at ?? 0;
    if (isLocal(this.#id)) {
      this.#beginWith(draft?.document ?? emptyDocument());
      return;
    }
    this.loading = 'loading';
    try {
      const quiz = await this.api.quiz(this.#id);
      this.#writer.began(quiz);
      void this.asked.load(quiz.id);
      this.report = quiz.importReport ?? [];
      this.#beginWith(documentOf(quiz, truthWords()));
      if (draft) this.#resume(draft, quiz.updatedAt);
    } catch (error) {
      this.#notLoaded(error, draft);
    }
  }

  /** Checks whether another tab or laptop has changed the quiz, and shows that version if there are no changes here. */
  async refresh(): Promise<void> {
    if (this.loading !== 'ready' || this.save.kind !== 'saved' || this.storedId === null) return;
    try {
      const quiz = await this.api.quiz(this.#id);
      if (quiz.updatedAt === this.#writer.base || this.save.kind !== 'saved') return;
      const isSame = this.#writer.has(bodyOf(documentOf(quiz, truthWords())));
      this.#writer.began(quiz);
      this.report = quiz.importReport ?? [];
      if (isSame) return;
      this.#set(change(this.#history, { document: documentOf(quiz, truthWords()), open: null }, null, Date.now()));
      showNoticeHere(m.host_edit_refreshed());
    } catch {
      // Not reachable: the next save reports it.
    }
  }

  act(make: (document: QuizDocument) => QuizDocument, { open = this.open, field, say }: Change = {}): void {
    this.#leave(open);
    this.#set(change(this.#history, { document: make(this.document), open }, field ?? null, Date.now()));
    if (say !== undefined) this.say(say);
  }

  /** Adds the report of an import to the earlier reports of the quiz. */
  addReport(lines: readonly string[]): void {
    if (lines.length > 0) this.setReport([...this.report, ...lines].slice(-REPORT_LINES));
  }

  /** Replaces the report; without lines it is removed. It is saved with the quiz. */
  setReport(lines: readonly string[]): void {
    this.report = lines;
    this.#isReportNew = true;
    this.#contentChanged();
  }

  /** Opens a question, or closes the one that is open. */
  show(key: string | null): void {
    this.#leave(key);
    this.#history = opened(this.#history, key);
  }

  undo(): void {
    if (!this.canUndo) return;
    this.#set(undo(this.#history));
    this.say(m.host_edit_undone());
  }

  redo(): void {
    if (!this.canRedo) return;
    this.#set(redo(this.#history));
    this.say(m.host_edit_redone());
  }

  /** The mistakes of a question that may be shown: not while it is written for the first time. */
  mistakesIn(question: string): Mistake[] {
    if (this.open === question && !this.#left.includes(question)) return [];
    return this.mistakes.filter((mistake) => mistake.question === question);
  }

  /** Opens the place of the first thing to finish. */
  showMistake(): Mistake | null {
    const [first] = this.mistakes;
    if (!first) return null;
    this.#left = [...this.#left, ...this.mistakes.flatMap(({ question }) => question ?? [])];
    if (first.question !== null) this.show(first.question);
    else if (first.field === 'time' || first.field === 'tags') this.settings = first.round ?? 'quiz';
    return first;
  }

  /** Writes what can be written. Returns whether all is saved. */
  flush(): Promise<boolean> {
    this.keepDraft();
    return this.#saver.flush();
  }

  retry(): void {
    this.#saver.retry();
  }

  /** The quiz was deleted elsewhere: the content here becomes a new quiz. */
  saveAsNew(): void {
    this.#writer.beginAnew();
    this.#contentChanged();
    void this.#saver.flush();
  }

  /** Stores or deletes the draft now. */
  keepDraft(): void {
    if (this.#draftTimer !== null) clearTimeout(this.#draftTimer);
    this.#draftTimer = null;
    if (this.loading !== 'ready') return;
    if (this.save.kind === 'saved' || (this.isEmpty && this.storedId === null)) {
      this.#drafts.forget(this.#id, this.#adopted);
    } else {
      this.kept = this.#drafts.save(this.#id, this.document, this.#writer.base, Date.now());
    }
  }

  /** The page is left. */
  close(): void {
    this.keepDraft();
    clearNoticeOfPage();
    this.#isClosed = true;
    this.#saver.close();
  }

  #beginWith(document: QuizDocument): void {
    this.#history = begin(document);
    const isNew = this.storedId === null;
    if (isNew && this.isEmpty) this.#history = opened(this.#history, document.rounds[0]?.questions[0]?.key ?? null);
    this.loading = 'ready';
    this.#contentChanged();
  }

  #resume(draft: Draft, updatedAt: string): void {
    if (this.#writer.has(bodyOf(draft.document)) && mistakesOf(draft.document).length === 0) {
      this.#drafts.forget(draft.quizId, draft.at);
      return;
    }
    const stored = this.document;
    this.#set(change(this.#history, { document: draft.document, open: null }, null, Date.now()));
    const run = (): void => {
      this.act(() => stored, { open: null });
    };
    const text = draft.base === updatedAt ? m.host_edit_resumed() : m.host_edit_resumed_changed();
    showNoticeHere(text, { label: m.host_edit_resumed_drop(), run });
  }

  #notLoaded(error: unknown, draft: Draft | null): void {
    if (draft) {
      // The draft is shown even when the server fails; saving then reports the fault.
      this.#writer.beganFrom(draft.base);
      this.#beginWith(draft.document);
      return;
    }
    this.loading = error instanceof ApiError && error.status === 404 ? 'missing' : { problem: error };
  }

  /** The same words twice are two texts, so that they are announced twice. */
  say(text: string): void {
    this.said = this.said === text ? `${text}\u00a0` : text;
  }

  #leave(next: string | null): void {
    const now = this.open;
    if (now !== null && now !== next) this.#left = [...this.#left.filter((key) => key !== now), now];
  }

  #set(history: History): void {
    const before = this.document;
    this.#history = history;
    if (this.document === before) return;
    this.#contentChanged();
    this.#draftTimer ??= setTimeout(() => {
      this.keepDraft();
    }, DRAFT_REST);
  }

  #contentChanged(): void {
    const body = bodyOf(this.document);
    const isStored = this.#writer.has(body) && !this.#isReportNew;
    if (isStored || (this.isEmpty && this.storedId === null)) this.#saver.changed('as_saved');
    else this.#saver.changed(this.mistakes.length > 0 ? 'unfinished' : { body });
  }

  async #write(body: QuizUpload): Promise<void> {
    const { report } = this;
    await this.#writer.write(body, this.#isReportNew ? report : undefined);
    if (this.report === report) this.#isReportNew = false;
    // Only if nothing has been typed in the meantime; otherwise the draft is still needed.
    if (this.#writer.has(bodyOf(this.document))) this.#drafts.forget(this.#id, this.#adopted);
  }

  #created(id: string): void {
    this.#drafts.forget(this.#id, Infinity);
    this.#id = id;
    if (!this.#isClosed) rename(quizPath(id));
  }

  #replaced(theirs: QuizUpload): void {
    const run = (): void => {
      this.act(() => documentOf(theirs, truthWords()), { open: null });
    };
    showNoticeHere(m.host_edit_conflict(), { label: m.host_edit_conflict_take(), run });
  }
}

/** How a new true-or-false question names its choices, in the language of the page. */
export const truthWords = (): TruthWords => [m.host_edit_true(), m.host_edit_false()];

const emptyDocument = (): QuizDocument => ({ title: '', rounds: [newRound([newQuestion('text', truthWords())])] });

function isEmptyDocument(document: QuizDocument): boolean {
  const hasTitle = document.title.trim() !== '' || document.rounds.some(({ title }) => title.trim() !== '');
  return !hasTitle && document.rounds.every(({ questions }) => questions.every(isBlank));
}
