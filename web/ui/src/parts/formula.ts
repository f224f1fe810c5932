// Formulas in the text of a question: `$…$` in the notation of TeX. Finds them, and sets them as MathML; what sets them is loaded
// when the first text has one. Used by Wording. What is no formula stays as it is, prices included.

/** A piece of a text. */
export interface Piece {
  readonly kind: 'text' | 'formula';
  readonly text: string;
}

/**
 * The dollar before a formula has no space behind it, and the one behind it neither a space before it nor a digit behind it: so
 * “between $5 and $10” has none. A backslash before a dollar makes it an ordinary one.
 */
const FORMULA = /(?<!\\)\$(?=\S)((?:\\[^]|[^\\$])*?(?:\\\S|[^\s\\$]))\$(?!\d)/g;

/** Whether there is a formula in it. */
export const hasFormula = (text: string): boolean => text.includes('$') && new RegExp(FORMULA.source).test(text);

/** The text and its formulas, in order. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (kind: Piece['kind'], piece: string) => {
    if (piece !== '') pieces.push({ kind, text: piece });
  };
  for (const found of text.matchAll(FORMULA)) {
    add('text', text.slice(end, found.index));
    add('formula', found[1] ?? '');
    end = found.index + found[0].length;
  }
  add('text', text.slice(end));
  return pieces;
}

/** Writes the text into the element, its formulas as they are typed at first and set a moment later. */
export function write(element: HTMLElement, text: string): void {
  element.textContent = text;
  void set(piecesOf(text)).then(
    (nodes) => {
      element.replaceChildren(...nodes);
    },
    // It can still be read as it was typed.
    () => undefined,
  );
}

async function set(pieces: readonly Piece[]): Promise<(Node | string)[]> {
  const { default: temml } = await import('temml');
  return pieces.map(({ kind, text }) => {
    if (kind === 'text') return text;
    const place = document.createElement('span');
    try {
      temml.render(text, place, { trust: false, throwOnError: true, maxExpand: 100, maxSize: [20, 20] });
      return place;
    } catch {
      return `$${text}$`;
    }
  });
}
