// The line between the host page and the screen windows of the same browser: one BroadcastChannel per game.
// The host speaks, screens listen; a screen that opens (or a host page that reloads) asks or sends again. No server.
//
// A host page that stands still says no goodbye, so each screen asks once a second whether it is there. The screen keeps the
// clock, as timers of a page in the background are slowed down; messages reach such a page at once.

import type { LineState } from '$ui/parts/line.ts';

import type { ScreenView } from './view.ts';

type Message =
  | { readonly kind: 'view'; readonly view: ScreenView }
  | { readonly kind: 'line'; readonly line: LineState }
  | { readonly kind: 'ask' | 'gone' | 'retry' | 'ping' | 'pong' };

/** How often a screen asks whether the host page is there, and after how many questions without an answer it is not. */
const ASK_EVERY_MS = 1_000;
const UNANSWERED = 3;

const name = (gameId: string): string => `quizhall.screen.${gameId}`;

/** The host's end. */
export class ScreenSender {
  readonly #channel: BroadcastChannel;
  #last: ScreenView | null = null;
  #line: LineState = { state: 'open' };

  /** `retry` is called when a screen wants the host page to connect now. */
  constructor(gameId: string, retry: () => void = () => undefined) {
    this.#channel = new BroadcastChannel(name(gameId));
    this.#channel.onmessage = ({ data: { kind } }: MessageEvent<Message>) => {
      if (kind === 'retry') retry();
      if (kind === 'ping' && this.#last) this.#send({ kind: 'pong' });
      // Another window of the host going does not put out the lamp while this one runs the game.
      if ((kind !== 'ask' && kind !== 'gone') || !this.#last) return;
      this.show(this.#last);
      this.#send({ kind: 'line', line: this.#line });
    };
  }

  /** Shows this picture on every screen of the game. */
  show(view: ScreenView): void {
    this.#last = view;
    this.#send({ kind: 'view', view });
  }

  /** Sends the screens how this page's connection to the game is; a page that shows nothing sends nothing. */
  line(line: LineState): void {
    this.#line = line;
    if (this.#last !== null) this.#send({ kind: 'line', line });
  }

  /** This page runs the game no more, or is about to go: screens keep their last picture and wait for the next. */
  rest(): void {
    if (this.#last === null) return;
    this.#last = null;
    this.#send({ kind: 'gone' });
  }

  /** The host page goes. */
  close(): void {
    this.rest();
    this.#channel.close();
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }
}

/** What a screen receives: every picture, how the host page's connection is, and that the host page has closed or stands still. */
export interface ScreenEvents {
  view(view: ScreenView): void;
  line(line: LineState): void;
  gone(): void;
}

/** Calls `run` again and again; returns what ends it. */
type Every = (ms: number, run: () => void) => () => void;

const every: Every = (ms, run) => {
  const timer = setInterval(run, ms);
  return () => {
    clearInterval(timer);
  };
};

/** A screen's end; `retry` asks the host page to connect now. The clock is passed in by tests. */
export function listen(gameId: string, events: ScreenEvents, clock: Every = every): { retry: () => void; close: () => void } {
  const channel = new BroadcastChannel(name(gameId));
  const send = (kind: 'ask' | 'retry' | 'ping'): void => {
    channel.postMessage({ kind } satisfies Message);
  };
  /** Whether a host page shows something, as far as is known. */
  let isHere = false;
  let unanswered = 0;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'view') events.view(data.view);
    if (data.kind === 'line') events.line(data.line);
    if (data.kind === 'gone') events.gone();
    if (data.kind === 'view' || data.kind === 'pong') unanswered = 0;
    // It goes on after it stood still: what it showed is asked for.
    if (data.kind === 'pong' && !isHere) send('ask');
    if (data.kind === 'view') isHere = true;
    if (data.kind === 'gone') isHere = false;
  };
  const stop = clock(ASK_EVERY_MS, () => {
    if (isHere && unanswered >= UNANSWERED) {
      isHere = false;
      events.gone();
    }
    unanswered += 1;
    send('ping');
  });
  send('ask');
  return {
    retry: () => {
      send('retry');
    },
    close: () => {
      stop();
      channel.close();
    },
  };
}
