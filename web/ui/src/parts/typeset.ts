// Sets the formulas of a text as MathML. Loaded by Wording with the library, when a text has a formula.

import temml from 'temml';

/** A piece of a text. */
export interface Piece {
  readonly kind: 'text' | 'formula';
  readonly text: string;
}

/** The text and its formulas, in order. */
export function piecesOf(text: string, formula: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (kind: Piece['kind'], piece: string) => {
    if (piece !== '') pieces.push({ kind, text: piece });
  };
  for (const found of text.matchAll(formula)) {
    add('text', text.slice(end, found.index));
    add('formula', found[1] ?? '');
    end = found.index + found[0].length;
  }
  add('text', text.slice(end));
  return pieces;
}

/** The text as nodes, its formulas set; one that cannot be set stays as it was typed. */
export function typeset(text: string, formula: RegExp): (Node | string)[] {
  return piecesOf(text, formula).map(({ kind, text: piece }) => {
    if (kind === 'text') return piece;
    const place = document.createElement('span');
    try {
      temml.render(piece, place, { trust: false, throwOnError: true, maxExpand: 100, maxSize: [20, 20] });
      return place;
    } catch {
      return `$${piece}$`;
    }
  });
}
