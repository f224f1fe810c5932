// Compiled sentences say what the files say, read in the plainest way: every key in every language, with counts of every
// plural category. And whatever the compiler does not understand stops the build.

import { describe, expect, it } from 'vitest';

import * as compiled from '../ui/src/words/generated/messages.js';
import { type Language, LOCALES } from '../ui/src/words/locales.ts';
import { speakBy } from '../ui/src/words/sentence.ts';
import { compile, type Source } from './compile.ts';
import { sentences } from './plugin.ts';

type Say = (inputs?: Record<string, unknown>) => string;

/** Zero, one, two, few and many of the four languages, and what is written with a fraction. */
const COUNTS = [0, 1, 1.5, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111, 1_000, 1_000_000, '7', '2.0'];

interface Variants {
  readonly declarations: readonly string[];
  readonly selectors: readonly [string];
  readonly match: Readonly<Record<string, string>>;
}

/** The sentence by the words of the message format itself: local variables, selectors, the first match that fits. */
function naively(locale: Language, source: Source, told: Readonly<Record<string, unknown>>): string {
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(told[name]));
  if (typeof source === 'string') return filled(source);
  const [{ declarations, selectors, match }] = source as readonly [Variants];
  const [, input = '', ordinal] =
    declarations.map((line) => new RegExp(`^local ${selectors[0]} = (\\w+): plural( type=ordinal)?$`).exec(line)).find(Boolean) ?? [];
  const rules = new Intl.PluralRules(locale, { type: ordinal ? 'ordinal' : 'cardinal' });
  const category = rules.select(Number(told[input]));
  return filled(match[`${selectors[0]}=${category}`] ?? match[`${selectors[0]}=*`] ?? match[`${selectors[0]}=other`] ?? '');
}

/** What a sentence can be told: the inputs it declares and the placeholders in it. */
function inputsOf(source: Source): string[] {
  const text = JSON.stringify(source);
  return [...text.matchAll(/\{(\w+)\}|input (\w+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

describe('the compiled words', () => {
  it('are the sentences of the files, all of them', () => {
    expect(Object.keys(compiled).sort()).toEqual([...sentences().keys()].sort());
    expect(sentences().size).toBeGreaterThan(300);
  });

  it.each(LOCALES)('say what the files say: %s', (locale) => {
    speakBy(() => locale);
    const say = compiled as unknown as Record<string, Say>;
    for (const [key, sources] of sentences()) {
      const names = inputsOf(sources[locale]);
      for (const value of names.length > 0 ? COUNTS : [0]) {
        const inputs = Object.fromEntries(names.map((name, place) => [name, place === 0 ? value : `<${name}>$&`]));
        for (const counted of names) {
          const told = { ...inputs, [counted]: value };
          const expected = naively(locale, sources[locale], told);
          expect(say[key]?.(told), `${key} ${JSON.stringify(told)}`).toBe(expected);
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
      for (const locale of LOCALES) expect(JSON.stringify(each[locale]), key).not.toMatch(/ [:;!?»…]|« /);
    }
  });
});

describe('the compiler', () => {
  const all = (source: Source): Record<Language, Source> => ({ en: source, de: source, es: source, fr: source });
  const counting = (match: Record<string, string>, local = 'n = count: plural'): Source => [
    { declarations: ['input count', `local ${local}`], selectors: ['n'], match },
  ];

  it('writes one text per language', () => {
    const words = { en: 'Hello {name}', de: 'Hallo {name}', es: 'Hola {name}', fr: 'Salut {name}' };
    expect(compile('play_hello', words)).toContain('sentence("Hello {name}", "Hallo {name}", "Hola {name}", "Salut {name}")');
  });

  it('writes each form once, and takes the general one for a category that has none', () => {
    const code = compile('play_n', all(counting({ 'n=one': 'one', 'n=*': '{count}' })));
    expect(code).toContain('plural("count", {"one":"one","other":"{count}"}');
    expect(code).not.toContain('many');
  });

  it.each([
    ['a stray brace', 'Hello {name'],
    ['a backslash', 'Hello \\{name\\}'],
    ['a category that the language has not', counting({ 'n=one': 'a', 'n=few': 'b', 'n=*': 'c' })],
    ['no general form', counting({ 'n=one': 'a' })],
    ['a selector that is no plural', counting({ 'n=one': 'a', 'n=*': 'b' }, 'n = count: number')],
  ] as const)('refuses %s', (_, source) => {
    expect(() => compile('play_bad', all(source))).toThrow('play_bad');
  });
});
