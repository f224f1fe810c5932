// Texts in several languages, as the filters of Moodle write them: `<span lang="de" class="multilang">…</span>` and
// `{mlang de}…{mlang}`. One language is read: that of the page, else English, else the first. Used by markup.ts.

import { language } from '$words/language.svelte.ts';

const BLOCK = /\{\s*mlang\s+(\w[\w,\s-]*)\}([^{]*(?:\{(?!\s*mlang)[^{]*)*)\{\s*mlang\s*\}/gi;

/** The text in one language, and whether there were others. */
export interface OneLanguage {
  readonly text: string;
  readonly isOneOfSeveral: boolean;
}

/** The language that is read, of those that a text has. */
export function languageOf(languages: readonly string[]): string | undefined {
  const main = (code: string): string => code.toLowerCase().split(/[-_]/)[0] ?? '';
  return [language(), 'en'].flatMap((wanted) => languages.find((code) => main(code) === wanted) ?? [])[0] ?? languages[0];
}

/** The text without the blocks of other languages. */
export function inOneLanguage(text: string): OneLanguage {
  if (!/\{\s*mlang/i.test(text)) return { text, isOneOfSeveral: false };
  const codesOf = (list: string): string[] => list.split(',').map((code) => code.trim());
  const blocks = [...text.matchAll(BLOCK)].map(([, list = '']) => codesOf(list));
  const chosen = languageOf(blocks.flat().filter((code) => code !== 'other')) ?? 'other';
  const isShown = (list: string): boolean => codesOf(list).includes(chosen);
  return {
    text: text.replace(BLOCK, (_, list: string, content: string) => (isShown(list) ? content : '')),
    isOneOfSeveral: blocks.some((codes) => !codes.includes(chosen)),
  };
}

/** The language of an element that is a text in one of several languages. */
export function markedLanguage(element: Element): string | null {
  return element.classList.contains('multilang') || element.localName === 'lang' ? element.getAttribute('lang') : null;
}
