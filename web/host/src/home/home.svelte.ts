// The state and the actions of the home page: the host's games and quizzes, and every action on a row. It asks the server at
// the start and whenever the page becomes visible again; the old list stays until the answer is there.

import type { GameSummary, HostApi, Quiz, QuizSummary, QuizUpload, Search } from '$sdk';
import { m } from '$words/language.svelte.ts';

import { bodyOf, documentOf } from '../editor/body.ts';
import { browserDrafts, type Draft, isLocal, localId } from '../editor/draft.ts';
import { truthWords } from '../editor/editor.svelte.ts';
import type { FileKind } from '../formats/kinds.ts';
import { showNotice } from '../frame/notices.svelte.ts';
import { problemWords } from '../frame/problem.ts';
import { allTags } from '../library/searching.ts';
import { go } from '../router.svelte.ts';
import { printPath, quizPath } from '../routes.ts';
import { hostName } from '../session.svelte.ts';
import { exportQuiz } from './exporting.ts';

/** The state of the home page. */
export class HomeDesk {
  readonly #api: HostApi;
  readonly #drafts = browserDrafts(hostName());

  quizzes = $state.raw<readonly QuizSummary[] | null>(null);
  games = $state.raw<readonly GameSummary[]>([]);
  drafts = $state.raw<readonly Draft[]>([]);
  /** The reason for which the lists could not be read. */
  problem = $state<string | null>(null);
  /** The id of the row with an action in progress. */
  busy = $state<string | null>(null);

  /** The result of a search; null without a search. */
  found = $state.raw<readonly QuizSummary[] | null>(null);
  #search: Search = {};

  /** Every tag of a quiz. */
  readonly tags = $derived(allTags((this.quizzes ?? []).map((quiz) => quiz.tags)));
  readonly live = $derived(this.games.filter(({ phase }) => phase !== 'ended'));
  readonly over = $derived(this.games.filter(({ phase }) => phase === 'ended'));
  /** The quizzes that the server does not have: never saved, or deleted elsewhere while they were edited. */
  readonly unfinished = $derived(
    this.drafts.filter(({ quizId }) => isLocal(quizId) || this.quizzes?.every(({ id }) => id !== quizId)),
  );

  constructor(api: HostApi) {
    this.#api = api;
  }

  async load(): Promise<void> {
    this.drafts = this.#drafts.all();
    try {
      const [quizzes, games] = await Promise.all([this.#api.quizzes(), this.#api.games()]);
      this.quizzes = quizzes;
      this.games = games;
      await this.#find();
      this.problem = null;
    } catch (error) {
      this.problem = problemWords(error);
    }
  }

  /** Shows the quizzes that match this search; all of them for an empty search. */
  async search(search: Search): Promise<void> {
    this.#search = search;
    try {
      await this.#find();
    } catch (error) {
      showNotice(problemWords(error));
    }
  }

  async #find(): Promise<void> {
    const search = this.#search;
    const found = search.q || search.tag ? await this.#api.quizzes(search) : null;
    // Another search may have begun meanwhile.
    if (search === this.#search) this.found = found;
  }

  /** What this device has of a quiz and the server does not. */
  draftOf(quizId: string): Draft | undefined {
    return this.drafts.find((draft) => draft.quizId === quizId);
  }

  write(): void {
    void go(quizPath(localId()));
  }

  duplicate(quiz: QuizSummary): Promise<void> {
    return this.#doing(quiz.id, async () => {
      const content = contentOf(await this.#api.quiz(quiz.id));
      const { title } = content;
      await this.#api.createQuiz({ ...content, title: copyTitle(title) });
      await this.load();
      showNotice(m.host_home_duplicated({ title }));
    });
  }

  exportQuiz(quiz: QuizSummary, kind: FileKind): Promise<void> {
    return this.#doing(quiz.id, async () => {
      await exportQuiz(contentOf(await this.#api.quiz(quiz.id)), kind);
    });
  }

  print(quiz: QuizSummary): void {
    void go(printPath(quiz.id));
  }

  /** Deletes the quiz, and offers to undo that. */
  remove(quiz: QuizSummary): Promise<void> {
    return this.#doing(quiz.id, async () => {
      const content = contentOf(await this.#api.quiz(quiz.id));
      await this.#api.deleteQuiz(quiz.id);
      this.#drafts.forget(quiz.id, Infinity);
      await this.load();
      const run = (): void => void this.#bringBack(content);
      showNotice(m.host_home_deleted({ title: content.title }), { label: m.host_undo(), run });
    });
  }

  removeGame(game: GameSummary): Promise<void> {
    return this.#doing(game.id, async () => {
      await this.#api.deleteGame(game.id);
      await this.load();
      showNotice(m.host_home_game_deleted());
    });
  }

  /** Deletes a quiz that exists only on this device; it can be restored like the others. */
  discard(draft: Draft): void {
    this.#drafts.forget(draft.quizId, Infinity);
    this.drafts = this.#drafts.all();
    const run = (): void => {
      this.#drafts.save(draft.quizId, draft.document, draft.base, draft.at);
      this.drafts = this.#drafts.all();
    };
    showNotice(m.host_home_deleted({ title: draft.document.title || m.host_edit_untitled() }), { label: m.host_undo(), run });
  }

  /** Makes a quiz from a file; missing values are filled in as in the editor. */
  async bringIn(quiz: QuizUpload, report: readonly string[]): Promise<void> {
    const body = bodyOf(documentOf(quiz, truthWords()));
    const made = await this.#api.createQuiz({ ...body, importReport: [...report] });
    await go(quizPath(made.id));
  }

  async #bringBack(body: QuizUpload): Promise<void> {
    try {
      await this.#api.createQuiz(body);
      showNotice(m.host_home_back({ title: body.title }));
    } catch (error) {
      const run = (): void => void this.#bringBack(body);
      showNotice(problemWords(error), { label: m.host_again(), run });
    }
    await this.load();
  }

  async #doing(id: string, work: () => Promise<void>): Promise<void> {
    if (this.busy !== null) return;
    this.busy = id;
    try {
      await work();
    } catch (error) {
      showNotice(problemWords(error));
      await this.load();
    }
    this.busy = null;
  }
}

/** The parts of a quiz that a copy gets: its questions with their ids, and its tags. */
function contentOf({ title, rounds, tags = [] }: Quiz): QuizUpload {
  return { title, rounds, tags };
}

/** Leaves space for the text around it within the server's 200 characters. */
function copyTitle(title: string): string {
  return m.host_home_copy_of({ title: [...title].slice(0, 180).join('') });
}
