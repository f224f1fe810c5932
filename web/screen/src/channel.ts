// The line between the host page and the screen windows of the same browser: one BroadcastChannel per game.
// The host speaks, screens listen; a screen that opens (or a host page that reloads) asks or tells again. No server.

import type { LineState } from '$ui/parts/line.ts';

import type { ScreenView } from './view.ts';

type Word =
  | { readonly kind: 'view'; readonly view: ScreenView }
  | { readonly kind: 'line'; readonly line: LineState }
  | { readonly kind: 'ask' | 'gone' | 'retry' };

const name = (gameId: string): string => `quizhall.screen.${gameId}`;

/** The host's end. */
export class ScreenSender {
  readonly #channel: BroadcastChannel;
  #last: ScreenView | null = null;
  #line: LineState = { state: 'open' };

  /** `retry` is called when somebody at a screen wants the host page to connect now. */
  constructor(gameId: string, retry: () => void = () => undefined) {
    this.#channel = new BroadcastChannel(name(gameId));
    this.#channel.onmessage = ({ data: { kind } }: MessageEvent<Word>) => {
      if (kind === 'retry') retry();
      // Another window of the host going does not put out the lamp while this one runs the game.
      if ((kind !== 'ask' && kind !== 'gone') || !this.#last) return;
      this.show(this.#last);
      this.#say({ kind: 'line', line: this.#line });
    };
  }

  /** Shows this picture on every screen of the game. */
  show(view: ScreenView): void {
    this.#last = view;
    this.#say({ kind: 'view', view });
  }

  /** Tells the screens how this page's connection to the game is; a page that shows nothing tells nothing. */
  line(line: LineState): void {
    this.#line = line;
    if (this.#last !== null) this.#say({ kind: 'line', line });
  }

  /** This page runs the game no more, or is about to go: screens keep their last picture and wait for the next. */
  rest(): void {
    if (this.#last === null) return;
    this.#last = null;
    this.#say({ kind: 'gone' });
  }

  /** The host page goes. */
  close(): void {
    this.rest();
    this.#channel.close();
  }

  #say(word: Word): void {
    this.#channel.postMessage(word);
  }
}

/** What a screen hears: every picture, how the host page's connection is, and that the host page has closed. */
export interface Heard {
  view(view: ScreenView): void;
  line(line: LineState): void;
  gone(): void;
}

/** A screen's end; `retry` asks the host page to connect now. */
export function listen(gameId: string, heard: Heard): { retry: () => void; close: () => void } {
  const channel = new BroadcastChannel(name(gameId));
  channel.onmessage = (event: MessageEvent<Word>) => {
    if (event.data.kind === 'view') heard.view(event.data.view);
    if (event.data.kind === 'line') heard.line(event.data.line);
    if (event.data.kind === 'gone') heard.gone();
  };
  channel.postMessage({ kind: 'ask' } satisfies Word);
  return {
    retry: () => {
      channel.postMessage({ kind: 'retry' } satisfies Word);
    },
    close: () => {
      channel.close();
    },
  };
}
