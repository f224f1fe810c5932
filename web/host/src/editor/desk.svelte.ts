// The actions on a whole quiz while it is open: start a game, add questions, export a file, leave. Used by the editor's page and its
// toolbar.

import type { HostApi, QuestionBody, QuizSummary, QuizUpload } from '$sdk';
import { tagsOf } from '$sdk/tags.ts';
import { m } from '$words/language.svelte.ts';

import type { FileKind } from '../formats/kinds.ts';
import { showNoticeHere } from '../frame/notices.svelte.ts';
import { problemWords } from '../frame/problem.ts';
import { exportQuiz } from '../home/exporting.ts';
import { go } from '../router.svelte.ts';
import { printPath, quizPath } from '../routes.ts';
import type { Played } from '../start/played.ts';
import { bodyOf, documentOf } from './body.ts';
import { copiesOf, withCopies } from './copying.ts';
import { addQuestions, insertRounds, isBlank, quizPoints } from './document.ts';
import { type Editor, truthWords } from './editor.svelte.ts';
import { typedTags } from './fields.ts';
import { placedWords } from './finishing.ts';

/** How long leaving waits for the last save (ms). Changes that are not saved by then are kept on this device. */
const SAVE_TIMEOUT = 3_000;

/** The actions on the open sheet. */
export class Desk {
  readonly #api: HostApi;
  readonly #editor: Editor;
  #answer: ((leaves: boolean) => void) | null = null;

  isImporting = $state(false);
  isCopying = $state(false);
  isFinding = $state(false);
  asksToLeave = $state(false);
  isStarting = $state(false);
  /** What the start dialogue is open for. */
  played = $state.raw<Played | null>(null);

  constructor(api: HostApi, editor: Editor) {
    this.#api = api;
    this.#editor = editor;
  }

  /** Whether there are changes that the server does not have. */
  get isUnsaved(): boolean {
    const { save, isEmpty, storedId, loading } = this.#editor;
    return loading === 'ready' && save.kind !== 'saved' && !(isEmpty && storedId === null);
  }

  /** Opens the start dialogue for the quiz in its present state, or says what must be finished first; `show` leads there. */
  async start(show: () => void): Promise<void> {
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      const id = await this.#stored(show, m.host_edit_start_unsaved());
      if (id !== null) this.played = { quizId: id, title: this.#editor.document.title };
    } catch (error) {
      showNoticeHere(problemWords(error));
    }
    this.isStarting = false;
  }

  /** The present sheet as a file, including unfinished parts as far as the format can hold them. */
  async save(kind: FileKind): Promise<void> {
    const body = bodyOf(this.#editor.document);
    try {
      await exportQuiz({ ...body, title: body.title || m.host_edit_untitled() }, kind);
    } catch (error) {
      showNoticeHere(problemWords(error));
    }
  }

  /** Opens the page that prints the quiz as the server has it, or says what must be finished first; `show` leads there. */
  async print(show: () => void): Promise<void> {
    const id = await this.#stored(show, m.host_print_unsaved());
    if (id !== null) await go(printPath(id));
  }

  /** The id of the quiz once the server has the present sheet. Otherwise null, and the page says the reason. */
  async #stored(show: () => void, unsaved: string): Promise<string | null> {
    const [mistake] = this.#editor.mistakes;
    if (mistake) {
      showNoticeHere(placedWords(this.#editor.document, mistake), { label: m.host_fault_show(), run: show });
      return null;
    }
    const isSaved = await this.#editor.flush();
    if (isSaved) return this.#editor.storedId;
    showNoticeHere(unsaved);
    return null;
  }

  /** Adds the rounds of another quiz after the present ones. A blank sheet takes everything. */
  bringIn(quiz: QuizUpload, report: readonly string[]): void {
    const before = this.#editor.report;
    this.#editor.addReport(report);
    const comes = documentOf(quiz, truthWords(), quizPoints(this.#editor.document));
    this.#editor.act(
      (document) => {
        const rounds = document.rounds.filter(({ title, questions }) => title !== '' || !questions.every(isBlank));
        const tags = typedTags(tagsOf([document.tags ?? '', comes.tags ?? '']));
        const here = { title: document.title || comes.title, tags, rounds };
        return insertRounds(here, rounds.length, comes.rounds);
      },
      { open: null },
    );
    const run = (): void => {
      this.#editor.undo();
      if (this.#editor.report !== before) this.#editor.setReport(before);
    };
    showNoticeHere(m.host_import_done({ count: comes.rounds.length }), { label: m.host_undo(), run });
  }

  /** Adds questions of other quizzes to the open round, or to the last one. */
  take(questions: readonly QuestionBody[]): void {
    const [round] = documentOf({ title: '', rounds: [{ title: '', questions: [...questions] }] }, truthWords()).rounds;
    if (!round) return;
    const { open } = this.#editor;
    this.#editor.act((document) => addQuestions(document, open, round.questions), { open: null });
    const run = (): void => {
      this.#editor.undo();
    };
    showNoticeHere(m.host_take_done({ count: questions.length }), { label: m.host_undo(), run });
  }

  /** Copies questions into another quiz, or into a new one; false when it has no space for them. */
  async copy(keys: ReadonlySet<string>, to: QuizSummary | null): Promise<boolean> {
    const copies = copiesOf(this.#editor.document, keys);
    const title = to?.title ?? m.host_home_copy_of({ title: shortTitle(this.#editor.document.title || m.host_edit_untitled()) });
    let id = to?.id;
    if (id === undefined) id = (await this.#api.createQuiz({ title, rounds: copies })).id;
    else {
      const whole = withCopies(await this.#api.quiz(id), copies);
      if (whole === null) return false;
      await this.#api.replaceQuiz(id, whole);
    }
    const path = quizPath(id);
    const text = m.host_copy_done({ count: keys.size, title });
    showNoticeHere(text, { label: m.host_copy_open(), run: () => void go(path) });
    return true;
  }

  /** Saves what can be saved. The rest is kept on this device, or else the person is asked. */
  async mayLeave(): Promise<boolean> {
    if (!this.isUnsaved) return true;
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => {
        resolve(false);
      }, SAVE_TIMEOUT);
    });
    if (await Promise.race([this.#editor.flush(), late])) return true;
    this.#editor.keepDraft();
    if (this.#editor.kept) return true;
    this.asksToLeave = true;
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** The person's answer. */
  leave(leaves: boolean): void {
    this.asksToLeave = false;
    this.#answer?.(leaves);
    this.#answer = null;
  }
}

/** Leaves space for the text around it within the server's 200 characters. */
const shortTitle = (title: string): string => [...title].slice(0, 180).join('');
