// Steps of the build. Every sentence must exist in every language, with the same placeholders; anything else fails it. And
// `m` is made of the sentences as compile.ts writes them: each is a module, so that a chunk holds only what it says.
// Used by vite.config.ts and by the unit tests; never runs in a browser.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

import { LOCALES } from '../ui/src/words/locales.ts';
import { compile, IMPORTS, type Sentence } from './compile.ts';
import { duplicateKeys } from './duplicates.ts';

const FOLDER = import.meta.dirname;
/** What language.svelte.ts imports; that file itself is only there for its types. */
const MESSAGES = /\/generated\/messages\.js$/;
const ALL = '\0words';
const ONE = '\0words/';

/** Spaces that belong to the sign beside them, as French and German write it: a line never begins with the sign. */
const BESIDE_A_SIGN = / (?=[:;!?»…%])|(?<=«) /g;

/** The text of each area's file in a folder. */
function texts(folder = FOLDER): [area: string, text: string][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => [name.replace('.json', ''), readFileSync(join(folder, name), 'utf8')]);
}

/** The sentences of each area, as its file has them. */
function areas(folder = FOLDER): [area: string, sentences: Record<string, Sentence>][] {
  return texts(folder).map(([area, text]) => [area, JSON.parse(text.replace(BESIDE_A_SIGN, '\u00a0')) as Record<string, Sentence>]);
}

/** Every sentence by its key, in all languages. */
export function sentences(): Map<string, Sentence> {
  return new Map(areas().flatMap(([, sentences]) => Object.entries(sentences)));
}

/** What is wrong with the words of all areas, one line each; empty when nothing is. */
function problems(folder: string): string[] {
  const twice = texts(folder).flatMap(([area, text]) => duplicateKeys(text).map((key) => `${area}.json has ${key} twice`));
  const others = areas(folder).flatMap(([area, sentences]) => {
    return Object.entries(sentences).flatMap(([key, sentence]) => {
      const begins = key.startsWith(`${area}_`) ? [] : [`${key} must begin with ${area}_`];
      return [...begins, ...problemsOf(key, sentence)];
    });
  });
  return [...twice, ...others];
}

const FIELDS: readonly string[] = [...LOCALES, 'counts', 'ranks'];

/** What is wrong with one sentence. */
export function problemsOf(key: string, sentence: Sentence): string[] {
  const [base] = LOCALES;
  const unknown = Object.keys(sentence).filter((field) => !FIELDS.includes(field));
  const found = unknown.map((field) => `${key}: "${field}" is not known`);
  const expected: Sentence['en'] | undefined = sentence[base];
  for (const locale of LOCALES) {
    const text: Sentence[typeof locale] | undefined = sentence[locale];
    if (text === undefined || text === '') found.push(`${key} is missing in ${locale}`);
    else if (expected !== undefined && placeholders(text) !== placeholders(expected)) {
      found.push(`${key} has other placeholders in ${locale} than in ${base}`);
    }
  }
  return found;
}

function placeholders(text: Sentence['en']): string {
  const names = [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].sort().join();
}

/** Stops the build when a sentence of the folder is missing in a language, or stands there twice. */
export function completeWords(folder = FOLDER): Plugin {
  return {
    name: 'quizhall-complete-words',
    buildStart() {
      const found = problems(folder);
      if (found.length > 0) this.error(`the words are not complete:\n${found.join('\n')}`);
    },
  };
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
        return IMPORTS + [...words].map(([key, sentence]) => compile(key, sentence)).join('');
      }
      if (id === ALL) {
        const exports = [...words.keys()].map((key) => `export * from ${JSON.stringify(ONE + key)};`);
        return { code: exports.join('\n'), moduleSideEffects: false };
      }
      const key = id.startsWith(ONE) ? id.slice(ONE.length) : '';
      const sentence = words.get(key);
      return sentence ? { code: IMPORTS + compile(key, sentence), moduleSideEffects: false } : null;
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
