// Which language the page speaks, and its words. Templates call `m.some_key()`; changing the language redraws them.
// Owns the choice (remembered in localStorage); the sentences are in web/words. What `m` is made of when the app is built
// and tested comes from words/compile.ts; ./generated, which the import below names, has the same functions with types.
// Modules without a page take `m` from there, so that their tests need no page either.

import type { Language } from './locales.ts';
import { speakBy } from './sentence.ts';

export * as m from './generated/messages.js';
export type { Language } from './locales.ts';
export { count } from './sentence.ts';

/** Every language with its own name for itself, in the order to offer them. */
export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
];

const KEY = 'quizhall.language';

let chosen = $state.raw<Language>(firstChoice());

speakBy(() => chosen);
showInDocument();

/** The language now. */
export function language(): Language {
  return chosen;
}

/** The language with its country as this device has it, for dates: 3 November and November 3 are both English. */
export function regional(): string {
  return navigator.languages.find((tag) => known(tag) === chosen) ?? chosen;
}

/** Changes the language at once and remembers it on this device. */
export function speak(code: Language): void {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // This page may not use the storage: the choice lasts as long as the page.
  }
  speakHere(code);
}

/** Changes the language of this page only: the screen speaks the host's language, whatever is remembered here. */
export function speakHere(code: Language): void {
  chosen = code;
  showInDocument();
}

function firstChoice(): Language {
  return known(asked() ?? remembered()) ?? navigator.languages.map(known).find((code) => code !== undefined) ?? 'en';
}

/** `?lang=de` in a link; for hosts who print one, and for tests. */
function asked(): string | null {
  return new URLSearchParams(location.search).get('lang');
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The language of a tag, if the page speaks it. */
export function known(tag: string | null): Language | undefined {
  const code = tag?.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language.code === code)?.code;
}

/** `?dir=rtl` shows how the page would stand in a language that is written from the right. */
function showInDocument(): void {
  document.documentElement.lang = chosen;
  document.documentElement.dir = new URLSearchParams(location.search).get('dir') === 'rtl' ? 'rtl' : 'ltr';
}
