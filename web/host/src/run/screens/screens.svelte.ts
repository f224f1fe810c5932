// The screens of a game on its host's page: adding and removing them, and choosing what they show. Created by Running.svelte and by
// Over.svelte; the server makes the pictures.

import { ApiError, type HostApi, type Screen, type ShowOnScreens, type Slide as SentSlide } from '$sdk';

import { answerScreens } from '../../../../screen/src/channel.ts';

/** The delay after which a failed message is sent again. */
const AGAIN_MS = 1_000;
/** How often the list is read for a screen that was paired: it learns of its game at its next request, some seconds later. */
const PAIRED_READS = 20;

/** The screens of one game. */
export class Screens {
  readonly #api: HostApi;
  readonly #gameId: string;
  readonly #stopAnswers: () => void;
  /** The screens in order of adding; empty until they have been read. */
  list = $state.raw<readonly Screen[]>([]);
  /** The address for spectators; null when they may not watch. */
  watchUrl = $state.raw<string | null>(null);
  /** The slide that was chosen before this page opened, perhaps on another device; undefined until it has been read, null when none was. */
  before = $state.raw<SentSlide | null | undefined>(undefined);
  /** Whether the screens show nothing. The server ends that with the next step. */
  isBlank = $state(false);
  #wanted: ShowOnScreens | null = null;
  #sending = false;
  /** How often this page has chosen what they show: a list that was asked for earlier says nothing about that. */
  #choices = 0;
  #closed = false;

  /** `mayAnswer`: whether this page runs the game and gives a token to a window that asks for one. */
  constructor(api: HostApi, gameId: string, mayAnswer: () => boolean) {
    this.#api = api;
    this.#gameId = gameId;
    this.#stopAnswers = answerScreens(gameId, async () => (mayAnswer() ? this.add() : null));
    void this.#begin();
  }

  /** Reads the list; if that fails, the old list stays. */
  async read(): Promise<void> {
    try {
      const choices = this.#sending ? null : this.#choices;
      const { screens, show, watchUrl = null } = await this.#api.screens(this.#gameId);
      this.list = screens;
      this.watchUrl = watchUrl;
      if (choices === this.#choices) this.isBlank = show.blank === true;
      if (this.before === undefined) this.before = show.slide ?? null;
    } catch {
      // Asked again with the next change.
    }
  }

  /** Adds a screen. Returns its link, or null when that is impossible. */
  async add(): Promise<string | null> {
    try {
      const { url } = await this.#api.addScreen(this.#gameId);
      await this.read();
      return url;
    } catch {
      return null;
    }
  }

  /** Puts the screen that shows this code into the game, and waits for it in the list. */
  async pair(code: string): Promise<void> {
    const before = this.list.length;
    await this.#api.pairScreen(this.#gameId, code);
    void this.#await(before);
  }

  /** Revokes a screen's token. */
  async remove(screenId: string): Promise<void> {
    await this.#api.removeScreen(this.#gameId, screenId);
    await this.read();
  }

  /** Whether a screen or a spectator may be shown a slide. */
  get areSeen(): boolean {
    return this.list.length > 0 || this.watchUrl !== null;
  }

  /** Lets spectators watch, or ends that. */
  async letWatch(allowed: boolean): Promise<void> {
    await this.#api.letWatch(this.#gameId, allowed);
    await this.read();
  }

  /** Makes the screens show this; of several changes in quick succession only the last is sent. */
  show(show: ShowOnScreens): void {
    this.isBlank = show.blank === true;
    this.#choices += 1;
    this.#wanted = show;
    if (!this.#sending) void this.#send();
  }

  /** Makes the screens show nothing, or their picture again; another device of the host may have done the same, so the server is asked. */
  async blank(): Promise<void> {
    try {
      const { blank = false, ...how } = (await this.#api.screens(this.#gameId)).show;
      this.show({ ...how, ...(!blank && { blank: true }) });
    } catch {
      // The key can be pressed again.
    }
  }

  /** Answers no window any more, and sends nothing. */
  close(): void {
    this.#closed = true;
    this.#stopAnswers();
  }

  async #begin(): Promise<void> {
    while (this.before === undefined && !this.#closed) {
      await this.read();
      if (this.before === undefined) await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  /** Reads the list until it has more screens than before. */
  async #await(before: number): Promise<void> {
    for (let reads = 0; reads < PAIRED_READS && this.list.length <= before && !this.#closed; reads += 1) {
      await this.read();
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  async #send(): Promise<void> {
    this.#sending = true;
    while (this.#wanted !== null && !this.#closed) {
      const show = this.#wanted;
      this.#wanted = null;
      try {
        await this.#api.showOnScreens(this.#gameId, show);
      } catch (error) {
        // The server would refuse the request again.
        if (error instanceof ApiError && error.status < 500) continue;
        await new Promise((done) => setTimeout(done, AGAIN_MS));
        this.#wanted ??= show;
      }
    }
    this.#sending = false;
  }
}
