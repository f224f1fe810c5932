// Raised and lowered signs as Unicode has them. Used by markup.ts and mathline.ts. Pure.

const PLAIN_SIGNS = '0123456789+-=()n';
const RAISED = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ', sub: '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ' } as const;

/** Signs that exist raised or lowered in Unicode; other signs get `^` or `_` in front. */
export function raised(text: string, way: keyof typeof RAISED): string {
  const signs = Array.from(text.trim().replaceAll('−', '-'));
  const all = [...RAISED[way]];
  if (signs.every((sign) => PLAIN_SIGNS.includes(sign))) return signs.map((sign) => all[PLAIN_SIGNS.indexOf(sign)] ?? sign).join('');
  // 4th, 1er.
  if (way === 'sup' && /^\p{L}{2,3}$/u.test(signs.join(''))) return signs.join('');
  const mark = way === 'sup' ? '^' : '_';
  return signs.length === 1 ? mark + signs.join('') : `${mark}(${signs.join('')})`;
}
