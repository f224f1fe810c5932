// Makes the functions of `m` from what words/compile.ts writes: one text per language, the placeholders still in it.
// Owns no choice: language.svelte.ts says which language it is. Knows no sentence.

import { type Language, LOCALES } from './locales.ts';

/** The inputs of a sentence. */
export type Inputs = Readonly<Record<string, unknown>>;

let choose: () => Language = () => LOCALES[0];

/** Sets the function that returns the language; it is called again for each sentence. */
export function speakBy(choice: () => Language): void {
  choose = choice;
}

/** The language of the moment. */
export function spoken(): Language {
  return choose();
}

/**
 * A number as this language writes it. No language of ours groups fewer than four digits, and the first formatter takes
 * a mid phone about 100 ms: no first view has to wait for one.
 */
export function count(value: number): string {
  if (Number.isInteger(value) && value >= 0 && value < 1_000) return String(value);
  return new Intl.NumberFormat(choose()).format(value);
}

/** Of what stands there for each language, that of the moment. */
export function ofLanguage<Each>(each: readonly Each[]): Each {
  return each[LOCALES.indexOf(choose())] as Each;
}

/** The text with its placeholders filled in. */
export function fill(text: string, inputs: Inputs | undefined): string {
  return inputs ? text.replace(/\{(\w+)\}/g, (_, name: string) => String(inputs[name])) : text;
}

/** A sentence of which every language has one form. */
export function sentence(...texts: string[]): (inputs?: Inputs) => string {
  return (inputs) => fill(ofLanguage(texts), inputs);
}
