// Drags a question or a round by its handle. It owns the pointer from the handle's first move until it is released, shows where the thing
// would be placed, and moves it there. The keyboard and the buttons do the same without it.

import { nearestSlot, scrollSpeed, type Slot, slotsOf } from './slots.ts';

/** The thing that is dragged. */
export type Kind = 'question' | 'round';

interface Options {
  readonly root: () => HTMLElement;
  readonly drop: (kind: Kind, key: string, slot: Slot) => void;
}

/** How far the pointer moves before a press becomes a drag (pixels). */
const THRESHOLD = 4;

/** The current drag, if any. */
export class Drag {
  readonly #options: Options;
  #stop: (() => void) | null = null;
  #y = 0;
  #frame = 0;

  /** The key of the thing that is dragged. */
  key = $state<string | null>(null);
  kind = $state<Kind>('question');
  slot = $state.raw<Slot | null>(null);

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether it would be placed here. */
  isHere(kind: Kind, round: string, at: number): boolean {
    return this.key !== null && this.kind === kind && this.slot?.round === round && this.slot.at === at;
  }

  /** On `pointerdown` of a handle. */
  press(event: PointerEvent, kind: Kind, key: string): void {
    if (event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return;
    const handle = event.currentTarget;
    const from = event.clientY;
    handle.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent): void => {
      this.#y = next.clientY;
      if (this.key === null && Math.abs(next.clientY - from) > THRESHOLD) this.#begin(kind, key);
      if (this.key !== null) this.#look();
    };
    const up = (): void => {
      this.#end(true);
    };
    const cancel = (): void => {
      this.#end(false);
    };
    const escape = (next: KeyboardEvent): void => {
      if (next.key === 'Escape' && this.key !== null) {
        next.stopPropagation();
        cancel();
      }
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', up);
    handle.addEventListener('pointercancel', cancel);
    addEventListener('keydown', escape, true);
    this.#stop = () => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', up);
      handle.removeEventListener('pointercancel', cancel);
      removeEventListener('keydown', escape, true);
    };
  }

  /** The page is left. */
  cancel(): void {
    this.#end(false);
  }

  #begin(kind: Kind, key: string): void {
    this.kind = kind;
    this.key = key;
    this.#frame = requestAnimationFrame(() => {
      this.#follow();
    });
  }

  #follow(): void {
    if (this.key === null) return;
    const speed = scrollSpeed(this.#y, innerHeight);
    if (speed !== 0) {
      scrollBy(0, speed);
      this.#look();
    }
    this.#frame = requestAnimationFrame(() => {
      this.#follow();
    });
  }

  #look(): void {
    this.slot = nearestSlot(this.#slots(), this.#y);
  }

  #slots(): Slot[] {
    const rounds = [...this.#options.root().querySelectorAll<HTMLElement>('[data-round]')];
    if (this.kind === 'round') return slotsOf('', rounds.map(edges), 0);
    return rounds.flatMap((round) => {
      const list = round.querySelector<HTMLElement>('[data-questions]');
      const rows = [...round.querySelectorAll<HTMLElement>('[data-question]')].map(edges);
      return slotsOf(round.dataset.round ?? '', rows, list?.getBoundingClientRect().top ?? 0);
    });
  }

  #end(isDropped: boolean): void {
    this.#stop?.();
    this.#stop = null;
    cancelAnimationFrame(this.#frame);
    const { key, kind, slot } = this;
    this.key = null;
    this.slot = null;
    if (isDropped && key !== null && slot) this.#options.drop(kind, key, slot);
  }
}

function edges(element: HTMLElement): { top: number; bottom: number } {
  const { top, bottom } = element.getBoundingClientRect();
  return { top, bottom };
}
