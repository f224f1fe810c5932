// Finds elements of an XML document by their local names, regardless of name spaces. Used by the readers of XML formats.

import { Damaged } from './damaged.ts';
import { unstyled } from './tags.ts';

/** The document, or null when the text is not well-formed. A text with its own entities counts as not well-formed. */
export function parseXml(text: string): Document | null {
  try {
    return parsed(text);
  } catch (error) {
    if (error instanceof Damaged) return null;
    throw error;
  }
}

/** Throws `Damaged` with the line where the text is not well-formed. */
function parsed(text: string): Document {
  const entity = text.search(/<!ENTITY/i);
  if (entity >= 0) throw new Damaged(lineAt(text, entity));
  const document = new DOMParser().parseFromString(unstyled(text.replace(/^\ufeff/, '')), 'application/xml');
  const [error] = document.getElementsByTagName('parsererror');
  if (error) throw new Damaged(lineIn(error.textContent));
  return document;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/**
 * The line number in a browser's error about a text that is not well-formed, which each browser words differently; 0 when there is none.
 */
function lineIn(said: string): number {
  return Number(/\bline(?: number)?:?\s+(\d+)/i.exec(said)?.[1] ?? /^\D{0,40}(\d+):\d+/.exec(said)?.[1] ?? 0);
}

/** The local name of the root element, found without reading the whole; empty when the text does not begin as XML does. */
export function rootName(text: string): string {
  let at = /^\ufeff?\s*/.exec(text)?.[0].length ?? 0;
  for (;;) {
    const end = PROLOGUE.find(([begin]) => text.startsWith(begin, at))?.[1];
    if (end === undefined) break;
    const close = text.indexOf(end, at);
    if (close < 0) return '';
    at = close + end.length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  return /^<(?:[\w.-]+:)?([\w.-]+)[\s>/]/.exec(text.slice(at, at + LONGEST_NAME))?.[1] ?? '';
}

/** The markup that may precede the root element, with its beginning and end. */
const PROLOGUE: readonly (readonly [begin: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!', '>'],
  // The rest of a declaration whose parts have ends of their own.
  [']', '>'],
];
const LONGEST_NAME = 100;

/** The root element; throws `Damaged` when the text is not well-formed. */
export function rootOf(text: string): Element {
  return parsed(text).documentElement;
}

/** The child elements, of this name or of any. */
export function children(parent: Element, name?: string): Element[] {
  const found: Element[] = [];
  for (let each = parent.firstElementChild; each; each = each.nextElementSibling) {
    if (name === undefined || each.localName === name) found.push(each);
  }
  return found;
}

/** The first of them. */
export function child(parent: Element | undefined, name: string): Element | undefined {
  let each = parent?.firstElementChild;
  while (each && each.localName !== name) each = each.nextElementSibling;
  return each ?? undefined;
}

/** All elements of this name at any depth. */
export function descendants(parent: Element, name: string): Element[] {
  return [...parent.getElementsByTagNameNS('*', name)];
}

/** The trimmed text of the child element of this name; empty when there is none. */
export function textBelow(parent: Element | undefined, name: string): string {
  return child(parent, name)?.textContent.trim() ?? '';
}
