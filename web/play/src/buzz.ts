// A short buzz for a question that has just come, where the phone can (few browsers do) and its owner has not asked for
// calm. Used by the session.

/** Short: one tap on the shoulder. */
const BUZZ_MS = 60;

export function buzz(): void {
  const phone = navigator as Partial<Navigator>;
  if (!phone.vibrate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  // Before the first tap the browser refuses it, and complains on the console.
  if (phone.userActivation?.hasBeenActive) phone.vibrate(BUZZ_MS);
}
