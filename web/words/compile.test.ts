// Compiled sentences say what the files say, read in the plainest way: every key in every language, with counts of every
// plural category. And whatever the compiler does not understand stops the build.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import * as compiled from '../ui/src/words/generated/messages.js';
import { type Language, LOCALES } from '../ui/src/words/locales.ts';
import { speakBy } from '../ui/src/words/sentence.ts';
import { compile, type Sentence } from './compile.ts';
import { duplicateKeys } from './duplicates.ts';
import { completeWords, problemsOf, sentences } from './plugin.ts';

type Say = (inputs?: Record<string, unknown>) => string;

/** Zero, one, two, few and many of the four languages, and what is written with a fraction. */
const COUNTS = [0, 1, 1.5, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111, 1_000, 1_000_000, '7', '2.0'];

/** The sentence by the words of README.md: the form of the number's plural category, or the general one. */
function naively(locale: Language, sentence: Sentence, inputs: Readonly<Record<string, unknown>>): string {
  const filled = (text = '') => text.replace(/\{(\w+)\}/g, (_, name: string) => String(inputs[name]));
  const forms = sentence[locale];
  if (typeof forms === 'string') return filled(forms);
  const rules = new Intl.PluralRules(locale, { type: sentence.ranks === undefined ? 'cardinal' : 'ordinal' });
  const number = forms.by ?? sentence.ranks ?? sentence.counts ?? '';
  return filled(forms[rules.select(Number(inputs[number]))] ?? forms.other);
}

/** The inputs of a sentence: the number it depends on and the placeholders in it. */
function inputsOf({ counts, ranks, ...texts }: Sentence): string[] {
  const names = [...JSON.stringify(texts).matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return [...new Set([counts, ranks, ...names])].filter((name) => name !== undefined);
}

describe('the compiled words', () => {
  it('are the sentences of the files, all of them', () => {
    expect(Object.keys(compiled).sort()).toEqual([...sentences().keys()].sort());
    expect(sentences().size).toBeGreaterThan(300);
  });

  it.each(LOCALES)('say what the files say: %s', (locale) => {
    speakBy(() => locale);
    const say = compiled as unknown as Record<string, Say>;
    for (const [key, sentence] of sentences()) {
      const names = inputsOf(sentence);
      for (const value of names.length > 0 ? COUNTS : [0]) {
        const inputs = Object.fromEntries(names.map((name, place) => [name, place === 0 ? value : `<${name}>$&`]));
        for (const counted of names) {
          const given = { ...inputs, [counted]: value };
          expect(say[key]?.(given), `${key} ${JSON.stringify(given)}`).toBe(naively(locale, sentence, given));
        }
      }
    }
  });
});

describe('the sentences', () => {
  it('never begin a line with a sign: its space does not break', () => {
    const french = [...sentences().values()].map(({ fr }) => JSON.stringify(fr)).join();
    expect(french).toContain('\u00a0?');
    expect(french).toContain('«\u00a0');
    for (const [key, each] of sentences()) {
      for (const locale of LOCALES) expect(JSON.stringify(each[locale]), key).not.toMatch(/ [:;!?»…%]|« /);
    }
  });
});

describe('the compiler', () => {
  const all = (text: Sentence['en'], counts?: string): Sentence => ({ en: text, de: text, es: text, fr: text, ...(counts && { counts }) });

  it('writes one text per language', () => {
    const words = { en: 'Hello {name}', de: 'Hallo {name}', es: 'Hola {name}', fr: 'Salut {name}' };
    expect(compile('play_hello', words)).toContain('sentence("Hello {name}", "Hallo {name}", "Hola {name}", "Salut {name}")');
  });

  it('writes each form once, and takes the general one for a category that has none', () => {
    const forms = { one: 'one', other: '{count}' };
    const code = compile('play_n', { ...all(forms, 'count'), fr: { ...forms, many: '{count}' } });
    expect(code).toContain('plural("count", {"one":"one","other":"{count}"}');
    expect(code).not.toContain('many');
  });

  it.each([
    ['a stray brace', all('Hello {name')],
    ['a backslash', all('Hello \\{name\\}')],
    ['a category that the language has not', all({ one: 'a', few: 'b', other: 'c' }, 'count')],
    ['no general form', all({ one: 'a' }, 'count')],
    ['forms that depend on no number', all({ one: 'a', other: 'b' })],
  ])('refuses %s', (_, sentence) => {
    expect(() => compile('play_bad', sentence)).toThrow('play_bad');
  });
});

describe('what stops the build', () => {
  const whole: Sentence = { en: '{count} here', de: '{count} da', es: '{count} aquí', fr: '{count} ici' };

  it('is nothing in a whole sentence', () => {
    expect(problemsOf('play_here', whole)).toEqual([]);
  });

  it.each([
    ['a missing language', { ...whole, de: undefined }],
    ['a missing text in English', { ...whole, en: undefined }],
    ['an empty text', { ...whole, de: '' }],
    ['other placeholders than in English', { ...whole, de: { one: '{number} da', other: '{count} da' }, counts: 'count' }],
    ['a field that is not known', { ...whole, it: '{count} qui' }],
  ])('is %s', (_, sentence) => {
    expect(problemsOf('play_here', sentence as Sentence)).toHaveLength(1);
  });
});

describe('a key that a file has twice', () => {
  it.each([
    ['{"a": {"en": "x"}, "b": {"en": "{a: }"}}', []],
    ['{"a": {"en": "x"}, "a": {"en": "y"}}', ['a']],
    ['{"a": {"en": "x", "de": "y", "en" : "z"}, "de": {}}', ['en']],
    [String.raw`{"a": {"en": "\"a\": {"}, "\u0061": {}}`, ['a']],
  ])('%s', (text, twice) => {
    expect(duplicateKeys(text)).toEqual(twice);
  });

  it('stops the build', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quizhall-words-'));
    try {
      const sentence = '{ "en": "Join", "de": "Los", "es": "Entrar", "fr": "Rejoindre" }';
      const build = (text: string) => {
        writeFileSync(join(folder, 'play.json'), text);
        const fails = { error: (problem: string) => { throw new Error(problem); } };
        (completeWords(folder).buildStart as () => void).call(fails);
      };
      build(`{ "play_go": ${sentence}, "play_on": ${sentence} }`);
      expect(() => { build(`{ "play_go": ${sentence}, "play_go": ${sentence} }`); }).toThrow('play.json has play_go twice');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
