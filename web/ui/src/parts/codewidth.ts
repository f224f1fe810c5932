// The width of a game code, so that a part that shows it in large type can choose a size at which the widest code fits. Pure; used by the
// host's page and the screen. Uses the display face at the weight of GameCode.svelte.

/** Advance widths in ems, rounded up; characters that are not listed are narrower than a letter. */
const WIDE: Readonly<Record<string, number>> = { W: 1.03, M: 0.96, N: 0.79 };
const LETTER = 0.75;
const DIGIT = 0.64;
const SPACING = 0.06;
const GAP = 0.28;

/** The width in ems of a code, its gaps included; never less than it is. */
export function codeEms(code: string): number {
  const symbols = [...code];
  const widths = symbols.map((symbol) => WIDE[symbol] ?? (/\d/.test(symbol) ? DIGIT : LETTER));
  const gaps = Math.max(0, Math.ceil(symbols.length / 3) - 1);
  return widths.reduce((sum, width) => sum + width + SPACING, gaps * GAP);
}
