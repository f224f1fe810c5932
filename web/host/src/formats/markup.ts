// Converts the HTML of quizzes from other programs to plain text: lines where the markup breaks them, code with its lines and its
// indentation, raised digits, formulas in the app's form, and the pictures and sounds that were shown. Used by the readers of Moodle, GIFT,
// QTI and Open Trivia files.

import { Damaged } from './damaged.ts';
import { ofMath, ofTex, type Use, withFormulas } from './formulas.ts';
import { inOneLanguage, languageOf, markedLanguage } from './languages.ts';
import { raised } from './raised.ts';
import { DEEPEST, unstyled, withoutFalseTags } from './tags.ts';

/** A picture, a sound or another object in a text: its address as written, and its author's description. */
export interface Medium {
  readonly kind: 'picture' | 'sound' | 'other';
  readonly source: string;
  readonly alt: string;
}

/** A text and its other contents. */
export interface Plain {
  readonly text: string;
  readonly media: readonly Medium[];
  /** Formulas that could not be converted. */
  readonly unset: number;
  /** Whether it also exists in other languages. */
  readonly isOneOfSeveral: boolean;
}

/** Marks the place of the answer inside a sentence. */
export const GAP = '_____';

/** What stands for an element; undefined for its own text. */
export type Replace = (element: Element) => string | undefined;

const OTHER_MEDIA = new Set(['svg', 'embed', 'iframe', 'video', 'canvas', 'map', 'applet']);
const SILENT = new Set(['script', 'style', 'template', 'head', 'title', 'noscript', 'rp', 'source', 'track']);
const BLOCKS = new Set(
  'address article blockquote center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(' '),
);
/** Signs that replace white space of code until the end, so that it is not collapsed. They are no characters, and no text contains them. */
const KEPT = { ' ': '\ufdd0', '\n': '\ufdd1', '\t': '\ufdd2' } as const;

/** The text of an HTML fragment. */
export function plainOfHtml(html: string, use: Use = 'asked'): Plain {
  const one = inOneLanguage(html);
  const read = /[<&]/.test(one.text) ? plainOfNode(bodyOf(one.text), use) : plainLine(one.text.replace(/\s+/g, ' '), use);
  return { ...read, isOneOfSeveral: read.isOneOfSeveral || one.isOneOfSeveral };
}

/** The text of a text that may contain markup: line breaks are kept, and HTML is interpreted where it occurs. */
export function plainOfMixed(text: string, use: Use = 'asked'): Plain {
  const trimmed = text.trim();
  const proper = withoutFalseTags(trimmed);
  if (!proper.includes('<') && !/&(?:[a-z]+|#\w+);/i.test(trimmed)) return plainOfText(trimmed, use);
  const read = plainOfHtml(trimmed.replace(/\r?\n/g, '<br>'), use);
  // An answer such as `<br>` has no content as markup: the tag itself is meant.
  return read.text === '' && read.media.length === 0 ? plainOfText(trimmed, use) : read;
}

/** The text of a text without markup. */
export function plainOfText(text: string, use: Use = 'asked'): Plain {
  const one = inOneLanguage(text);
  return { ...plainLine(one.text, use), isOneOfSeveral: one.isOneOfSeveral };
}

/** The text below a node. */
export function plainOfNode(node: Node, use: Use = 'asked', replace: Replace = () => undefined): Plain {
  const walk = new Walk(use, replace, node);
  walk.below(node);
  return walk.result();
}

function plainLine(text: string, use: Use): Plain {
  const read = withFormulas(text, use);
  return { text: read.text.trim(), media: [], unset: read.unset, isOneOfSeveral: false };
}

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(unstyled(withoutFalseTags(html)), 'text/html').body;

/** The language that is read below an element; undefined when there is one text for all. */
function languageBelow(node: Node): string | undefined {
  if (node.nodeType !== 1) return undefined;
  const marked = [...(node as Element).querySelectorAll('.multilang, lang')].flatMap((element) => markedLanguage(element) ?? []);
  return languageOf(marked);
}

class Walk {
  readonly #use: Use;
  readonly #replace: Replace;
  readonly #root: Node;
  /** The language that is read; determined at the first text that exists in several. */
  #language: string | undefined;
  #text = '';
  #media: Medium[] = [];
  #unset = 0;
  #isOneOfSeveral = false;
  #depth = 0;
  /** The treatment of white space: as in HTML, or as written with or without its spaces. */
  #space: 'joined' | 'lines' | 'kept' = 'joined';

  constructor(use: Use, replace: Replace, root: Node) {
    this.#use = use;
    this.#replace = replace;
    this.#root = root;
  }

  below(node: Node): void {
    if (this.#depth > DEEPEST) throw new Damaged();
    this.#depth += 1;
    for (const child of node.childNodes) {
      if (child.nodeType === 4) this.#section(child.nodeValue ?? '');
      else if (child.nodeType === 3) this.#words(child.nodeValue ?? '');
      else if (child.nodeType === 1) this.#element(child as Element);
    }
    this.#depth -= 1;
  }

  result(): Plain {
    const lines = this.#text.split('\n').map(tidied);
    const text = lines.join('\n').replace(/\n{3,}/g, '\n\n').trim();
    const kept = text.replace(/^[\ufdd1\s]+|[\ufdd0-\ufdd2\s]+$/g, '').replaceAll(KEPT[' '], ' ').replaceAll(KEPT['\n'], '\n');
    return { text: kept.replaceAll(KEPT['\t'], '\t'), media: this.#media, unset: this.#unset, isOneOfSeveral: this.#isOneOfSeveral };
  }

  /** Programs put HTML into sections that XML does not interpret. */
  #section(text: string): void {
    if (/<[a-z/!]/i.test(text)) this.below(bodyOf(text));
    else this.#words(text);
  }

  #words(written: string): void {
    const text = written.replace(/[\ufdd0-\ufdd2]/g, '').replace(/\r\n?/g, '\n');
    if (this.#space === 'kept') {
      this.#text += text.replace(/[ \n\t]/g, (sign) => KEPT[sign as keyof typeof KEPT]);
      return;
    }
    const read = withFormulas(text, this.#use);
    this.#unset += read.unset;
    this.#text += this.#space === 'lines' ? read.text.replace(/[ \t\f]+/g, ' ') : read.text.replace(/[ \t\n\f]+/g, ' ');
  }

  #element(element: Element): void {
    const name = element.localName.toLowerCase();
    const other = this.#isOther(element) ? '' : this.#replace(element);
    if (other !== undefined) this.#text += other;
    else if (name === 'math') this.#formula(ofMath(element, this.#use));
    else if (this.#isMedium(element, name)) return;
    else if (name === 'br') this.#text += this.#space === 'kept' ? KEPT['\n'] : '\n';
    else if (name === 'sup' || name === 'sub') this.#text += raised(element.textContent, name);
    else if (BLOCKS.has(name)) this.#block(element, name);
    else if (!SILENT.has(name)) this.#inside(element, name);
    if (name === 'td' || name === 'th') this.#text += ' ';
  }

  #isOther(element: Element): boolean {
    const language = markedLanguage(element);
    if (language === null) return false;
    this.#language ??= languageBelow(this.#root);
    const isOther = language !== this.#language;
    if (isOther) this.#isOneOfSeveral = true;
    return isOther;
  }

  #formula({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }): void {
    if (!isWhole) this.#unset += 1;
    this.#text += text;
  }

  #isMedium(element: Element, name: string): boolean {
    const tex = name === 'img' ? element.getAttribute('data-equation-content') : null;
    const medium = tex === null ? mediumOf(element, name) : undefined;
    if (tex !== null) this.#formula(ofTex(tex, this.#use));
    else if (medium) this.#media.push(medium);
    // A link to a sound has its own text.
    return name !== 'a' && (tex !== null || medium !== undefined);
  }

  #block(element: Element, name: string): void {
    if (!/[\n\ufdd1]\s*$/.test(this.#text)) this.#text += '\n';
    this.#inside(element, name);
    this.#text += '\n';
  }

  #inside(element: Element, name: string): void {
    const before = this.#space;
    const style = /white-space\s*:\s*([a-z-]+)/i.exec(element.getAttribute('data-style') ?? '')?.[1]?.toLowerCase();
    if (name === 'pre' || style === 'pre' || style === 'pre-wrap' || style === 'break-spaces') this.#space = 'kept';
    else if (style === 'pre-line') this.#space = 'lines';
    else if (style === 'normal' || style === 'nowrap') this.#space = 'joined';
    this.below(element);
    this.#space = before;
  }
}

/** The text without surrounding and repeated white space; non-breaking spaces at the beginning indent it. */
function tidied(line: string): string {
  const [, indent = '', rest = ''] = /^[ \u00a0]*?(\u00a0[ \u00a0]+)?([^ \u00a0][^]*)?$/.exec(line) ?? [];
  if (rest === '') return '';
  return KEPT[' '].repeat(indent.length) + rest.replace(/ {2,}/g, ' ').trim();
}

function mediumOf(element: Element, name: string): Medium | undefined {
  const attribute = (key: string): string => element.getAttribute(key)?.trim() ?? '';
  const alt = (attribute('alt') || attribute('title')).replace(/\s+/g, ' ');
  if (name === 'img') return { kind: 'picture', source: attribute('src'), alt };
  if (name === 'picture') {
    const image = element.querySelector('img');
    return image ? mediumOf(image, 'img') : { kind: 'other', source: '', alt };
  }
  if (name === 'audio') return { kind: 'sound', source: attribute('src') || (element.querySelector('source')?.getAttribute('src') ?? ''), alt };
  if (name === 'object') {
    const type = attribute('type');
    const kind = type.startsWith('image/') ? 'picture' : type.startsWith('audio/') ? 'sound' : 'other';
    return { kind, source: attribute('data'), alt: alt || element.textContent.replace(/\s+/g, ' ').trim() };
  }
  if (name === 'a') return /\.(?:mp3|m4a|ogg)(?:[?#]|$)/i.test(attribute('href')) ? { kind: 'sound', source: attribute('href'), alt: '' } : undefined;
  return OTHER_MEDIA.has(name) ? { kind: 'other', source: '', alt } : undefined;
}
