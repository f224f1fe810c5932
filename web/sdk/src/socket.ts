// One participant's connection, which reconnects by itself: dials, waits with jitter, hurries when the device wakes, stops when asked to.
// Used by Game; knows frames and closes, but not the meaning of messages.

import { AT_ONCE, judge, REPLACED } from './closing.ts';
import { SUBPROTOCOL } from './generated/protocol.ts';
import type { Platform, Sign, SocketLike } from './platform.ts';
import type { ClosedBecause, Connection } from './view.ts';

/** An envelope (messages.md#connecting), read but not interpreted. */
export interface Envelope {
  readonly type: string;
  readonly payload?: unknown;
}

/** The events that the owner of a socket receives, in order. */
export interface SocketEvents {
  /** A new connection is open; the server's sync messages follow. */
  opened(): void;
  received(message: Envelope): void;
  /**
   * The connection is lost, or can no longer be trusted. `refused`: because of the oldest message without an answer. `renewing`:
   * another one is being opened meanwhile.
   */
  lost(refused: boolean, renewing: boolean): void;
  /** `state` has changed. */
  changed(): void;
  /** The device reports that it has no network, while the connection is open. */
  doubted(): void;
  /** The page is in view again, and the connection is open. */
  looked(): void;
}

/** An attempt that takes longer is given up. */
const CONNECT_MS = 10_000;
/** A connection that held this long was a good one: the pauses begin again at the shortest. */
const HELD_MS = 10_000;
/** The page woke up and nothing was received for this long: the connection may be dead without notice. */
const SUSPECT_MS = { visible: 15_000, online: 3_000 } as const;
/** An attempt that is younger than this is not replaced by another one, however often that is requested. */
const YOUNG_MS = 1_000;
/** A renewed connection that is not open by then is shown as "connecting". */
const RENEWAL_MS = 2_000;
/** For this long after an attempt was given up, the server may still admit it, and replace a newer connection with it. */
const ABANDONED_MS = 60_000;
/** `WebSocket.OPEN`, which not every platform has. */
const OPEN = 1;

/** A connection to one game with one token. Dials as soon as it is created; a ReferenceError when there is no `WebSocket`. */
export class GameSocket {
  readonly #url: string;
  readonly #platform: Platform;
  readonly #events: SocketEvents;
  readonly #stopSigns: () => void;
  #state: Connection = { state: 'connecting', attempt: 0 };
  #socket: SocketLike | null = null;
  /** The earlier socket, until the new one has received a message: the server closes it. Closing it here would look like leaving. */
  #former: SocketLike | null = null;
  #stopTimer: () => void = nothing;
  #attempt = 0;
  #dialledAt = 0;
  #openedAt: number | null = null;
  #receivedAt = 0;
  #imposed = false;
  #renewing = false;
  /** When an attempt was last given up, until a 4409 was put down to it. */
  #abandonedAt: number | null = null;

  constructor(url: string, platform: Platform, events: SocketEvents) {
    this.#url = url;
    this.#platform = platform;
    this.#events = events;
    this.#stopSigns = platform.onSign((sign) => {
      this.#heed(sign);
    });
    this.#dial();
  }

  /** `open` as soon as the connection is open; the sync messages come later. */
  get state(): Connection {
    return this.#state;
  }

  /** Attempts since a connection last held. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Whether the server speaks `quizhall.v1`. */
  get speaksV1(): boolean {
    return this.#socket?.protocol === SUBPROTOCOL;
  }

  /** Whether messages can be sent. */
  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** Sends nothing when the connection is not open: it may be closing although its close has not been reported yet. */
  send(message: Envelope): void {
    if (this.isOpen && this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Opens a new connection in addition to one that may be dead; the newer replaces the older. */
  renew(): void {
    if (this.#openedAt === null) return;
    this.#openedAt = null;
    this.#renewing = true;
    this.#attempt ||= 1;
    this.#events.lost(false, true);
    this.#dial();
  }

  /** Tries at once, whatever prevented it; not after `close`, and not when the connection is open. */
  reopen(): void {
    const state = this.#state;
    if (this.isOpen || (state.state === 'closed' && state.why === 'left')) return;
    if (state.state === 'waiting' || state.state === 'closed') this.#attempt = 1;
    else if (this.#platform.now() - this.#dialledAt < YOUNG_MS) return;
    else this.#drop();
    this.#dial();
  }

  /** Leaves for good. A subscriber may call it each time that it is called, as "close when the game has ended" does. */
  close(): void {
    if (this.#state.state === 'closed' && this.#state.why === 'left') return;
    this.#end('left');
    this.#stopSigns();
  }

  #dial(): void {
    this.#stopTimer();
    const before = this.#socket;
    if (before !== null) {
      silence(before);
      this.#former?.close();
      this.#former = before;
    }
    this.#openedAt = null;
    this.#dialledAt = this.#platform.now();
    if (!this.#renewing) this.#become({ state: 'connecting', attempt: this.#attempt });
    let socket: SocketLike;
    try {
      socket = this.#platform.openSocket(this.#url, SUBPROTOCOL);
    } catch (error) {
      // No class `WebSocket`, as in Node 20: another attempt would not find one either.
      if (error instanceof ReferenceError) throw error;
      this.#socket = null;
      this.#over(1006, '');
      return;
    }
    this.#socket = socket;
    this.#attend(socket);
    this.#stopTimer = this.#platform.setTimer(() => {
      if (this.#renewing) this.#admitRenewing();
      else this.#giveUp();
    }, this.#renewing ? RENEWAL_MS : CONNECT_MS);
  }

  #attend(socket: SocketLike): void {
    socket.onopen = () => {
      this.#stopTimer();
      this.#openedAt = this.#receivedAt = this.#platform.now();
      this.#renewing = false;
      this.#become({ state: 'open' });
      this.#events.opened();
    };
    socket.onmessage = (event) => {
      this.#receivedAt = this.#platform.now();
      this.#former?.close();
      this.#former = null;
      const message = read(event.data);
      if (message !== null) this.#events.received(message);
    };
    socket.onclose = (event) => {
      this.#over(event.code, event.reason);
    };
    // In Node, a refused connection is an error without a close.
    socket.onerror = () => {
      if (!this.isOpen) this.#over(1006, '');
    };
  }

  /** The renewal takes longer than it should: shows that, and continues to wait. */
  #admitRenewing(): void {
    this.#renewing = false;
    this.#become({ state: 'connecting', attempt: this.#attempt });
    this.#stopTimer = this.#platform.setTimer(() => {
      this.#giveUp();
    }, CONNECT_MS - RENEWAL_MS);
  }

  #giveUp(): void {
    this.#drop();
    this.#over(1006, '');
  }

  #drop(): void {
    if (this.#socket !== null) {
      if (this.#openedAt === null) this.#abandonedAt = this.#platform.now();
      silence(this.#socket);
      this.#socket.close();
    }
    this.#socket = null;
  }

  #over(code: number, reason: string): void {
    this.#stopTimer();
    const wasOpen = this.#openedAt;
    if (this.#socket !== null) silence(this.#socket);
    this.#socket = this.#openedAt = null;
    this.#renewing = false;
    const now = this.#platform.now();
    if (wasOpen !== null && now - wasOpen >= HELD_MS) this.#attempt = 0;
    const verdict = judge(this.#isOwnDoing(code) ? AT_ONCE : code, reason, this.#attempt, this.#platform.random());
    if (wasOpen !== null) this.#events.lost(verdict.then === 'reconnect' && verdict.refused, false);
    if (verdict.then === 'stop') {
      this.#end(verdict.why);
      return;
    }
    this.#attempt += 1;
    this.#imposed = verdict.imposed;
    const offline = !this.#platform.online();
    this.#become({ state: 'waiting', attempt: this.#attempt, retryAt: now + verdict.pauseMs, offline });
    this.#stopTimer = this.#platform.setTimer(() => {
      this.#dial();
    }, verdict.pauseMs);
  }

  /**
   * Whether this close is a 4409 that an abandoned attempt of this connection can have caused, rather than another tab. Every
   * abandoned attempt excuses one 4409 at most: two tabs do not keep replacing each other.
   */
  #isOwnDoing(code: number): boolean {
    if (code !== REPLACED || this.#abandonedAt === null) return false;
    const since = this.#platform.now() - this.#abandonedAt;
    this.#abandonedAt = null;
    return since <= ABANDONED_MS;
  }

  #end(why: ClosedBecause): void {
    this.#stopTimer();
    this.#drop();
    this.#abandonedAt = null;
    this.#former?.close();
    const wasOpen = this.#openedAt !== null;
    this.#former = this.#openedAt = null;
    this.#renewing = false;
    if (wasOpen) this.#events.lost(false, false);
    this.#become({ state: 'closed', why });
  }

  #heed(sign: Sign): void {
    const now = this.#platform.now();
    const state = this.#state;
    const since = now - this.#dialledAt;
    if (state.state === 'waiting' && sign !== 'visible') this.#become({ ...state, offline: sign === 'offline' });
    if (sign === 'offline') {
      if (this.isOpen) this.#events.doubted();
    } else if (state.state === 'waiting') {
      // The timer may have slept with the page.
      if (since > YOUNG_MS && (!this.#imposed || now >= state.retryAt)) this.#dial();
    } else if (this.#openedAt !== null) {
      // A clock that was set back does not show how much time has passed.
      if (Math.abs(now - this.#receivedAt) > SUSPECT_MS[sign]) this.renew();
      else if (sign === 'visible') this.#events.looked();
    } else if (state.state === 'connecting' && since > SUSPECT_MS.online) {
      this.#drop();
      this.#dial();
    }
  }

  #become(state: Connection): void {
    this.#state = state;
    this.#events.changed();
  }
}

function nothing(): void {
  // Nothing to stop.
}

/** Later events of this socket no longer concern this connection (above all its 4409). */
function silence(socket: SocketLike): void {
  socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
}

function read(data: unknown): Envelope | null {
  try {
    const message: unknown = JSON.parse(String(data));
    const fits = typeof message === 'object' && message !== null && 'type' in message;
    return fits && typeof message.type === 'string' ? (message as Envelope) : null;
  } catch {
    return null;
  }
}

/** The address of a game's socket: `base` is the server's, or '' for the page's own origin. */
export function socketUrl(base: string, gameCode: string, token: string): string {
  const origin = base === '' ? location.origin : base.replace(/\/$/, '');
  return `${origin.replace(/^http/, 'ws')}/ws/${encodeURIComponent(gameCode)}?token=${encodeURIComponent(token)}`;
}
