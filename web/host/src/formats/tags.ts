// Finds each `<` of a text that begins markup. Quizzes about programming contain `<iostream>`, `List<String>` and `a<b`, which an HTML
// parser would remove. Called before parsing. Pure.

import { Damaged } from './damaged.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Elements that need no end tag; the first ones have a meaning even without attributes. */
const ALONE = words('br hr wbr');
const WITH_ATTRIBUTES = words('area col embed img input param source track');
/** Elements whose start or end tag may be omitted. */
const LOOSE = words('body dd dt head html li option p tbody td tfoot th thead tr');
/** Elements with a start and an end tag. */
const PAIRED = words(
  'a abbr acronym address article aside audio b bdi bdo big blockquote button canvas caption center cite code colgroup del details ' +
    'dfn div dl em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label legend main ' +
    'map mark nav nobr noscript object ol optgroup output picture pre q rb rp rt ruby s samp script section select small span ' +
    'strike strong style sub summary sup svg table template textarea time title tt u ul var video',
);
/** Elements of a formula or a drawing, which have no meaning outside of one. */
const WITHIN: readonly (readonly [outside: string, names: ReadonlySet<string>])[] = [
  [
    '<math',
    words(
      'math mrow mi mn mo ms mtext mspace mfrac msup msub msubsup munder mover munderover msqrt mroot mtable mtr mtd mlabeledtr mfenced ' +
        'menclose mstyle mpadded mphantom merror semantics annotation annotation-xml maction mmultiscripts mprescripts none',
    ),
  ],
  ['<svg', words('circle clippath defs desc ellipse g image line lineargradient path polygon polyline radialgradient rect stop text tspan use')],
];

/** A tag in HTML: attributes have values, except those whose presence is their meaning. */
const TAG =
  /^<(\/?)([a-z][\w:-]*)((?:\s+(?:[\w:@.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)|allowfullscreen|async|autoplay|controls|checked|defer|disabled|hidden|loop|muted|nowrap|playsinline|reversed|selected))*)\s*\/?>/i;
/** The longest tag. Only a tag that contains a file is longer, and its attributes are in quotes. */
const LONGEST = 4_096;

/** The greatest depth of nested elements: no page has more, and browsers take long for deeper ones. */
export const DEEPEST = 200;

/** The text with `&lt;` for each `<` that begins no markup. Throws `Damaged` where elements are too deep inside each other. */
export function withoutFalseTags(html: string): string {
  if (!html.includes('<')) return html;
  const seen = namesIn(html);
  let depth = 0;
  return html.replace(/<(?=[^])/g, (sign, at: number) => {
    if (!isMarkup(html, at, seen)) return '&lt;';
    const name = /^<\/?([a-z][\w:-]*)/i.exec(html.slice(at, at + 40))?.[1]?.toLowerCase() ?? '';
    const isAlone = ALONE.has(name) || LOOSE.has(name) || WITH_ATTRIBUTES.has(name) || html.charAt(html.indexOf('>', at) - 1) === '/';
    if (name !== '' && !isAlone) depth = Math.max(0, depth + (html.charAt(at + 1) === '/' ? -1 : 1));
    if (depth > DEEPEST) throw new Damaged();
    return sign;
  });
}

interface Seen {
  readonly begun: ReadonlySet<string>;
  readonly ended: ReadonlySet<string>;
  readonly outside: readonly string[];
  /** The end of the last comment. */
  readonly lastComment: number;
}

function namesIn(html: string): Seen {
  const lower = html.toLowerCase();
  return {
    begun: new Set(Array.from(lower.matchAll(/<([a-z][\w:-]*)/g), ([, name = '']) => name)),
    ended: new Set(Array.from(lower.matchAll(/<\/([a-z][\w:-]*)/g), ([, name = '']) => name)),
    outside: WITHIN.map(([begin]) => begin).filter((begin) => lower.includes(begin)),
    lastComment: lower.lastIndexOf('-->'),
  };
}

function isMarkup(html: string, at: number, seen: Seen): boolean {
  if (html.startsWith('<!--', at)) return seen.lastComment >= at + 4;
  if (/^<(?:!doctype|\?xml)[^<>]*>/i.test(html.slice(at, at + LONGEST))) return true;
  const [whole, end, written = '', attributes = ''] = tagAt(html, at) ?? [];
  if (whole === undefined) return false;
  const name = written.toLowerCase();
  if (ALONE.has(name) || LOOSE.has(name)) return true;
  if (WITH_ATTRIBUTES.has(name)) return attributes !== '';
  const isPrefixed = /^[a-z][a-z0-9]*:[a-z][\w-]*$/.test(name);
  const isKnown = PAIRED.has(name) || isPrefixed || WITHIN.some(([outside, names]) => seen.outside.includes(outside) && names.has(name));
  if (!isKnown) return false;
  if (end === '/') return seen.begun.has(name);
  // A program that wrote attributes meant an element, even if its end is missing.
  return seen.ended.has(name) || whole.endsWith('/>') || (attributes !== '' && !isPrefixed);
}

function tagAt(html: string, at: number): RegExpExecArray | null {
  const short = TAG.exec(html.slice(at, at + LONGEST));
  if (short !== null || !/^<(?:img|source|audio|video|object|embed|image|a)\s/i.test(html.slice(at, at + 10))) return short;
  const next = html.indexOf('<', at + 1);
  return TAG.exec(html.slice(at, next < 0 ? html.length : next));
}

/** Tags without styles: browsers report each style as a violation of the page's policy, even where nothing is shown. */
export function unstyled(markup: string): string {
  return markup.replace(/<\/?[a-z][^<>]*>/gi, (tag) => {
    return tag.replace(/(?<=\s)style(?=\s*=)/gi, 'data-style').replace(/^(<\/?)style(?=[\s/>])/i, '$1template');
  });
}
