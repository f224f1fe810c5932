// What the SDK uses of the browser (or Node): sockets, timers, random numbers, storage, events. Injected, so that tests can jump in
// time instead of waiting. Used by GameSocket and the games; does not know the protocol.

/** Takes one event. The type of a method, because its argument may have more fields than are used: events of a page, or of `ws`. */
type Handler<Event> = { heed(event: Event): void }['heed'];

/** The part of a `WebSocket` that is used. */
export interface SocketLike {
  readonly protocol: string;
  /** As in a `WebSocket`: 1 is open. */
  readonly readyState: number;
  onopen: Handler<unknown> | null;
  onmessage: Handler<{ readonly data: unknown }> | null;
  onclose: Handler<{ readonly code: number; readonly reason: string }> | null;
  onerror: Handler<unknown> | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** The part of a `Storage` that is used. */
export type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The network is back or lost, or the page is visible again. */
export type Sign = 'online' | 'offline' | 'visible';

/** Everything outside of the SDK. `setTimer` returns the function that stops it. */
export interface Platform {
  openSocket(url: string, protocol: string): SocketLike;
  /** The time of day in milliseconds, which its owner can set. */
  now(): number;
  /** Milliseconds of a clock that cannot be set, and that may stand still while the device sleeps; countdowns use it. */
  steady(): number;
  setTimer(run: () => void, ms: number): () => void;
  random(): number;
  readonly storage: StorageLike | null;
  /** Whether the device reports a network. */
  online(): boolean;
  /** Whether the page may be in view. */
  visible(): boolean;
  /** Calls `heed` when the device reports something that concerns the connection; returns the function that stops it. */
  onSign(heed: (sign: Sign) => void): () => void;
}

/** The browser's own platform. Every feature is detected: in Node there are no events, and no storage. */
export function browser(): Platform {
  return {
    openSocket: (url, protocol) => new WebSocket(url, typeof document === 'undefined' ? (outside(url, protocol) as never) : protocol),
    now: () => Date.now(),
    steady: () => performance.now(),
    setTimer: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    random: () => Math.random(),
    storage: browserStorage(),
    online: () => typeof navigator === 'undefined' || (navigator.onLine as boolean | undefined) !== false,
    visible: () => typeof document !== 'undefined' && document.visibilityState === 'visible',
    onSign,
  };
}

/** Outside of a browser: with an `Origin`, to which the server explains by a close why it refuses, rather than by an HTTP status. */
function outside(url: string, protocols: string) {
  return { protocols, headers: { origin: new URL(url.replace('ws', 'http')).origin } };
}

/** `localStorage`, or null if there is none or reading it is forbidden (it throws then). */
export function browserStorage(): StorageLike | null {
  try {
    return (globalThis as { localStorage?: Storage }).localStorage ?? null;
  } catch {
    return null;
  }
}

function onSign(heed: (sign: Sign) => void): () => void {
  if (typeof window === 'undefined' || typeof document === 'undefined') return () => undefined;
  const online = () => {
    heed('online');
  };
  const offline = () => {
    heed('offline');
  };
  const visible = () => {
    if (document.visibilityState === 'visible') heed('visible');
  };
  window.addEventListener('online', online);
  window.addEventListener('offline', offline);
  window.addEventListener('pageshow', visible);
  document.addEventListener('visibilitychange', visible);
  return () => {
    window.removeEventListener('online', online);
    window.removeEventListener('offline', offline);
    window.removeEventListener('pageshow', visible);
    document.removeEventListener('visibilitychange', visible);
  };
}
