// Converts bytes to text: Unicode where that is certain, otherwise the character set that the text names, that the host chose, or that fits
// best. Used by source.ts and workbook.ts. Pure.

import { analyse } from 'chardet';

/** A text and the character set it was read in. */
export interface Decoded {
  readonly text: string;
  readonly encoding: string;
  /** Whether the file or the host names this character set. Otherwise it is a guess that the host should check. */
  readonly isSure: boolean;
}

/** The look of a text in a character set. */
export interface Reading {
  readonly encoding: string;
  /** Some of its words that differ between character sets. */
  readonly words: string;
}

/** The character set that programs without Unicode use in Western Europe. */
const LEGACY = 'windows-1252';

/** Character sets to choose from, as browsers know them, the likely ones first. */
const CHOICES = [
  ...[LEGACY, 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1257', 'windows-1255', 'windows-1256', 'windows-1258'],
  ...['windows-874', 'macintosh', 'x-mac-cyrillic', 'iso-8859-2', 'iso-8859-15', 'iso-8859-5', 'iso-8859-7', 'iso-8859-13', 'koi8-r', 'koi8-u'],
  ...['ibm866', 'shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr', 'utf-16le', 'utf-16be'],
];

/** The bytes that are searched for an XML declaration, used for guessing the character set, and shown for the choice. */
const DECLARATION = 200;
const GUESSED = 64 * 1_024;
const SHOWN = 16 * 1_024;

/** The most words that are shown of a text, and letters of a word. */
const WORDS = 4;
const LONGEST_WORD = 16;

/** Reads the text; characters that the character set lacks become U+FFFD. */
export function decode(bytes: Uint8Array, chosen?: string): Decoded {
  const encoding = chosen ?? certain(bytes);
  if (encoding !== null) return { ...decodedAs(encoding, bytes), isSure: true };
  return { ...decodedAs(likely(bytes.subarray(0, GUESSED)), bytes), isSure: false };
}

/** The look of the text in each possible character set; equal ones appear once. The likely ones come first. */
export function readingsOf(bytes: Uint8Array, used: string): Reading[] {
  const start = wholeLines(bytes, SHOWN);
  const order = [likely(bytes.subarray(0, GUESSED)), ...CHOICES];
  const seen = new Set<string>();
  const readings = [...new Set([used, ...order])].flatMap((encoding) => {
    const text = encoding === used ? decodedAs(encoding, start).text : (strictly(encoding, start) ?? '');
    const isWide = encoding.startsWith('utf-16') && !bytes.includes(0);
    if (text === '' || seen.has(text) || (encoding !== used && (isWide || isControlled(text)))) return [];
    seen.add(text);
    return [{ encoding, words: wordsOf(text), rank: order.indexOf(encoding) + (hasMixedWords(text) ? order.length : 0) }];
  });
  return readings.sort((a, b) => a.rank - b.rank).map(({ encoding, words }) => ({ encoding, words }));
}

/** Whether letters of two alphabets are next to each other. */
function hasMixedWords(text: string): boolean {
  return /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]/u.test(text);
}

/** Null where the bytes do not show their character set. */
function certain(bytes: Uint8Array): string | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const wide = bytes.includes(0) ? wideOf(bytes) : null;
  if (wide !== null) return wide;
  if (strictly('utf-8', bytes) !== null) return hasJapaneseEscape(bytes) ? 'iso-2022-jp' : 'utf-8';
  return declaredIn(bytes);
}

/** UTF-16 without a byte order mark: ASCII letters, digits and breaks have a zero in every other byte, and nowhere else. */
function wideOf(bytes: Uint8Array): string | null {
  const zeros = [0, 0];
  bytes.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const text = Math.max(even, odd) > 10 * Math.min(even, odd) ? strictly(encoding, bytes) : null;
  return text === null || isControlled(text) ? null : encoding;
}

/** Old Japanese mail uses seven bits, with escapes where its letters begin. */
function hasJapaneseEscape(bytes: Uint8Array): boolean {
  return bytes.some((byte, at) => byte === 0x1b && bytes[at + 1] === 0x24 && /[@B]/.test(String.fromCharCode(bytes[at + 2] ?? 0)));
}

/** The best guess by which words look like words; otherwise the usual one of Western Europe. */
function likely(bytes: Uint8Array): string {
  const ranked = analyse(bytes).filter(({ name }) => !/^(?:ascii|utf)/i.test(name)).map(({ name }) => known(name) ?? LEGACY);
  return [...ranked, LEGACY, 'macintosh'].find((encoding) => looksWritten(strictly(encoding, bytes))) ?? ranked[0] ?? LEGACY;
}

/** Whether it looks like words: signs are between words and not within them, and capitals begin words. */
function looksWritten(text: string | null): boolean {
  return text !== null && !isControlled(text) && !ODD.some((odd) => odd.test(text));
}

/** Combinations that no language uses, but that a wrong character set produces. */
const ODD = [
  /\p{L}[^\p{L}\p{M}\p{P}\p{Zs}\p{Sc}\p{ASCII}°²³™®]/u,
  /[^\p{L}\p{M}\p{P}\p{Zs}\p{ASCII}°]\p{L}/u,
  /\p{Ll}[\u201a\u201e\u2020\u2021\u2030\u00a1\u00bf]\p{Ll}/u,
  /\p{Ll}(?=[^\p{ASCII}])\p{Lu}/u,
];

/** Control characters that no text has. */
function isControlled(text: string): boolean {
  return /[^\P{Cc}\t-\r]/u.test(text);
}

/** The character set of an XML declaration, if this browser knows it. */
function declaredIn(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, DECLARATION));
  const label = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1];
  return label === undefined ? null : known(label);
}

/** The name that browsers have for a character set; null when they do not know it. */
function known(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function decodedAs(encoding: string, bytes: Uint8Array): Pick<Decoded, 'text' | 'encoding'> {
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

/** Null when the bytes are no text in this character set. */
function strictly(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The first bytes, up to the end of a line: no character is cut in two. */
function wholeLines(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.length <= most) return bytes;
  const end = bytes.lastIndexOf(0x0a, most);
  return bytes.subarray(0, end > 0 ? end + 1 : most);
}

function wordsOf(text: string): string {
  const words = text.split(/[\s\p{P}=~|<>]+/u).filter((word) => /\P{ASCII}/u.test(word));
  return [...new Set(words)].slice(0, WORDS).map((word) => Array.from(word).slice(0, LONGEST_WORD).join('')).join(' · ');
}
