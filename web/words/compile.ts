// Compiles the sentences of web/words into one small line each: all languages side by side, without a function per
// language. Used by plugin.ts; what runs in the browser is ui/src/words/sentence.ts and plural.ts. Understands the part
// of the inlang message format that the words use, and stops the build at anything else.

import { type Language, LOCALES } from '../ui/src/words/locales.ts';

/** A sentence as the file of one language has it. */
export type Source = string | readonly unknown[];

interface Variants {
  readonly declarations: readonly string[];
  readonly selectors: readonly string[];
  readonly match: Readonly<Record<string, string>>;
}

interface Selected {
  /** The input that is counted. */
  readonly input: string;
  readonly type: 'cardinal' | 'ordinal';
  /** The sentence for each plural category of the language; `other` is for all that are not there. */
  readonly forms: Readonly<Record<string, string>>;
}

/** What a module of compiled sentences begins with. */
export const IMPORTS = `import { sentence } from '$words/sentence.ts';
import { ordinal, plural } from '$words/plural.ts';
`;

/** The line that exports the sentence under its key. */
export function compile(key: string, sources: Readonly<Record<Language, Source>>): string {
  const parsed = LOCALES.map((locale) => parse(key, locale, sources[locale]));
  const counted = parsed.find((each) => typeof each !== 'string');
  if (!counted) return exported(key, 'sentence', parsed);
  const forms = parsed.map((each) => {
    if (typeof each === 'string') return { other: each };
    if (each.type !== counted.type) throw new Error(`${key}: a language ranks what another counts`);
    return each.input === counted.input ? each.forms : { by: each.input, ...each.forms };
  });
  return exported(key, counted.type === 'ordinal' ? 'ordinal' : 'plural', [counted.input, ...forms]);
}

function exported(key: string, maker: string, values: readonly unknown[]): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  return `export const ${key} = /* @__PURE__ */ ${maker}(${list});\n`;
}

function parse(key: string, locale: Language, source: Source): string | Selected {
  if (typeof source === 'string') return checked(key, source);
  const [variants, ...more] = source as readonly Variants[];
  const selector = variants?.selectors[0];
  if (!variants || !selector || more.length > 0 || variants.selectors.length !== 1) {
    throw new Error(`${key}: only one selector is understood`);
  }
  const counted = variants.declarations.map((line) => /^local (\w+) = (\w+): plural( type=ordinal)?$/.exec(line));
  const [, , input, ordinal] = counted.find((match) => match?.[1] === selector) ?? [];
  if (!input) throw new Error(`${key}: only plurals are understood as selectors`);
  const type = ordinal ? 'ordinal' : 'cardinal';
  return { input, type, forms: formsOf(key, locale, selector, type, variants.match) };
}

function formsOf(
  key: string,
  locale: Language,
  selector: string,
  type: Selected['type'],
  match: Variants['match'],
): Record<string, string> {
  const textOf = (category: string): string => {
    const text = match[`${selector}=${category}`] ?? match[`${selector}=*`] ?? match[`${selector}=other`];
    if (text === undefined) throw new Error(`${key}: ${locale} has no words for "${category}"`);
    return checked(key, text);
  };
  const { pluralCategories } = new Intl.PluralRules(locale, { type }).resolvedOptions();
  const known = new Set(['*', 'other', ...pluralCategories].map((category) => `${selector}=${category}`));
  const strange = Object.keys(match).find((condition) => !known.has(condition));
  if (strange !== undefined) throw new Error(`${key}: ${locale} has no category ${strange}`);
  const other = textOf('other');
  const special = pluralCategories.map((category) => [category, textOf(category)] as const);
  return { ...Object.fromEntries(special.filter(([, text]) => text !== other)), other };
}

/** Text with nothing in it but placeholders. */
function checked(key: string, text: string): string {
  if (/[{}\\]/.test(text.replace(/\{\w+\}/g, ''))) throw new Error(`${key}: only {placeholders} are understood`);
  return text;
}
