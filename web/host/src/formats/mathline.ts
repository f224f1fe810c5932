// Writes MathML as a line of plain text: `1/2 + 2¹⁰`, `√(x+1)`. Only where the line contains everything that the formula does. Used by
// formulas.ts.

import { raised } from './raised.ts';

/** Elements that only contain others. */
const ROWS = new Set(['math', 'mrow', 'mstyle', 'mpadded', 'merror']);
const LEAVES = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
/** The greatest depth, more than any formula of a quiz has. */
const DEEPEST = 60;

/** The line; null when a part of the formula cannot be shown in a line. */
export function lineOfMath(element: Element): string | null {
  const line = lineOf(element, 0);
  return line === null ? null : line.replace(/\s+/g, ' ').trim() || null;
}

function lineOf(element: Element, depth: number): string | null {
  if (depth > DEEPEST) return null;
  const name = element.localName.toLowerCase();
  if (LEAVES.has(name)) return leaf(element);
  if (name === 'mspace') return ' ';
  const own = [...element.children];
  const parts = (name === 'semantics' ? own.slice(0, 1) : own).map((child) => lineOf(child, depth + 1));
  if (!parts.every((part) => part !== null)) return null;
  if (ROWS.has(name) || name === 'semantics' || (name === 'msqrt' && parts.length === 0)) {
    const isBare = own.length === 0 && element.textContent.trim() !== '';
    return isBare ? null : parts.join('');
  }
  return shaped(name, parts, element);
}

function shaped(name: string, parts: readonly string[], element: Element): string | null {
  const [first = '', second = '', third = ''] = parts.map((part) => part.trim());
  if (name === 'msqrt') return `√${grouped(parts.join('').trim())}`;
  if (name === 'mfenced') {
    const attribute = (key: string, usual: string): string => element.getAttribute(key) ?? usual;
    return attribute('open', '(') + parts.join(attribute('separators', ',')) + attribute('close', ')');
  }
  if (parts.length === 2) {
    if (name === 'mfrac') return element.getAttribute('linethickness') === '0' ? null : `${grouped(first)}/${grouped(second)}`;
    if (name === 'msup') return grouped(first) + raised(second, 'sup');
    if (name === 'msub') return grouped(first) + raised(second, 'sub');
    if (name === 'mroot') return `${raised(second, 'sup')}√${grouped(first)}`;
  }
  if (parts.length === 3 && name === 'msubsup') return grouped(first) + raised(second, 'sub') + raised(third, 'sup');
  return null;
}

/** Adds brackets where it is more than one sign, word or number. */
function grouped(line: string): string {
  return /^(?:[\p{L}\p{N}.,]+|.|\([^()]*\)|√[\p{L}\p{N}.,]+)$/u.test(line) ? line : `(${line})`;
}

function leaf(element: Element): string {
  const text = element.textContent.replace(/\s+/g, ' ');
  return (element.localName === 'mtext' ? text : text.trim()).replace(/[\u2061-\u2064]/g, '');
}

/** The formula in the form that the library reads: without prefixes, and only with the parts that affect its meaning. */
export function mathWithout(element: Element, depth = 0): string {
  if (depth > DEEPEST) throw new RangeError('too deep');
  const name = element.localName.toLowerCase();
  const kept = ['open', 'close', 'separators', 'linethickness', 'notation'].flatMap((key) => {
    const value = element.getAttribute(key);
    return value === null ? [] : [` ${key}="${escaped(value)}"`];
  });
  const inside = [...element.children].filter(({ localName }) => !/^annotation/.test(localName)).map((child) => mathWithout(child, depth + 1));
  const content = element.children.length > 0 ? inside.join('') : escaped(element.textContent.trim());
  return `<${name}${kept.join('')}>${content}</${name}>`;
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
