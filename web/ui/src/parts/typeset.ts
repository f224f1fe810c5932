// Sets the formulas of a text as MathML, with a font of the page's own. Loaded by Wording with the library, when a text has a formula.

import temml from 'temml';
import font from 'virtual:math-font';

/** As base.css calls it. Until it has come, and where it does not, formulas have a font of the device. */
const FONT = 'Noto Sans Math';

let isFontAsked = false;

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
  askForFont();
  return piecesOf(text, formula).map(({ kind, text: piece }) => {
    if (kind === 'text') return piece;
    const place = document.createElement('span');
    try {
      temml.render(piece, place, { trust: false, throwOnError: true, wrap: 'tex', maxExpand: 100, maxSize: [20, 20] });
      return place;
    } catch {
      return `$${piece}$`;
    }
  });
}

function askForFont(): void {
  if (isFontAsked) return;
  isFontAsked = true;
  const face = new FontFace(FONT, `url("${font}")`, { display: 'swap' });
  document.fonts.add(face);
  // One that does not come leaves the device's.
  face.load().catch(() => undefined);
}
