// A replay that is being played: the moment that is shown, its picture, and the pictures that were loaded. Held by Replay.

import type { GameMoment, ScreenUpdate } from '$sdk';

import { shownMs, type Speed, waitMs } from './course.ts';

/** Where pictures come from. */
export interface Source {
  readonly moments: () => Promise<readonly GameMoment[]>;
  readonly picture: (index: number) => Promise<ScreenUpdate>;
}

/** The most pictures that are kept: stepping back and forth loads nothing. */
const KEPT = 120;
/** How many of the next pictures are loaded ahead while it plays. */
const AHEAD = 3;
/** How often the times of a picture fall while it plays, in milliseconds. */
const TICK_MS = 200;

/** A film of these moments. */
export class Film {
  readonly moments: readonly GameMoment[];
  readonly #source: Source;
  /** By their moments; `#order` has those, the oldest first. */
  readonly #kept: Partial<Record<number, Promise<ScreenUpdate>>> = {};
  readonly #order: number[] = [];
  #index = $state.raw(0);
  #picture = $state.raw<ScreenUpdate | null>(null);
  #shown = $state.raw(-1);
  #failed = $state.raw(false);
  #playing = $state.raw(false);
  #speed = $state.raw<Speed>(1);
  #passed = $state.raw(0);
  #loading = false;

  constructor(source: Source, moments: readonly GameMoment[]) {
    this.#source = source;
    this.moments = moments;
    void this.#load();
  }

  /** The moment that was asked for. */
  get index(): number {
    return this.#index;
  }

  get last(): number {
    return this.moments.length - 1;
  }

  /** The picture that is here; that of an earlier moment while this one is loaded. */
  get picture(): ScreenUpdate | null {
    return this.#picture;
  }

  /** Whether the picture of the moment could not be loaded. */
  get failed(): boolean {
    return this.#failed;
  }

  get playing(): boolean {
    return this.#playing;
  }

  get speed(): Speed {
    return this.#speed;
  }

  set speed(speed: Speed) {
    this.#speed = speed;
  }

  /** For how long of then the picture has been shown, in milliseconds. */
  get passed(): number {
    return this.#passed;
  }

  /** Shows this moment. */
  show(index: number): void {
    this.#index = Math.min(this.last, Math.max(0, index));
    this.#passed = 0;
    if (this.#index === this.last) this.#playing = false;
    void this.#load();
  }

  /** One moment further, or back; it stops playing. */
  step(by: 1 | -1): void {
    this.#playing = false;
    this.show(this.#index + by);
  }

  /** Plays, from the beginning after the end; or stops. */
  toggle(): void {
    if (!this.#playing && this.#index === this.last) this.show(0);
    this.#playing = !this.#playing;
    void this.#load();
  }

  /** Plays while it is called, by an effect: the next moment follows when the one that is here has been shown for long enough. */
  run(): (() => void) | undefined {
    const [now, next] = [this.moments[this.#shown], this.moments[this.#shown + 1]];
    if (!this.#playing || this.#shown !== this.#index || !now || !next) return undefined;
    const [from, most, speed] = [performance.now(), shownMs(now, next), this.#speed];
    const tick = setInterval(() => {
      this.#passed = Math.min(most, (performance.now() - from) * speed);
    }, TICK_MS);
    const timer = setTimeout(() => {
      this.show(this.#index + 1);
    }, waitMs(now, next, speed));
    return () => {
      clearInterval(tick);
      clearTimeout(timer);
    };
  }

  /** Loads one picture at a time, always that of the newest moment that was asked for. */
  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    while (this.#shown !== this.#index) {
      const index = this.#index;
      try {
        this.#picture = await this.#of(index);
        this.#failed = false;
      } catch {
        this.#failed = index === this.#index;
        if (this.#failed) {
          this.#playing = false;
          break;
        }
        continue;
      }
      this.#shown = index;
    }
    this.#loading = false;
    if (this.#playing) for (let ahead = 1; ahead <= AHEAD; ahead += 1) this.#ahead(this.#index + ahead);
  }

  #ahead(index: number): void {
    if (index <= this.last) void this.#of(index).catch(() => undefined);
  }

  #of(index: number): Promise<ScreenUpdate> {
    const kept = this.#kept[index];
    if (kept) return kept;
    const loading = this.#source.picture(index);
    this.#kept[index] = loading;
    this.#order.push(index);
    const oldest = this.#order.length > KEPT ? this.#order.shift() : undefined;
    if (oldest !== undefined) this.#forget(oldest);
    loading.catch(() => {
      this.#forget(index);
    });
    return loading;
  }

  #forget(index: number): void {
    this.#kept[index] = undefined;
  }
}
