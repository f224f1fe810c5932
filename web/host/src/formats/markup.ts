// Plain text out of HTML, as quizzes of other programs have it: lines where the markup breaks them, raised digits as such,
// and a count of the pictures that are lost. Used by the readers of Moodle, GIFT, QTI and Open Trivia files.

/** A text, and how many pictures, sounds and films it had. */
export interface Plain {
  readonly text: string;
  readonly media: number;
}

/** Marks the place of the answer inside a sentence. */
export const GAP = '_____';

const MEDIA = new Set(['img', 'picture', 'svg', 'object', 'embed', 'iframe', 'audio', 'video', 'canvas', 'map']);
const SILENT = new Set(['script', 'style', 'template', 'head', 'title', 'noscript']);
const BLOCKS = new Set(
  'address article blockquote dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(' '),
);

const PLAIN_SIGNS = '0123456789+-=()n';
const RAISED = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ', sub: '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ' } as const;

/** The text of an HTML fragment. */
export function plainOfHtml(html: string): Plain {
  if (!/[<&]/.test(html)) return { text: html.replace(/\s+/g, ' ').trim(), media: 0 };
  return plainOfNode(new DOMParser().parseFromString(unstyled(html), 'text/html').body);
}

/** Tags without styles: browsers report each of them as against the policy of the page, also where nothing is shown. */
export function unstyled(markup: string): string {
  return markup.replace(/<\/?[a-z][^<>]*>/gi, (tag) => {
    return tag.replace(/(?<=\s)style(?=\s*=)/gi, 'data-style').replace(/^(<\/?)style(?=[\s/>])/i, '$1template');
  });
}

/** The text of a text that may have markup in it: line breaks are kept, and signs of HTML are read where there are some. */
export function plainOfMixed(text: string): Plain {
  if (!/<[a-z/!][^<]*>|&(?:[a-z]+|#\w+);/i.test(text)) return { text: text.trim(), media: 0 };
  return plainOfHtml(text.trim().replace(/\r?\n/g, '<br>'));
}

/** The text below a node. `replace` gives what stands for an element; undefined for its own text. */
export function plainOfNode(node: Node, replace: (element: Element) => string | undefined = () => undefined): Plain {
  const walk = new Walk(replace);
  walk.below(node);
  return walk.result();
}

class Walk {
  readonly #replace: (element: Element) => string | undefined;
  #text = '';
  #media = 0;

  constructor(replace: (element: Element) => string | undefined) {
    this.#replace = replace;
  }

  below(node: Node): void {
    for (const child of node.childNodes) {
      if (child.nodeType === 3 || child.nodeType === 4) this.#text += (child.nodeValue ?? '').replace(/[ \t\r\n\f]+/g, ' ');
      else if (child.nodeType === 1) this.#element(child as Element);
    }
  }

  result(): Plain {
    const lines = this.#text.split('\n').map((line) => line.replace(/ {2,}/g, ' ').trim());
    return { text: lines.join('\n').replace(/\n{3,}/g, '\n\n').trim(), media: this.#media };
  }

  #element(element: Element): void {
    const name = element.localName.toLowerCase();
    const other = this.#replace(element);
    if (other !== undefined) this.#text += other;
    else if (MEDIA.has(name)) this.#media += 1;
    else if (name === 'br') this.#text += '\n';
    else if (name === 'sup' || name === 'sub') this.#text += raised(element.textContent, name);
    else if (BLOCKS.has(name)) this.#block(element);
    else if (!SILENT.has(name)) this.below(element);
    if (name === 'td' || name === 'th') this.#text += ' ';
  }

  #block(element: Element): void {
    if (!/\n\s*$/.test(this.#text)) this.#text += '\n';
    this.below(element);
    this.#text += '\n';
  }
}

/** Signs that Unicode has raised or lowered as such; others behind `^` or `_`. */
function raised(text: string, way: keyof typeof RAISED): string {
  const signs = Array.from(text.trim().replaceAll('−', '-'));
  const all = [...RAISED[way]];
  if (signs.every((sign) => PLAIN_SIGNS.includes(sign))) return signs.map((sign) => all[PLAIN_SIGNS.indexOf(sign)] ?? sign).join('');
  // 4th, 1er.
  if (way === 'sup' && /^\p{L}{2,3}$/u.test(signs.join(''))) return signs.join('');
  const mark = way === 'sup' ? '^' : '_';
  return signs.length === 1 ? mark + signs.join('') : `${mark}(${signs.join('')})`;
}
