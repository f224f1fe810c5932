// Keeps the screen from going dark while a game is on, where the browser can (only in secure contexts, not everywhere).
// Used by the phone and the screen.

let wanted = false;
let lock: WakeLockSentinel | null = null;

/** Keeps the screen awake from now on, or no longer. */
export function keepAwake(on: boolean): void {
  if (wanted === on) return;
  wanted = on;
  if (on) {
    document.addEventListener('visibilitychange', ask);
    ask();
  } else {
    document.removeEventListener('visibilitychange', ask);
    void lock?.release();
    lock = null;
  }
}

/** The browser takes the lock away whenever the page is hidden, so it is asked for again. */
function ask(): void {
  const { wakeLock } = navigator as { wakeLock?: WakeLock };
  if (!wanted || !wakeLock || document.visibilityState !== 'visible') return;
  wakeLock.request('screen').then(
    (granted) => {
      if (wanted) lock = granted;
      else void granted.release();
    },
    () => {
      // Refused, as with a low battery: the screen goes dark as usual.
    },
  );
}
