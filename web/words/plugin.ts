// Steps of the build. Every sentence must exist in every language, with the same placeholders; anything else fails it. And
// `m` is made of the sentences as compile.ts writes them: each is a module, so that a chunk holds only what it says.
// Used by vite.config.ts and by the unit tests; never runs in a browser.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

import { type Language, LOCALES } from '../ui/src/words/locales.ts';
import { compile, IMPORTS, type Source } from './compile.ts';

const FOLDER = import.meta.dirname;
/** What language.svelte.ts imports; that file itself is only there for its types. */
const MESSAGES = /\/generated\/messages\.js$/;
const ALL = '\0words';
const ONE = '\0words/';

/** What is wrong with the words of all areas, one line each; empty when nothing is. */
export function problems(folder: string = FOLDER): string[] {
  return areasOf(folder).flatMap((area) => problemsOf(area, (locale) => read(join(folder, area, `${locale}.json`))));
}

function areasOf(folder: string): string[] {
  return readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
}

/** Spaces that belong to the sign beside them, as French and German write it: a line never begins with the sign. */
const BESIDE_A_SIGN = / (?=[:;!?»…])|(?<=«) /g;

function read(file: string): Record<string, Source> {
  const words = JSON.parse(readFileSync(file, 'utf8').replace(BESIDE_A_SIGN, '\u00a0')) as Record<string, Source>;
  delete words.$schema;
  return words;
}

function problemsOf(area: string, wordsOf: (locale: string) => Record<string, Source>): string[] {
  const [base, ...others] = LOCALES;
  const expected = wordsOf(base);
  const found: string[] = [];
  for (const key of Object.keys(expected)) {
    if (!key.startsWith(`${area}_`)) found.push(`${area}: ${key} must begin with ${area}_`);
  }
  for (const locale of others) {
    const words = wordsOf(locale);
    for (const [key, sentence] of Object.entries(expected)) {
      const translated = words[key];
      if (translated === undefined || translated.length === 0) found.push(`${area}/${locale}: ${key} is missing`);
      else if (placeholders(translated) !== placeholders(sentence)) {
        found.push(`${area}/${locale}: ${key} has other placeholders than ${base}`);
      }
    }
    for (const key of Object.keys(words)) {
      if (!(key in expected)) found.push(`${area}/${locale}: ${key} does not exist in ${base}`);
    }
  }
  return found;
}

function placeholders(sentence: Source): string {
  const text = JSON.stringify(sentence);
  const names = [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].sort().join();
}

/** Stops the build when a sentence is missing in a language. */
export function completeWords(): Plugin {
  return {
    name: 'quizhall-complete-words',
    buildStart() {
      const found = problems();
      if (found.length > 0) this.error(`the words are not complete:\n${found.join('\n')}`);
    },
  };
}

/** Every sentence by its key, in all languages. */
export function sentences(folder: string = FOLDER): Map<string, Record<Language, Source>> {
  const found = new Map<string, Record<Language, Source>>();
  for (const area of areasOf(folder)) {
    const words = Object.fromEntries(LOCALES.map((locale) => [locale, read(join(folder, area, `${locale}.json`))]));
    for (const key of Object.keys(words.en ?? {})) {
      const each = LOCALES.map((locale) => [locale, words[locale]?.[key] ?? '']);
      found.set(key, Object.fromEntries(each) as Record<Language, Source>);
    }
  }
  return found;
}

/** Makes `m` from the words. */
export function compiledWords(): Plugin {
  let words = sentences();
  return {
    name: 'quizhall-compiled-words',
    enforce: 'pre',
    buildStart() {
      words = sentences();
    },
    resolveId(id) {
      if (MESSAGES.test(id)) return ALL;
      return id.startsWith(ONE) ? id : null;
    },
    load(id) {
      if (id === ALL && this.environment.mode === 'dev') {
        // Nothing is bundled there: one module instead of hundreds.
        return IMPORTS + [...words].map(([key, sources]) => compile(key, sources)).join('');
      }
      if (id === ALL) {
        const exports = [...words.keys()].map((key) => `export * from ${JSON.stringify(ONE + key)};`);
        return { code: exports.join('\n'), moduleSideEffects: false };
      }
      const key = id.startsWith(ONE) ? id.slice(ONE.length) : '';
      const sources = words.get(key);
      return sources ? { code: IMPORTS + compile(key, sources), moduleSideEffects: false } : null;
    },
    hotUpdate({ file }) {
      if (file.startsWith(FOLDER) && file.endsWith('.json')) {
        words = sentences();
        this.environment.moduleGraph.invalidateAll();
        this.environment.hot.send({ type: 'full-reload' });
      }
    },
  };
}
