// Finds keys that an object of a JSON text has twice: parsing keeps the last of them without a word. Pure; used by plugin.ts.

/** Strings, with a colon after those that are keys, and what opens and closes objects. */
const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/** Each key that stands in an object for the second time or more often, in order; the text is JSON. */
export function duplicateKeys(text: string): string[] {
  const open: Set<string>[] = [];
  const found: string[] = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      if (open.at(-1)?.has(key)) found.push(key);
      open.at(-1)?.add(key);
    }
  }
  return found;
}
