// Formulas in the text of a question: `$…$` in the notation of TeX. Finds them; typeset.ts, which is loaded when the first text has
// one, sets them. Used by Wording. Other text stays as it is, prices included.

/**
 * The opening dollar of a formula has no space after it; the closing one has no space before it and no digit after it: so
 * “between $5 and $10” has no formula. A dollar inside is written with a backslash before it.
 */
export const FORMULA = /\$(?=\S)((?:\\[^]|[^\\$])*?(?:\\\S|[^\s\\$]))\$(?!\d)/g;

/** Whether there is a formula in it. */
export const hasFormula = (text: string): boolean => text.search(FORMULA) >= 0;
