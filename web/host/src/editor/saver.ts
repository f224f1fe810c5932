// Decides when the sheet is written to the server: a moment after the last change, one write at a time, and repeatedly while the server
// cannot be reached. It does not know quizzes; the content, the way to write it and the timers are passed in, so tests wait for nothing.

/** The kinds of failed writes. */
export type Failure =
  /** No answer, or the server is busy: another attempt follows by itself. */
  | 'unreachable'
  /** The session has ended. */
  | 'signed_out'
  /** The quiz was deleted elsewhere. */
  | 'gone'
  /** The host has as many quizzes as are allowed. */
  | 'too_many'
  /** The server does not accept the content. */
  | 'refused';

/** The states of the sheet. */
export type SaveState =
  /** Nothing to save. */
  | { readonly kind: 'saved' }
  /** Changed, and about to be written. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'saving' }
  /** Something must be finished first. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'failed'; readonly why: Failure };

/** Timers. */
export interface Clock {
  readonly set: (run: () => void, ms: number) => unknown;
  readonly clear: (timer: unknown) => void;
}

/** How long after the last change it is written (ms). */
export const REST = 800;
/** The waits between attempts while the server cannot be reached (ms); the last one repeats. */
export const RETRIES = [2_000, 4_000, 8_000, 15_000, 30_000] as const;

/** The content of the sheet now: something to write, nothing new, or something unfinished. */
export type Content<Body> = { readonly body: Body } | 'as_saved' | 'unfinished';

interface Options<Body> {
  /** Writes the content; may reject with any value. */
  readonly write: (body: Body) => Promise<void>;
  readonly failureOf: (error: unknown) => Failure;
  readonly report: (state: SaveState) => void;
  readonly clock: Clock;
}

/** Saves one document. */
export class Saver<Body> {
  readonly #options: Options<Body>;
  #content: Content<Body> = 'as_saved';
  #timer: unknown = null;
  #writing: Promise<void> | null = null;
  #tries = 0;
  #state: SaveState = { kind: 'saved' };

  constructor(options: Options<Body>) {
    this.#options = options;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** The sheet has changed. */
  changed(content: Content<Body>): void {
    this.#content = content;
    this.#tries = 0;
    if (this.#writing) return;
    this.#wait(REST);
    this.#report(content);
  }

  /** Writes now what can be written; resolves to whether everything is saved. */
  async flush(): Promise<boolean> {
    if (this.#writing) await this.#writing;
    if (this.#content !== 'as_saved' && this.#content !== 'unfinished') await this.#write();
    return this.#content === 'as_saved';
  }

  /** The network is back, or the host asked: writes without waiting. */
  retry(): void {
    if (this.#state.kind === 'failed') void this.flush();
  }

  /** Stops writing by itself; a write in progress continues. */
  close(): void {
    this.#stopWaiting();
  }

  #wait(ms: number): void {
    this.#stopWaiting();
    if (this.#content === 'as_saved' || this.#content === 'unfinished') return;
    this.#timer = this.#options.clock.set(() => {
      this.#timer = null;
      void this.#write();
    }, ms);
  }

  #stopWaiting(): void {
    if (this.#timer !== null) this.#options.clock.clear(this.#timer);
    this.#timer = null;
  }

  async #write(): Promise<void> {
    this.#stopWaiting();
    const content = this.#content;
    if (this.#writing || content === 'as_saved' || content === 'unfinished') return;
    this.#set({ kind: 'saving' });
    this.#writing = this.#attempt(content);
    await this.#writing;
  }

  async #attempt(content: { readonly body: Body }): Promise<void> {
    try {
      await this.#options.write(content.body);
      this.#writing = null;
      this.#tries = 0;
      if (this.#content === content) this.#content = 'as_saved';
      this.#wait(REST);
      this.#report(this.#content);
    } catch (error) {
      this.#writing = null;
      this.#failed(this.#options.failureOf(error));
    }
  }

  #failed(why: Failure): void {
    if (this.#content === 'unfinished') {
      this.#report('unfinished');
      return;
    }
    this.#set({ kind: 'failed', why });
    if (why !== 'unreachable') return;
    this.#wait(RETRIES[Math.min(this.#tries, RETRIES.length - 1)] ?? REST);
    this.#tries += 1;
  }

  #report(content: Content<Body>): void {
    if (content === 'as_saved') this.#set({ kind: 'saved' });
    else this.#set({ kind: content === 'unfinished' ? 'unfinished' : 'waiting' });
  }

  #set(state: SaveState): void {
    this.#state = state;
    this.#options.report(state);
  }
}
