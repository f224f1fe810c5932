// What a host types to give points by hand. Pure.

/** The most points that can be given or taken away at once. */
const MOST = 1_000_000;

/** The points of a typed number, which may have a sign and spaces between its digits; null for anything else. */
export function pointsOf(typed: string, takes: boolean): number | null {
  const match = /^([+\-−]?)(\d+)$/.exec(typed.replaceAll(/[\s.,’']/g, ''));
  if (match === null) return null;
  const number = Number(match[2]);
  if (number < 1 || number > MOST) return null;
  return takes === (match[1] === '' || match[1] === '+') ? -number : number;
}
