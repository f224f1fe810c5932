// Compiles the sentences of web/words into one small line each: all languages side by side, without a function per
// language. Used by plugin.ts; what runs in the browser is ui/src/words/sentence.ts and plural.ts. Stops the build at
// anything that README.md does not describe.

import { type Language, LOCALES } from '../ui/src/words/locales.ts';

/** A text for each plural category of a language; `other` is for all that are not there. `by` counts another number. */
export type Forms = Readonly<Record<string, string>>;

/** A sentence as the file of its area has it. `counts` or `ranks` names the number that the forms depend on. */
export type Sentence = Readonly<Record<Language, string | Forms> & { counts?: string; ranks?: string }>;

/** What a module of compiled sentences begins with. */
export const IMPORTS = `import { sentence } from '$words/sentence.ts';
import { ordinal, plural } from '$words/plural.ts';
`;

/** The line that exports the sentence under its key. */
export function compile(key: string, sentence: Sentence): string {
  const { counts, ranks } = sentence;
  const [type, input] = ranks === undefined ? (['cardinal', counts] as const) : (['ordinal', ranks] as const);
  if (input === undefined) return exported(key, 'sentence', LOCALES.map((locale) => textOf(key, sentence[locale])));
  const forms = LOCALES.map((locale) => formsOf(key, sentence[locale], locale, type));
  return exported(key, type === 'ordinal' ? 'ordinal' : 'plural', [input, ...forms]);
}

function exported(key: string, maker: string, values: readonly unknown[]): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  return `export const ${key} = /* @__PURE__ */ ${maker}(${list});\n`;
}

/** The forms that differ from the general one, which comes last. */
function formsOf(key: string, text: string | Forms, locale: Language, type: Intl.PluralRuleType): Forms {
  if (typeof text === 'string') return { other: textOf(key, text) };
  const { by, other, ...special } = text;
  const { pluralCategories } = new Intl.PluralRules(locale, { type }).resolvedOptions();
  const unknown = Object.keys(special).find((category) => !pluralCategories.some((known) => known === category));
  if (unknown !== undefined) throw new Error(`${key}: ${locale} has no plural category "${unknown}"`);
  const known = pluralCategories.filter((category) => special[category] !== undefined && special[category] !== other);
  return {
    ...(by !== undefined && { by }),
    ...Object.fromEntries(known.map((category) => [category, textOf(key, special[category])])),
    other: textOf(key, other),
  };
}

/** Text with nothing in it but placeholders. */
function textOf(key: string, text: string | Forms | undefined): string {
  if (typeof text !== 'string') throw new Error(`${key}: a text is missing, or has forms that depend on no number`);
  if (/[{}\\]/.test(text.replace(/\{\w+\}/g, ''))) throw new Error(`${key}: only {placeholders} are understood`);
  return text;
}
