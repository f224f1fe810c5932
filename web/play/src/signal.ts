// How the phone signals a question that has just come: by a short buzz where it can (few browsers do), by a sound where its owner
// has chosen one. Remembered on this device. Used by the session and by Signal.svelte.

import { maySound, playTones, QUESTION_TONES } from '$ui/parts/tones.ts';

import { read, write } from './memory.ts';

/** What a new question does. */
export type Signal = 'buzz' | 'sound' | 'both' | 'none';

const SIGNAL = 'quizhall.signal';

/** Short, like one tap on the shoulder. */
const BUZZ_MS = 60;

/** Whether this phone can buzz and its owner has not asked for reduced motion. */
export function canBuzz(): boolean {
  return 'vibrate' in navigator && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** The signal of this phone, limited to what it can do. */
export function signal(): Signal {
  const kept = read('localStorage', SIGNAL);
  const chosen = kept === 'sound' || kept === 'both' || kept === 'none' ? kept : 'buzz';
  if (canBuzz()) return chosen;
  return chosen === 'buzz' ? 'none' : chosen === 'both' ? 'sound' : chosen;
}

/** Chooses the signal of a new question, and gives it once. The tap allows the page to play sounds from now on. */
export function chooseSignal(chosen: Signal): void {
  write('localStorage', SIGNAL, chosen);
  giveSignal();
}

/** Signals a new question. */
export function giveSignal(): void {
  // Before the first tap the browser refuses both and writes an error to the console.
  if (!maySound()) return;
  const wanted = signal();
  if (wanted === 'buzz' || wanted === 'both') navigator.vibrate(BUZZ_MS);
  if (wanted === 'sound' || wanted === 'both') playTones(QUESTION_TONES);
}
