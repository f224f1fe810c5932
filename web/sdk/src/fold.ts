// Texts that people take for the same, made equal: as the server's marking does it. Pure; used by the marking desk.

/** Accents of Latin, Greek and Cyrillic, vowel points of Hebrew, Arabic and Syriac; not the vowels of other scripts. */
const DIACRITIC =
  /[\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u1dc0-\u1dff\u20d0-\u20dc\u20e1\u20e5-\u20f0\ufe20-\ufe2f]/gu;

/** Punctuation and invisible characters, save a point within a number and the minus before one. */
const DROPPED = /[\p{P}\p{Cf}\ufe00-\ufe0f]/gu;

/** NFKC, letter case, diacritics, punctuation and white space folded. */
export function fold(text: string): string {
  const alike = text.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const plain = alike.normalize('NFKD').replace(DIACRITIC, '').normalize('NFC').replaceAll('\u2212', '-');
  const bare = spaced(plain.replace(DROPPED, (found, at: number) => (isOfNumber(found, plain, at) ? found : '')));
  // An answer of nothing but punctuation would be equal to every other one.
  return bare === '' ? spaced(plain) : bare;
}

function isOfNumber(found: string, text: string, at: number): boolean {
  if (!/\p{N}/u.test(text.charAt(at + 1))) return false;
  if (found === '.') return /\p{N}/u.test(text.charAt(at - 1));
  return found === '-' && (at === 0 || /\s/.test(text.charAt(at - 1)));
}

function spaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
