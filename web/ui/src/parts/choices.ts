// The letter, shape and colour of a choice: the same on the phone, the host page and the screen. Drawn by ChoiceMark.

/** A shape of the first six choices; later ones share the disc and differ by letter. */
export type ChoiceShape = 'triangle' | 'circle' | 'square' | 'diamond' | 'pentagon' | 'cross' | 'disc';

const SHAPES: readonly ChoiceShape[] = ['triangle', 'circle', 'square', 'diamond', 'pentagon', 'cross'];

/** A, B, C … Z, AA, AB … for the choice at `index`, from 0. */
export function choiceLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : choiceLetter(Math.floor(index / 26) - 1) + last;
}

/** The shape of the choice at `index`, from 0. */
export function choiceShape(index: number): ChoiceShape {
  return SHAPES[index] ?? 'disc';
}
