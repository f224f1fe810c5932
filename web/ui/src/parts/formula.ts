// Formulas in the text of a question: `$…$` in the notation of TeX. Finds them; typeset.ts, which is loaded when the first text has
// one, sets them. Used by Wording. What is no formula stays as it is, prices included.

/**
 * The dollar before a formula has no space behind it, and the one behind it neither a space before it nor a digit behind it: so
 * “between $5 and $10” has none. A dollar within is written with a backslash before it.
 */
export const FORMULA = /\$(?=\S)((?:\\[^]|[^\\$])*?(?:\\\S|[^\s\\$]))\$(?!\d)/g;

/** Whether there is a formula in it. */
export const hasFormula = (text: string): boolean => text.search(FORMULA) >= 0;
