// A platform for tests: a clock that jumps, sockets that a test answers, a storage that can fail, events on demand.

import { expect } from 'vitest';

import type { Platform, Sign, SocketLike, StorageLike } from '../src/platform.ts';

/** The server's end of a socket that the SDK has opened. */
export class FakeSocket implements SocketLike {
  protocol = '';
  readyState = 0;
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  /** The messages that the SDK has sent, without its pings. */
  readonly sent: { type: string; payload?: Record<string, unknown> }[] = [];
  pings = 0;
  closedByClient = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Called with every message that the client sends. */
  onsent: (message: FakeSocket['sent'][number]) => void = () => undefined;

  /** Called for every ping, as the server's reaction. */
  onping: () => void = () => undefined;

  open(protocol = 'quizhall.v1'): void {
    this.protocol = protocol;
    this.readyState = 1;
    this.onopen?.(new Event('open'));
  }

  deliver(...messages: { type: string; payload?: object }[]): void {
    for (const message of messages) this.text(JSON.stringify(message));
  }

  text(data: string): void {
    this.onmessage?.({ data } as MessageEvent);
  }

  /** The close has begun, but is not reported yet. */
  closing(): void {
    this.readyState = 2;
  }

  /** The server closes, or the connection breaks (1006). */
  end(code = 1006, reason = ''): void {
    this.readyState = 3;
    this.onclose?.({ code, reason } as CloseEvent);
  }

  send(text: string): void {
    expect(this.readyState, 'nothing is sent into a connection that does not stand').toBe(1);
    const message = JSON.parse(text) as FakeSocket['sent'][number];
    if (message.type === 'ping') {
      expect(message, 'a ping has no payload').toEqual({ type: 'ping' });
      this.pings += 1;
      this.onping();
      return;
    }
    this.sent.push(message);
    this.onsent(message);
  }

  close(): void {
    this.closedByClient = true;
  }
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** The world around the SDK; `chance` is the value of `random`. */
export class FakeWorld {
  time = 1_000_000;
  /** How far the time of day was changed. */
  set = 0;
  /** How long the steady clock stood still. */
  slept = 0;
  chance = 0.5;
  isOnline = true;
  isVisible = false;
  refusesSockets = false;
  readonly sockets: FakeSocket[] = [];
  /** Called with every socket that is opened. */
  onsocket: (socket: FakeSocket) => void = () => undefined;
  readonly storage: StorageLike;
  #timers: Timer[] = [];
  #order = 0;
  #heeding: ((sign: Sign) => void)[] = [];

  constructor(storage: StorageLike = new FakeStorage()) {
    this.storage = storage;
  }

  readonly platform: Platform = {
    openSocket: (url) => {
      if (this.refusesSockets) throw new Error('no sockets here');
      const socket = new FakeSocket(url);
      this.sockets.push(socket);
      this.onsocket(socket);
      return socket;
    },
    now: () => this.time + this.set,
    steady: () => this.time - this.slept,
    setTimer: (run, ms) => {
      const timer = { at: this.time + ms, order: (this.#order += 1), run };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      };
    },
    random: () => this.chance,
    storage: null,
    online: () => this.isOnline,
    visible: () => this.isVisible,
    onSign: (heed) => {
      this.#heeding.push(heed);
      return () => {
        this.#heeding = this.#heeding.filter((other) => other !== heed);
      };
    },
  };

  /** The platform with this world's storage. */
  get whole(): Platform {
    return { ...this.platform, storage: this.storage };
  }

  /** The newest socket. */
  get socket(): FakeSocket {
    const last = this.sockets.at(-1);
    if (!last) throw new Error('no socket was opened');
    return last;
  }

  /** The device reports something; what it reports about its network holds from then on. */
  sign(sign: Sign): void {
    if (sign !== 'visible') this.isOnline = sign === 'online';
    for (const heed of this.#heeding) heed(sign);
  }

  /** Lets time pass and runs timers in their order. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.time = Math.max(this.time, due.at);
      due.run();
    }
    this.time = end;
  }

  get timers(): number {
    return this.#timers.length;
  }
}

/** A storage in memory; `broken` makes it throw, as browsers do. */
export class FakeStorage implements StorageLike {
  readonly items = new Map<string, string>();
  broken = false;

  getItem(key: string): string | null {
    this.#check();
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#check();
    this.items.set(key, value);
  }

  removeItem(key: string): void {
    this.#check();
    this.items.delete(key);
  }

  #check(): void {
    if (this.broken) throw new Error('SecurityError');
  }
}

/** How many times more than in an ordinary run a test of random cases tries: `make sim` sets `QUIZHALL_TIMES`. */
const TIMES = Number(process.env.QUIZHALL_TIMES ?? 1);

/** The number of random cases, of which an ordinary run tries this many. */
export const times = (ordinary: number): number => ordinary * TIMES;

/** The longest that a test of random cases may take, in milliseconds. Other tests may have the processor. */
export const WAIT = 30_000 * TIMES;

/** Numbers in [0, 1) determined by a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
