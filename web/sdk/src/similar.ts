// Which texts differ by a few slips, at most one edit per five letters, or only in how they are joined. Pure; used by marking.ts on
// distinct texts. It is fast for many texts, because it compares by length, then by letters, and only then letter by letter.

import { joined } from './joined.ts';

/** Longer texts are sentences, in which a typing error has no meaning. */
const LONGEST = 100;

interface Word {
  readonly text: string;
  readonly letters: readonly string[];
  readonly allowed: number;
  /** One bit per letter that occurs: an edit changes at most two. */
  readonly signature: number;
}

/** A text as written, and its folded form. */
interface Written {
  readonly key: string;
  readonly text: string;
}

/** For each folded text that has any, the similar ones, in the order of `written`. */
export function likeness(written: readonly Written[]): Map<string, string[]> {
  const texts = written.map(({ key }) => key);
  const words = texts.map(word).filter((one) => one.letters.length <= LONGEST);
  const buckets = new Map<number, Word[]>();
  for (const one of words) buckets.set(one.letters.length, [...(buckets.get(one.letters.length) ?? []), one]);
  const order = new Map(texts.map((text, at) => [text, at]));
  const found = joinedAlike(written);
  for (const one of words) {
    for (let length = one.letters.length; length <= one.letters.length + LONGEST / 5; length += 1) {
      for (const other of buckets.get(length) ?? []) {
        if (!isBefore(one, other) || !isLike(one, other)) continue;
        add(found, one.text, other.text);
        add(found, other.text, one.text);
      }
    }
  }
  for (const like of found.values()) like.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return found;
}

function joinedAlike(written: readonly Written[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { key, text } of written) add(groups, joined(text, key), key);
  groups.delete('');
  const found = new Map<string, string[]>();
  for (const group of groups.values()) {
    for (const one of group) for (const other of group) if (one !== other) add(found, one, other);
  }
  return found;
}

function add(found: Map<string, string[]>, one: string, other: string): void {
  const like = found.get(one) ?? [];
  if (!like.includes(other)) found.set(one, [...like, other]);
}

function word(text: string): Word {
  const letters = Array.from(text);
  const allowed = Math.floor(letters.filter((letter) => /[\p{L}\p{N}]/u.test(letter)).length / 5);
  const signature = letters.reduce((bits, letter) => bits | (1 << ((letter.codePointAt(0) ?? 0) & 31)), 0);
  return { text, letters, allowed, signature };
}

/** Each pair occurs once: the shorter first, and of two equally long the first by code. */
function isBefore(one: Word, other: Word): boolean {
  return one.letters.length < other.letters.length || one.text < other.text;
}

function isLike(one: Word, other: Word): boolean {
  const allowed = Math.max(one.allowed, other.allowed);
  if (other.letters.length - one.letters.length > allowed) return false;
  if (bitCount(one.signature ^ other.signature) > 2 * allowed) return false;
  return distance(one.letters, other.letters, allowed) <= allowed;
}

function bitCount(bits: number): number {
  let left = bits;
  let count = 0;
  while (left !== 0) {
    left &= left - 1;
    count += 1;
  }
  return count;
}

/** Insertions, deletions, replacements and swaps of neighbours between two texts; anything above `most` is `most + 1`. */
export function distance(one: readonly string[], other: readonly string[], most: number): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [before, last] = [last, row];
  }
  return Math.min(last[other.length] ?? 0, most + 1);
}
