// Numbers as people type them, read as the server's marking reads them (crates/quiz/src/number.rs); both are tested with
// crates/quiz/tests/numbers.json. Pure; used by the phone's hint, the marking desk and quiz files.

const PLAIN: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
  '\ufe58': '-',
  '\ufe63': '-',
  '\uff0d': '-',
  '\uff0b': '+',
  '\uff0e': '.',
  '\u066b': '.',
  '\uff0c': ',',
  '\u2019': "'",
  '\u066c': "'",
};

const DIGIT = /^\p{Nd}$/u;

/** One to three digits and then groups of three, or one or two digits, then groups of two and a last one of three. */
const GROUPED = /^(?:\d{1,3}([,.' ])\d{3}(?:\1\d{3})*|\d{1,2}([,.' ])\d{2}(?:\2\d{2})*\2\d{3})$/;

/**
 * Every plausible reading, at most two, the one with a decimal sign first; none for a text that is not a number. `1,665` is 1.665 to
 * some people and 1665 to others. If a sign is repeated or both occur, the earlier one groups (`1,234.5`, `1.234,5`), as do
 * spaces and apostrophes.
 */
export function readNumbers(text: string): number[] {
  // White space as the server knows it; a byte order mark is not.
  const plain = Array.from(text, plainCharacter).join('').replace(/^ +| +$/g, '');
  const parts = /^([+-]?) *([0-9,.' ]*?)(?:[eE]([+-]?\d{1,3}))?$/.exec(plain);
  if (!parts) return [];
  const [, sign = '', mantissa = '', exponent = '0'] = parts;
  const spelled = /^\d+$/.test(mantissa) ? [mantissa] : [decimal(mantissa), grouped(mantissa)];
  const read = spelled.filter((digits) => digits !== null).map((digits) => Number(`${sign}${digits}e${exponent}`));
  return read.filter(Number.isFinite);
}

/** The first plausible reading; null for a text that is not a number. */
export function parseNumber(text: string): number | null {
  return readNumbers(text)[0] ?? null;
}

/** The meanings of accepted answers. A reading that the tolerance swallows is left out when there is another one. */
export function acceptedNumbers(accepted: readonly string[], tolerance: number): number[] {
  return accepted.flatMap((text) => {
    const [first, second] = readNumbers(text);
    if (first === undefined) return [];
    if (second === undefined) return [first];
    return Math.abs(first) > tolerance ? [first, second] : [second];
  });
}

/** A number as an accepted answer that has one reading: `1.665` could be 1665 to some. `written` are its digits in the file. */
export function exactly(value: number, written?: string): string {
  const text = written !== undefined && Number(written) === value ? written : String(value);
  return readNumbers(text).length > 1 ? text.replace(/(\.\d+)/, '$&0') : text;
}

/** The digit of ASCII that means the same as a digit of any script, whose ten follow each other from zero to nine. */
export function digitOf(character: string): string | null {
  if (!DIGIT.test(character)) return null;
  const code = character.codePointAt(0) ?? 0;
  let smaller = 0;
  while (DIGIT.test(String.fromCodePoint(code - smaller - 1))) smaller += 1;
  return String(smaller % 10);
}

function plainCharacter(character: string): string {
  return digitOf(character) ?? PLAIN[character] ?? (/\p{White_Space}/u.test(character) ? ' ' : character);
}

/** With its only comma or point as decimal sign. */
function decimal(mantissa: string): string | null {
  const parts = decimalOf(mantissa);
  return parts && `0${parts.join('.')}0`;
}

/** The digits before and after the decimal sign, without separators. Only a sign that occurs once is a decimal sign. */
export function decimalOf(mantissa: string): [whole: string, fraction: string] | null {
  const at = Math.max(mantissa.lastIndexOf(','), mantissa.lastIndexOf('.'));
  if (at < 0 || mantissa.split(mantissa.charAt(at)).length !== 2) return null;
  const [whole, fraction] = [mantissa.slice(0, at), mantissa.slice(at + 1)];
  const digits = /^\d*$/.test(whole) ? whole : ungroup(whole);
  const isNumber = digits !== null && /^\d*$/.test(fraction) && digits.length + fraction.length > 0;
  return isNumber ? [digits, fraction] : null;
}

/** With every separator between groups. Digits after a zero are not grouped if a decimal sign is plausible: `0.125` is an eighth. */
function grouped(mantissa: string): string | null {
  return mantissa.startsWith('0') && decimal(mantissa) !== null ? null : ungroup(mantissa);
}

/** Without the separators between its groups; null when it is not grouped. */
export function ungroup(digits: string): string | null {
  return GROUPED.test(digits) ? digits.replace(/\D/g, '') : null;
}
