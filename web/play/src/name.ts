// A name as the server measures it, so that a mistake is shown while it is typed. Pure; used by the join form. What only
// the server can judge (look-alikes, characters that cannot be seen) is in trouble.ts.

/** The most characters of a name, as people count them (docs of `JoinRequest.displayName`). */
export const MOST_CHARACTERS = 40;
/** The same name in code points and in bytes: an emoji can hold ten of the one and forty of the other. */
const MOST_POINTS = 96;
const MOST_BYTES = 256;

/** Names that the service keeps for itself. The server also refuses what only looks like one of them. */
const RESERVED = ['host', 'admin', 'moderator', 'quiz', 'system'];

/** What the name will be: composed, without white space at its ends, single spaces inside. */
export function tidyName(typed: string): string {
  return typed.normalize('NFC').trim().replace(/\s+/g, ' ');
}

/** Printable ASCII: each code unit is a character. */
const PLAIN = /^[ -~]*$/;

/**
 * How many characters it has, as people count them; code points where the browser cannot say. Making a segmenter takes
 * a mid phone about 100 ms, once more for each: the empty field of the first view has to do without one.
 */
export function characters(name: string): number {
  if (PLAIN.test(name)) return name.length;
  const { Segmenter } = Intl as { Segmenter?: typeof Intl.Segmenter };
  return [...(Segmenter ? new Segmenter().segment(name) : name)].length;
}

/** What is wrong with a tidy name; null when nothing is that can be seen from here. */
export function mistakeIn(name: string): 'name_missing' | 'name_long' | 'name_heavy' | 'name_reserved' | null {
  if (name === '') return 'name_missing';
  if (characters(name) > MOST_CHARACTERS) return 'name_long';
  if (Array.from(name).length > MOST_POINTS || new TextEncoder().encode(name).length > MOST_BYTES) return 'name_heavy';
  return RESERVED.includes(name.toLowerCase()) ? 'name_reserved' : null;
}
