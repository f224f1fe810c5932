// Reads points as hosts type them. Pure. The SDK reads other numbers like the server's marking. Points are whole, so here a comma or a
// point groups digits.

import { LIMITS } from '$sdk/generated/limits.ts';
import { isTimeLimit } from '$sdk/quizcheck.ts';

/** The most points for one question. */
export const MOST_POINTS = LIMITS.points;

/** Points: a whole number up to a million, with or without grouped digits; null for any other text. */
export function pointsOf(text: string): number | null {
  const plain = text.trim().replace(/\s/g, ' ').replace(/\u2019/g, "'");
  if (!/^(\d+|\d{1,3}([ ,.']\d{3})+)$/.test(plain)) return null;
  const points = Number(plain.replace(/\D/g, ''));
  return points <= MOST_POINTS ? points : null;
}

/** A time limit in whole seconds; null for any other text. */
export function secondsOf(text: string): number | null {
  const plain = text.trim();
  return /^\d{1,4}$/.test(plain) && isTimeLimit(Number(plain)) ? Number(plain) : null;
}
