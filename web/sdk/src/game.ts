// Common to a player's and a host's game: the connection, detecting the end of the sync messages, applying messages in
// batches, publishing views. Extended by PlayerGame and HostGame; knows only which messages begin a phase.
//
// On connecting, the server sends the messages that rebuild the view in one run. Messages of a new connection are kept until the
// run is complete, and until then the old view stays. With `quizhall.v1`, the pong of a ping that was sent first comes after the
// run. Without it no message marks the end: then the phase must be known and the connection quiet for a moment. Later messages are
// applied as they arrive, so nothing is lost: the view is only completed in two steps.
//
// The protocol's own pings are invisible to a page, so it sends pings itself to check the connection: after a long time without a
// message, when the page is in use, and soon after it has sent a message that has no answer yet. If no message follows a ping, the
// connection counts as silent within 3 s, and is replaced some seconds later.

import { browser } from './platform.ts';
import type { Platform } from './platform.ts';
import { GameSocket, socketUrl } from './socket.ts';
import type { Envelope } from './socket.ts';
import type { ToAll } from './generated/protocol.ts';
import { noState, stateAfter } from './state.ts';
import type { StateMessage } from './state.ts';
import { msLeft, noTimers, timersAfter } from './timers.ts';
import type { TimerMessage } from './timers.ts';
import type { Connection } from './view.ts';

/** The server and the platform; everything has a default. */
export interface GameOptions {
  /** The address of the server, such as `https://example.org`; by default the page's own origin. */
  readonly base?: string;
  /** Replaced in tests, and `openSocket` where there is no `WebSocket`: without it, the constructor of a game throws a ReferenceError. */
  readonly platform?: Partial<Platform>;
}

/** Quiet for this long after the phase was clear: the sync messages have arrived. */
const QUIET_MS = 30;
/** No message at all arrives: a round without an open question, or, with `quizhall.v1`, a slow connection. */
const SILENCE_MS = 1_000;
/** A connection that is never quiet is considered in sync after this time. */
const LONGEST_MS = 2_000;
/** A sent message has no answer for this long, or a player has typed: a ping finds out whether the connection works. */
const PROMPT_MS = 1_000;
/** A ping has no answer for this long: the connection counts as silent. Together with the time above less than 3 s. */
const SILENT_MS = 1_750;
/**
 * Nothing was received for this long, and up to a quarter more: a ping is sent. A page in view must learn within 8 s that its
 * connection is dead; a phone in a pocket saves its radio.
 */
const ASK_MS = { looking: 5_000, away: 20_000 } as const;
/** A ping or message has no answer for this long: the connection may be dead. Twice and four times as long the next times. */
const STALL_MS = 8_000;
/** A timer that is this late has slept with the page: messages that arrived meanwhile may not have been read yet. */
const LATE_MS = 2_000;
/** The two clocks of the device differ by this much more than at the last message: the device has slept. */
const SLEPT_MS = 1_000;

/** With each of them the sync messages of a phase begin. */
const OF_PHASES: Readonly<Record<Exclude<ToAll['type'], 'game_started'>, true>> = {
  lobby_update: true,
  question_released: true,
  round_ended: true,
  round_leaderboard: true,
  game_ended: true,
};

/** The messages that every game handles by itself. */
type Common = StateMessage | TimerMessage | 'pong';

type Handler<Message> = (payload: Message extends { payload: infer Payload } ? Payload : undefined, isSync: boolean) => void;

/** The reaction of a game to each message that it receives. A message without an entry does not compile. */
export type Handlers<Heard extends { type: string }> = {
  readonly [Type in Exclude<Heard['type'], Common>]: Handler<Extract<Heard, { type: Type }>>;
} & { readonly [Type in Extract<Heard['type'], Common>]?: Handler<Extract<Heard, { type: Type }>> };

/** A game as one participant sees it. `View` is replaced, never changed. */
export abstract class Game<View> {
  protected readonly platform: Platform;
  /** The values of this connection's state messages. */
  protected state = noState();
  /** The timers of the round, and the questions that they have closed. */
  protected time = noTimers;
  readonly #socket: GameSocket;
  readonly #runs = new Set<(view: View) => void>();
  /** How many subscribers are being called: one that calls a method must not be called again from inside itself. */
  #running = 0;
  /** The next round of calls, which a subscriber has caused. */
  #stopRound: (() => void) | null = null;
  #view: View | null = null;
  /** Messages not applied yet, each with its time of arrival by the steady clock. */
  #inbox: { readonly message: Envelope; readonly at: number }[] = [];
  #settled = false;
  #renewing = false;
  #openedAt = 0;
  /** When a message was last received, by the time of day and by the steady clock. */
  #heardAt = { now: 0, steady: 0 };
  #stopBatch: (() => void) | null = null;
  #stopWatch: (() => void) | null = null;
  #stopPulse: (() => void) | null = null;
  /** Whether the clock of this connection runs to its end, and not to a ping. */
  #isDue = false;
  /** Whether a ping was sent, and nothing received since. */
  #isAsked = false;
  /** Whether an answer is overdue, or the device reports that it is offline; until a message is received. */
  #isSilent = false;
  /** Whether a player has typed, and nothing was received since. */
  #isUsed = false;
  #stalls = 0;
  #pingedAt: number | null = null;
  /** The best round trip of this page, in milliseconds. */
  #roundTripMs = Infinity;
  #stopTimeOut: (() => void) | null = null;

  protected constructor(gameCode: string, token: string, options: GameOptions) {
    this.platform = { ...browser(), ...options.platform };
    this.#socket = new GameSocket(socketUrl(options.base ?? '', gameCode, token), this.platform, {
      opened: () => {
        this.#opened();
      },
      received: (message) => {
        this.#received(message);
      },
      lost: (refused, renewing) => {
        this.#lost(refused, renewing);
      },
      changed: () => {
        this.publish();
      },
      doubted: () => {
        this.#doubted();
      },
      looked: () => {
        if (this.#hasSlept) this.#socket.renew();
        else if (this.#settled && !this.#isAsked && this.speaksV1) this.#ask();
      },
    });
  }

  /** The view at this moment. */
  get view(): View {
    this.#view ??= this.picture();
    return this.#view;
  }

  /** Svelte's store contract: calls at once, then with every change, but never from inside a subscriber; returns the function that ends it. */
  subscribe(run: (view: View) => void): () => void {
    this.#runs.add(run);
    this.#call(run, this.view);
    return () => {
      this.#runs.delete(run);
    };
  }

  /**
   * Connects again after the connection was closed for good (another tab took the seat), hurries an attempt, or replaces a
   * connection that is silent, from its beginning or since.
   */
  reopen(): void {
    if (this.#isSilent || !this.#settled) this.#socket.renew();
    this.#socket.reopen();
  }

  /** Leaves. */
  close(): void {
    this.#clearTimers();
    this.#socket.close();
  }

  /** The sync messages of a new connection are about to be applied: what they rebuild is reset. */
  protected abstract renew(): void;
  /** Applies messages to this game. `isSync`: the message is one of those that rebuild the view. */
  protected abstract readonly handlers: object;
  /** A message was handled. */
  protected applied(_message: Envelope, _isSync: boolean): void {
    // A host's game looks for confirmations.
  }
  /** All sync messages are applied: from now on messages can be sent. */
  protected abstract settled(): void;
  /** A connection that was open is lost. */
  protected abstract lost(refused: boolean): void;
  /** Whether a sent message has no answer yet. */
  protected abstract isWaiting(): boolean;
  /** A timer of a question, or of the round (null), has nothing left on this device. The server closes a moment later. */
  protected timedOut(_questionId: string | null): void {
    // The host's page waits for the server.
  }
  protected abstract picture(): View;

  /** For the view: open only after the sync messages, also while the connection is being renewed after that. */
  protected get connection(): Connection {
    const { state, attempt } = this.#socket;
    if (state.state !== 'open') return state;
    if (this.#isSilent && this.#settled) return { state: 'silent', offline: !this.platform.online() };
    if (this.#settled || (this.#renewing && !this.#isSilent)) return state;
    return { state: 'connecting', attempt };
  }

  /** Whether messages can be sent now. */
  protected get canSend(): boolean {
    return this.#settled && this.#socket.isOpen;
  }

  /** Whether the server speaks `quizhall.v1`. */
  protected get speaksV1(): boolean {
    return this.#socket.speaksV1;
  }

  protected send(type: string, payload?: object): void {
    this.#socket.send(payload === undefined ? { type } : { type, payload });
    this.#watch();
    if (this.#stopPulse === null) this.#pulse();
  }

  /** The page is in use and has not sent anything yet: it should learn soon if nothing would arrive. */
  protected inUse(): void {
    this.#isUsed = true;
    if (this.#stopPulse === null) this.#pulse();
  }

  /** How long a connection may be quiet, with no answer due, before a ping. */
  protected quietMs(): number {
    const { visible, random } = this.platform;
    return ASK_MS[visible() ? 'looking' : 'away'] * (1 + random() / 4);
  }

  /** Applies the messages that have arrived, so that a decision uses the newest state. */
  protected catchUp(): void {
    if (this.#settled && this.#inbox.length > 0) this.#batch();
  }

  /** Something changed: subscribers get a new view; a moment later where one of them is the cause. */
  protected publish(): void {
    this.#view = null;
    if (this.#runs.size === 0) return;
    if (this.#running > 0) {
      this.#stopRound ??= this.platform.setTimer(() => {
        this.#stopRound = null;
        this.publish();
      }, 0);
      return;
    }
    this.#stopRound?.();
    this.#stopRound = null;
    const { view } = this;
    for (const run of this.#runs) this.#call(run, view);
  }

  #call(run: (view: View) => void, view: View): void {
    this.#running += 1;
    try {
      run(view);
    } finally {
      this.#running -= 1;
    }
  }

  #opened(): void {
    this.#settled = false;
    this.#inbox = [];
    this.#openedAt = this.platform.now();
    this.#heardAt = { now: this.#openedAt, steady: this.platform.steady() };
    this.#pingedAt = null;
    this.#schedule(SILENCE_MS);
    if (this.speaksV1) this.#ask();
  }

  /** Whether the steady clock stood still since the last message, or the time was set: only the server knows what the timers have left. */
  get #hasSlept(): boolean {
    const { now, steady } = this.platform;
    return Math.abs(now() - this.#heardAt.now - (steady() - this.#heardAt.steady)) > SLEPT_MS;
  }

  #received(message: Envelope): void {
    this.#heardAt = { now: this.platform.now(), steady: this.platform.steady() };
    this.#isUsed = false;
    if (message.type === 'pong') this.#measure();
    if (this.#isSilent) {
      this.#isSilent = false;
      this.publish();
    }
    if (this.#settled && message.type === 'pong') {
      // The connection works. A sent message still waits for its own answer.
      this.#isAsked = false;
      if (!this.isWaiting()) this.#watch(true);
      this.#pulse();
      return;
    }
    this.#inbox.push({ message, at: this.#heardAt.steady });
    if (this.#settled) {
      if (this.#stopBatch === null) this.#schedule(0);
    } else if (!this.speaksV1) {
      const left = this.#openedAt + LONGEST_MS - this.platform.now();
      const isClear = this.#inbox.some(({ message: { type } }) => Object.hasOwn(OF_PHASES, type));
      this.#schedule(Math.max(0, Math.min(isClear ? QUIET_MS : SILENCE_MS, left)));
    } else if (message.type === 'pong') this.#batch();
    else this.#watch(true);
  }

  #schedule(ms: number): void {
    this.#stopBatch?.();
    this.#stopBatch = this.platform.setTimer(() => {
      this.#batch();
    }, ms);
  }

  #batch(): void {
    this.#stopBatch?.();
    this.#stopBatch = null;
    const messages = this.#inbox;
    const isSync = !this.#settled;
    if (isSync && this.speaksV1 && messages.at(-1)?.message.type !== 'pong') {
      // The connection is slow, or it was lost as it opened.
      this.#renewing = false;
      this.publish();
      return;
    }
    if (isSync) {
      this.state = noState();
      this.time = noTimers;
      this.renew();
    }
    this.#inbox = [];
    const roundTripMs = Number.isFinite(this.#roundTripMs) ? this.#roundTripMs : 0;
    for (const { message, at } of messages) {
      this.state = stateAfter(this.state, message);
      this.time = timersAfter(this.time, message, at, roundTripMs);
      // A later server may send more.
      if (Object.hasOwn(this.handlers, message.type)) (this.handlers as Handlers<Envelope>)[message.type]?.(message.payload as undefined, isSync);
      this.applied(message, isSync);
    }
    if (isSync) {
      this.#settled = true;
      this.#renewing = false;
      this.settled();
    }
    this.#watch(true);
    this.#pulse();
    this.#awaitTimeOut();
    this.publish();
  }

  /** A pong arrived: measures the round trip. */
  #measure(): void {
    if (this.#pingedAt === null) return;
    this.#roundTripMs = Math.min(this.#roundTripMs, this.platform.steady() - this.#pingedAt);
    this.#pingedAt = null;
  }

  /** Starts the clock for the next timer that runs out on this device. */
  #awaitTimeOut(): void {
    this.#stopTimeOut?.();
    this.#stopTimeOut = null;
    const now = this.platform.steady();
    const left = this.time.timers.filter(({ running }) => running).map((timer) => ({ timer, ms: msLeft(timer, now) }));
    const due = left.filter(({ ms }) => ms > 0);
    if (due.length === 0) return;
    const next = Math.min(...due.map(({ ms }) => ms));
    this.#stopTimeOut = this.platform.setTimer(() => {
      const { timers } = this.time;
      const over = due.filter(({ timer, ms }) => ms === next && timers.includes(timer));
      this.#awaitTimeOut();
      for (const { timer } of over) this.timedOut(timer.questionId);
    }, next);
  }

  #lost(refused: boolean, renewing: boolean): void {
    // Messages before the end count, above all an ack; an incomplete run of sync messages does not.
    if (this.#settled) this.#batch();
    this.#clearTimers();
    this.#settled = false;
    this.#renewing = renewing;
    if (!renewing) this.#isSilent = false;
    this.#inbox = [];
    this.lost(refused);
  }

  /** Starts the one clock of this connection: to its end while an answer is due, otherwise to a ping. `hasReceived`: a message arrived. */
  #watch(hasReceived = false): void {
    if (hasReceived) this.#isAsked = false;
    const isDue = !this.#settled || this.#isAsked || this.isWaiting();
    if (!isDue) this.#stalls = 0;
    if (!hasReceived && isDue && this.#isDue) return;
    this.#stopWatch?.();
    this.#stopWatch = null;
    this.#isDue = isDue;
    if (!isDue && !this.speaksV1) return;
    const { now, setTimer } = this.platform;
    const ms = isDue ? STALL_MS * 2 ** Math.min(this.#stalls, 2) : this.quietMs();
    const at = now() + ms;
    this.#stopWatch = setTimer(() => {
      if (!isDue || Math.abs(now() - at) > LATE_MS) {
        this.#ask();
        return;
      }
      this.#stalls += 1;
      this.#socket.renew();
    }, ms);
  }

  /** Sends a ping; a server without pings must send any message. */
  #ask(): void {
    this.#isDue = false;
    this.#prompt();
  }

  /** Starts the quick clock, which only reports: a ping soon after a message was sent, and silence soon after a ping. */
  #pulse(): void {
    this.#stopPulse?.();
    this.#stopPulse = null;
    const isAsked = this.#isAsked;
    if (!this.speaksV1 || !this.#settled || this.#isSilent || !(isAsked || this.#isUsed || this.isWaiting())) return;
    const { now, setTimer } = this.platform;
    const ms = isAsked ? SILENT_MS : PROMPT_MS;
    const at = now() + ms;
    this.#stopPulse = setTimer(() => {
      this.#stopPulse = null;
      if (Math.abs(now() - at) > LATE_MS) this.#pulse();
      else if (isAsked) this.#fallSilent();
      else this.#prompt();
    }, ms);
  }

  /** The same, when the clock already runs for a sent message, which gets no more time by it. */
  #prompt(): void {
    this.#isAsked = true;
    if (this.speaksV1) {
      this.#pingedAt ??= this.platform.steady();
      this.#socket.send({ type: 'ping' });
    }
    this.#watch();
    this.#pulse();
  }

  #fallSilent(): void {
    this.#isSilent = true;
    this.publish();
  }

  /** The device reports that it is offline. This may be wrong (a server on the same machine), so any message refutes it. */
  #doubted(): void {
    this.#fallSilent();
    if (this.#settled && !this.#isAsked) this.#ask();
  }

  #clearTimers(): void {
    this.#stopBatch?.();
    this.#stopWatch?.();
    this.#stopPulse?.();
    this.#stopTimeOut?.();
    this.#stopBatch = this.#stopWatch = this.#stopPulse = this.#stopTimeOut = null;
  }
}
