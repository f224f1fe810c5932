// Converts formulas of other programs. In a question they become `$…$`, which the app typesets. Choices and answers are plain text, so
// there they become a line such as `√2` or `9/2`. A formula that cannot be converted completely stays as written, and is counted. Used by
// markup.ts.

import { MathMLToLaTeX } from 'mathml-to-latex';
import temml from 'temml';

import { FORMULA } from '$ui/parts/formula.ts';

import { lineOfMath, mathWithout } from './mathline.ts';
import { unstyled } from './tags.ts';

/** The purpose of a text: a question, or a choice or an answer. */
export type Use = 'asked' | 'choice';

/** A formula as text; `isWhole` is false where it could not be converted. */
export interface Converted {
  readonly text: string;
  readonly isWhole: boolean;
}

/** `\(…\)`, `\[…\]`, `$$…$$` and Moodle's `[tex]…[/tex]`. */
const MARKED =
  /\\\(((?:(?!\\\()[^]){1,1000}?)\\\)|\\\[((?:(?!\\\[)[^]){1,1000}?)\\\]|\$\$([^$]{1,1000})\$\$|\[tex\]((?:(?!\[tex\])[^]){1,1000}?)\[\/tex\]/gi;
/** Longer formulas stay unchanged: no formula that is typed for a quiz is that long. */
const LONGEST = 1_000;
/** The most formulas of one file that are converted: each takes some time, and a quiz has 500 questions. */
const MOST = 2_000;
const rendered = new Map<string, string | null>();
const LIMITS = { trust: false, throwOnError: true, maxExpand: 100, maxSize: [20, 20] as [number, number] };

/** Starts another file. */
export function beginFormulas(): void {
  rendered.clear();
}

/** The text with its formulas converted, and how many could not be. */
export function withFormulas(text: string, use: Use): { readonly text: string; readonly unset: number } {
  if (!/\\[([]|\$\$|\[tex\]/i.test(text)) return { text, unset: 0 };
  let unset = 0;
  const converted = text.replace(MARKED, (whole: string, ...found: unknown[]) => {
    const tex = found.slice(0, 4).find((part): part is string => typeof part === 'string') ?? '';
    if (tex.trim() === '') return whole;
    const read = ofTex(tex, use);
    if (!read.isWhole) {
      unset += 1;
      return whole;
    }
    // A digit after a formula would make it look like a price.
    const isBeforeDigit = use === 'asked' && /\d/.test(text.charAt(Number(found[4]) + whole.length));
    return isBeforeDigit ? `${read.text} ` : read.text;
  });
  return { text: converted, unset };
}

/** A formula in TeX. */
export function ofTex(written: string, use: Use): Converted {
  const tex = written.replace(/\s+/g, ' ').trim();
  const xml = xmlOf(tex);
  const text = xml === null ? null : use === 'asked' ? dollars(tex) : lineOfMath(mathOf(xml));
  return { text: text ?? written, isWhole: text !== null };
}

/** A formula in MathML. */
export function ofMath(element: Element, use: Use): Converted {
  const line = lineOfMath(element);
  if (use === 'choice' && line !== null) return { text: line, isWhole: true };
  const tex = texOf(element);
  if (tex === null) return { text: line ?? signsOf(element), isWhole: false };
  return use === 'asked' ? { text: dollars(tex) ?? tex, isWhole: true } : { text: tex, isWhole: false };
}

/** The formula as TeX with the same meaning; null when there is none. */
function texOf(element: Element): string | null {
  try {
    const noted = [...element.getElementsByTagNameNS('*', 'annotation')].find((each) => /tex/i.test(each.getAttribute('encoding') ?? ''));
    const tex = noted?.textContent ?? MathMLToLaTeX.convert(mathWithout(element));
    const plain = tex.replace(/\s+/g, ' ').trim();
    const xml = xmlOf(plain);
    return xml !== null && dollars(plain) !== null && lettersOf(mathOf(xml)) === lettersOf(element) ? plain : null;
  } catch {
    return null;
  }
}

/** The app's own rendering as MathML; null when it cannot render it. */
function xmlOf(tex: string): string | null {
  const known = rendered.get(tex);
  if (known !== undefined) return known;
  if (tex === '' || tex.length > LONGEST || rendered.size >= MOST) return null;
  const xml = setOf(tex);
  rendered.set(tex, xml);
  return xml;
}

function setOf(tex: string): string | null {
  try {
    return temml.renderToString(tex, { ...LIMITS, xml: true });
  } catch {
    return null;
  }
}

const mathOf = (xml: string): Element => new DOMParser().parseFromString(unstyled(xml), 'application/xml').documentElement;

/** The formula between dollar signs, if the page then finds exactly this formula. */
function dollars(tex: string): string | null {
  const text = `$${tex.replace(/(?<!\\)\$/g, '\\$')}$`;
  const [found] = [...text.matchAll(FORMULA)];
  return found?.[0] === text ? text : null;
}

const signsOf = (element: Element): string => element.textContent.replace(/[\u2061-\u2064]/g, '').replace(/\s+/g, ' ').trim();

/** The letters and digits in a fixed order: a conversion that loses a part loses some of them. */
function lettersOf(element: Element): string {
  const own = element.cloneNode(true) as Element;
  for (const note of own.querySelectorAll('annotation, annotation-xml')) note.remove();
  return Array.from(own.textContent.normalize('NFKC').replace(/[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/gu, '')).sort().join('');
}
