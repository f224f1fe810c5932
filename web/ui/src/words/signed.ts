// Points that were given or taken away by hand, with their sign.

import { count } from './sentence.ts';

/** With a plus, or a minus as long as it. */
export function signed(points: number): string {
  return `${points < 0 ? '−' : '+'}${count(Math.abs(points))}`;
}
