// Lets a value through at most once per interval: the first at once, of those that follow the newest, at the end of it.
// Used for the line to the screen windows. The clock is passed in, so that tests need not wait.

/** How timers are set. */
export interface Timers {
  readonly set: (run: () => void, ms: number) => unknown;
  readonly clear: (timer: unknown) => void;
}

const REAL: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => {
    clearTimeout(timer as number);
  },
};

/** A paced way to `send`; `stop` drops what waits. */
export function paced<T>(ms: number, send: (value: T) => void, timers: Timers = REAL) {
  let timer: unknown = null;
  let waiting: { readonly value: T } | null = null;

  const due = (): void => {
    timer = null;
    if (waiting === null) return;
    const { value } = waiting;
    waiting = null;
    timer = timers.set(due, ms);
    send(value);
  };

  return {
    push(value: T): void {
      waiting = { value };
      if (timer === null) due();
    },
    stop(): void {
      if (timer !== null) timers.clear(timer);
      timer = null;
      waiting = null;
    },
  };
}
