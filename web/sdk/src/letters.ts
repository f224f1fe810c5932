// One spelling for each letter, digit and sign, as in crates/rules/src/base/fold/letters.rs: compatibility forms, case, accents, and
// signs that replace each other because a keyboard has only one of them. Pure; used by fold.ts.

import { LIMITS } from './generated/limits.ts';
import { digitOf } from './number.ts';

/** Accents of Latin, Greek and Cyrillic, vowel points of Hebrew, Arabic and Syriac; not the vowels of other scripts. */
const DIACRITIC =
  /[\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u1dc0-\u1dff\u20d0-\u20dc\u20e1\u20e5-\u20f0\ufe20-\ufe2f]/gu;

const POWER = /[\u00b2\u00b3\u00b9\u2070-\u207f]/u;
const INDEX = /[\u2080-\u208e]/u;
const FRACTION = /[\u00bc-\u00be\u2150-\u215f\u2189]/u;
const TAG = /[\u{e0020}-\u{e007f}]/u;
/** Format characters, variants and skin tones of emoji, the lengthened line of Arabic. */
const INVISIBLE = /^(?:\p{Cf}|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|[\u180b-\u180f]|[\u{1f3fb}-\u{1f3ff}]|\u20e3|\u0640|\u034f)$/u;

const SPELLED: ReadonlyMap<string, string> = new Map(
  [
    ...['lł', 'oøɔ', 'dđðɖɗ', 'hħ', 'iıɨ', 'jȷɉ', 'nŋ', 'tŧ', 'zƶ', 'gǥɣ', 'bƀɓ♭', 'kĸƙ', 'eɛ', 'uʉ', 'yƴ', 'يیى', 'كک', 'هہ', 'اٱ'],
    ...["'`‘’‚‛ʹʺʻʼʽʾʿˈ′‵׳ꞌ٬", '"„״', '-−', '/⁄∕', ':∶', 'x×', '*∗⁎', '#♯', '%٪', '.٫', ',،', ';؛', '?؟', '·⋅∙'],
  ]
    .flatMap((line): [string, string][] => {
      const [to = '', ...from] = Array.from(line);
      return from.map((sign): [string, string] => [sign, to]);
    })
    .concat([['æ', 'ae'], ['œ', 'oe'], ['þ', 'th']]),
);

/** Letters of one case without accents, digits of ASCII, one sign of each sort. */
export function alike(text: string): string[] {
  const decomposed = Array.from(inLine(text).normalize('NFKD')).slice(0, LIMITS.folded).join('');
  const folded = decomposed.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKD').replace(DIACRITIC, '');
  const out: string[] = [];
  for (const character of folded.normalize('NFC')) {
    const last = out.at(-1);
    if (isInvisible(character, last)) continue;
    const spelled = spell(character);
    // Inches and seconds are typed as two apostrophes too.
    if (spelled === "'" && last === "'") out[out.length - 1] = '"';
    else out.push(...spelled);
  }
  return out;
}

/** Sets powers, indices and fractions apart from the digits before them, where normalization would write 10³ as 103. */
function inLine(text: string): string {
  let out = '';
  let before = ' ';
  for (const character of text) {
    const afterDigit = digitOf(before) !== null || INDEX.test(before);
    if (FRACTION.test(character) && afterDigit) out += ' ';
    else if (POWER.test(character) && !POWER.test(before) && (afterDigit || '⁺⁻'.includes(character))) out += '^';
    else if (INDEX.test(character) && !INDEX.test(before) && afterDigit) out += '_';
    out += character === '´' ? "'" : character === '˚' ? '°' : character;
    before = character;
  }
  return out;
}

/** The tags after a black flag name its country. */
function isInvisible(character: string, before: string | undefined): boolean {
  if (TAG.test(character)) return !(before === '🏴' || (before !== undefined && TAG.test(before)));
  return INVISIBLE.test(character);
}

function spell(character: string): string {
  if (/\p{Pd}/u.test(character)) return '-';
  const spelled = SPELLED.get(character) ?? digitOf(character);
  return spelled ?? (/[\p{Pi}\p{Pf}]/u.test(character) ? '"' : character);
}
