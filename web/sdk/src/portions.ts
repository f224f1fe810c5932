// Divides texts into messages of a size that the server accepts. Used by HostGame.

/** The most texts in one `mark_answers`, and their greatest length as JSON in bytes: the server accepts 64 KiB. */
const MAX_TEXTS = 1_000;
const MAX_TEXT_BYTES = 48 * 1_024;

/** The texts in portions that each fit into a message. */
export function portions(texts: readonly string[]): string[][] {
  const encoder = new TextEncoder();
  const portions: string[][] = [];
  let bytes = Infinity;
  for (const text of new Set(texts)) {
    const more = encoder.encode(JSON.stringify(text)).length + 1;
    if (bytes + more > MAX_TEXT_BYTES || (portions.at(-1)?.length ?? 0) >= MAX_TEXTS) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(text);
    bytes += more;
  }
  return portions;
}
