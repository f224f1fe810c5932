// Texts of people within sentences and lists of ours: each keeps its own direction, and turns nothing around it. Pure.

const FIRST_STRONG_ISOLATE = '\u2068';
const POP = '\u2069';

/** A text that stands in a sentence, where no element can keep it apart. */
export function isolated(text: string): string {
  return `${FIRST_STRONG_ISOLATE}${text}${POP}`;
}

/** Texts one after the other. */
export function listed(texts: readonly string[], between = ' · '): string {
  return texts.map(isolated).join(between);
}
