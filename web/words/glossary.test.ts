// One word for one thing (README.md): words that were given up do not come back, and each page keeps its way of address.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Sentence } from './compile.ts';
import { sentences } from './plugin.ts';

/** Words that have a better one in the table of README.md. */
const GIVEN_UP = {
  en: /\b(stored|boards?|leaderboard|seats?|standing|whoever|somebody|nobody|everybody|throw away|close answers?|doors?)\b/i,
  de: /\b(Auswahl|Punktestand|knappe?n?|Zurücknehmen|Gastgeber|Dir|Dich|Dein|Türen?|versuche)\b/,
  es: /\b(anfitri[oó]n|sitio está|puertas?|este asiento)\b/i,
  fr: /\b(hôtes?|portes?|jeter|l’entrée|cette place)\b/i,
};

/** Starts a sentence, so that a capital says nothing. */
const BEGINS = /(^|[.:?!]\s)(Dein|Versuche)\b/g;

/** Whole words, also beside an accent. */
const VOUS = /(?<!\p{L})(vous|votre|vos|\p{L}+ez)(?!\p{L})/iu;
const TU = /(?<!\p{L})(tu|ton|ta|tes)(?!\p{L})/iu;

describe('the words', () => {
  it.each(['en', 'de', 'es', 'fr'] as const)('keep to the glossary: %s', (locale) => {
    for (const [key, each] of sentences()) {
      for (const text of textsOf(each[locale])) {
        expect(text.replace(BEGINS, ''), key).not.toMatch(GIVEN_UP[locale]);
      }
    }
  });

  it('say tu to players and vous to hosts in French', () => {
    for (const [key, { fr }] of sentences()) {
      const other = /^(play|results)_/.test(key) ? VOUS : TU;
      for (const text of textsOf(fr)) expect(text, key).not.toMatch(other);
    }
  });
});

describe('every sentence', () => {
  it('is used by a page', () => {
    const first = readFileSync(join(import.meta.dirname, '../first.ts'), 'utf8').matchAll(/'(everywhere_\w+)'/g);
    const used = new Set([...['ui', 'play', 'host', 'results', 'screen'].flatMap(namesIn), ...[...first].map(([, key]) => key ?? '')]);
    expect(used.size).toBeGreaterThan(300);
    expect([...sentences().keys()].filter((key) => !used.has(key))).toEqual([]);
  });
});

/** The sentences that the sources of a folder name. */
function namesIn(room: string): string[] {
  const folder = join(import.meta.dirname, '..', room, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|svelte)$/.test(name));
  const own = files.filter((name) => !name.includes('generated'));
  return own.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/\bm\.(\w+)/g)].map((match) => match[1] ?? ''));
}

/** The texts of a sentence without their placeholders: one, or one for each form. */
function textsOf(text: Sentence['en']): string[] {
  const texts = typeof text === 'string' ? [text] : Object.entries(text).flatMap(([name, form]) => (name === 'by' ? [] : [form]));
  return texts.map((each) => each.replace(/\{\w+\}/g, '…'));
}
