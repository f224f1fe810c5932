// Numbers as people type them, read as the server's marking reads them. Pure; used by the marking desk and quiz files.

/** Digits of other scripts, by the code point of their zero. */
const ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966];

const PLAIN: Readonly<Record<string, string>> = {
  '\u2212': '-',
  '\uff0d': '-',
  '\uff0b': '+',
  '\uff0e': '.',
  '\u066b': '.',
  '\uff0c': ',',
  '\u2019': "'",
  '\u066c': "'",
};

/**
 * `1,5` and `1.5` are one and a half; where a sign is repeated or both occur, the earlier one groups by threes (`1,234.5`,
 * `1.234,5`), as do spaces and apostrophes. Null for what is no number.
 */
export function parseNumber(text: string): number | null {
  const plain = Array.from(text.trim(), plainCharacter).join('');
  const parts = /^([+-]?)\s*([0-9,.' ]*?)(?:[eE]([+-]?\d{1,3}))?$/.exec(plain);
  if (!parts) return null;
  const [, sign = '', mantissa = '', exponent = '0'] = parts;
  const split = splitMantissa(mantissa);
  if (split === null || (split.whole === '' && split.fraction === '')) return null;
  const number = Number(`${sign}0${split.whole}.${split.fraction}0e${exponent}`);
  return Number.isFinite(number) ? number : null;
}

function plainCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  if (zero !== undefined) return String(code - zero);
  return PLAIN[character] ?? (/\s/.test(character) ? ' ' : character);
}

function splitMantissa(mantissa: string): { whole: string; fraction: string } | null {
  const at = Math.max(mantissa.lastIndexOf(','), mantissa.lastIndexOf('.'));
  const isDecimal = at >= 0 && mantissa.split(mantissa.charAt(at)).length === 2;
  const whole = ungroup(isDecimal ? mantissa.slice(0, at) : mantissa);
  const fraction = isDecimal ? mantissa.slice(at + 1) : '';
  return whole === null || !/^\d*$/.test(fraction) ? null : { whole, fraction };
}

/** Takes out one kind of separator that cuts the digits into threes. */
function ungroup(whole: string): string | null {
  const separator = /\D/.exec(whole)?.[0];
  if (separator === undefined) return whole;
  const [first = '', ...groups] = whole.split(separator);
  const fits = /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
  return fits ? first + groups.join('') : null;
}
