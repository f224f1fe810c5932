// Measures a name like the server, so that a mistake is shown while it is typed. Pure; used by the join form. Mistakes that only the server
// can find (look-alikes, invisible characters) are in trouble.ts.

/** The most characters of a name, as people count them (docs of `JoinRequest.displayName`). */
export const MOST_CHARACTERS = 40;
/** The limits of the same name in code points and bytes: one emoji can have ten code points and forty bytes. */
const MOST_POINTS = 96;
const MOST_BYTES = 256;

/** Names that the service reserves for itself. The server also refuses names that only look like one of them. */
const RESERVED = ['host', 'admin', 'moderator', 'quiz', 'system'];

/** The name as it will be stored: composed, trimmed, with single spaces. */
export function tidyName(typed: string): string {
  return typed.normalize('NFC').trim().replace(/\s+/g, ' ');
}

/** Printable ASCII: each code unit is a character. */
const PLAIN = /^[ -~]*$/;

/**
 * The number of characters, as people count them; code points where the browser cannot count them. The first segmenter takes about 100 ms on a
 * mid-range phone, so none is made for the empty field of the first view.
 */
export function characters(name: string): number {
  if (PLAIN.test(name)) return name.length;
  const { Segmenter } = Intl as { Segmenter?: typeof Intl.Segmenter };
  return [...(Segmenter ? new Segmenter().segment(name) : name)].length;
}

/** The mistake in a tidy name; null when none can be found here. */
export function mistakeIn(name: string): 'name_missing' | 'name_long' | 'name_heavy' | 'name_reserved' | null {
  if (name === '') return 'name_missing';
  if (characters(name) > MOST_CHARACTERS) return 'name_long';
  if (Array.from(name).length > MOST_POINTS || new TextEncoder().encode(name).length > MOST_BYTES) return 'name_heavy';
  return RESERVED.includes(name.toLowerCase()) ? 'name_reserved' : null;
}
