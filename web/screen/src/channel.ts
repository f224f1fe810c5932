// The line between the host page and the screen windows of the same browser: one BroadcastChannel per game.
// The host speaks, screens listen; a screen that opens (or a host page that reloads) asks or tells again. No server.

import type { ScreenView } from './view.ts';

type Word = { readonly kind: 'view'; readonly view: ScreenView } | { readonly kind: 'ask' } | { readonly kind: 'gone' };

const name = (gameId: string): string => `quizhall.screen.${gameId}`;

/** The host's end. */
export class ScreenSender {
  readonly #channel: BroadcastChannel;
  #last: ScreenView | null = null;

  constructor(gameId: string) {
    this.#channel = new BroadcastChannel(name(gameId));
    this.#channel.onmessage = (event: MessageEvent<Word>) => {
      // Another window of the host going does not put out the lamp while this one runs the game.
      if (event.data.kind !== 'view' && this.#last) this.show(this.#last);
    };
  }

  /** Shows this picture on every screen of the game. */
  show(view: ScreenView): void {
    this.#last = view;
    this.#channel.postMessage({ kind: 'view', view } satisfies Word);
  }

  /** This page runs the game no more, or is about to go: screens keep their last picture and wait for the next. */
  rest(): void {
    if (this.#last === null) return;
    this.#last = null;
    this.#channel.postMessage({ kind: 'gone' } satisfies Word);
  }

  /** The host page goes. */
  close(): void {
    this.rest();
    this.#channel.close();
  }
}

/** A screen's end. `view` is called with every picture, `gone` when the host page has closed. */
export function listen(gameId: string, heard: { view: (view: ScreenView) => void; gone: () => void }): () => void {
  const channel = new BroadcastChannel(name(gameId));
  channel.onmessage = (event: MessageEvent<Word>) => {
    if (event.data.kind === 'view') heard.view(event.data.view);
    if (event.data.kind === 'gone') heard.gone();
  };
  channel.postMessage({ kind: 'ask' } satisfies Word);
  return () => {
    channel.close();
  };
}
