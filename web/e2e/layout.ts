// What a sound layout is, at every width and size of text, read from the page as it is drawn. checks.ts asks it of every page that
// a test visits; layout.spec.ts has a page that breaks each rule.

import { expect, type Page } from '@playwright/test';

/** In pixels. Below it a text is hard to read at arm's length, and on a screen of 1080 lines across a room. */
const SMALLEST = { page: 12, screen: 24 } as const;
const SCREEN = /^\/(screen|overlay)(\/|$)/;
const SCREEN_LINES = 1080;

interface Sides {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A text that is drawn: the element that sets its font, and the box in which it wraps. */
interface Text {
  text: string;
  font: Element;
  box: Element;
}

/** An element that is clicked or typed into, and the part of it that its ancestors let through. */
interface Operable {
  element: Element;
  box: Sides;
  isLost: boolean;
  isFixed: boolean;
  /** The menu or dialog in which it is, and the bar that stays while the page scrolls: both may cover others. */
  over: readonly (Element | null)[];
}

/** Fails with one line for each fault of the layout. */
export async function hasSoundLayout(page: Page, state: string): Promise<void> {
  expect(await layoutFaults(page), `layout of ${state}`).toEqual([]);
}

/** The faults of what the page shows now, each with its rule and the element. */
export async function layoutFaults(page: Page): Promise<readonly string[]> {
  const lines = page.viewportSize()?.height ?? SCREEN_LINES;
  const isScreen = SCREEN.test(new URL(page.url(), 'http://localhost').pathname);
  const smallest = isScreen ? (SMALLEST.screen * lines) / SCREEN_LINES : SMALLEST.page;
  return page.evaluate<readonly string[]>(`(() => { ${IN_THE_PAGE.join('\n')}\nreturn readFaults(${String(smallest)}); })()`);
}

/* What is below runs in the page, where nothing else of this file is: each function is in IN_THE_PAGE, and so are these two. */

declare const onlyRead: Map<Element, boolean>;
declare const pen: CanvasRenderingContext2D | null;

function readFaults(smallest: number): string[] {
  const scope = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  const texts = readTexts(scope);
  const operable = readOperable(scope);
  return [
    ...readWider(),
    ...texts.filter(isSqueezed).map(({ box }) => `squeezed to ${inside(box).toFixed(0)} px: ${nameOf(box)}`),
    ...texts.filter(({ font }) => sizeOf(font) < smallest - 0.01).map(({ font }) => `text of ${sizeOf(font).toFixed(1)} px: ${nameOf(font)}`),
    ...[...scope.querySelectorAll('*')].filter(isClipped).map((each) => `clipped: ${nameOf(each)}`),
    ...operable.filter(isOutOfReach).map(({ element }) => `out of reach: ${nameOf(element)}`),
    ...overlaps(operable).map(([one, other]) => `overlap: ${nameOf(one)} and ${nameOf(other)}`),
    ...texts.flatMap((text) => splitWords(text).map((word) => `split: “${word}” of ${nameOf(text.box)}`)),
    ...operable.filter(({ element }) => isWordless(element)).map(({ element }) => `without a word: ${nameOf(element)}`),
    ...[...scope.querySelectorAll('ul, ol')].flatMap(readUneven),
    ...readCovered(scope, [...texts.map(({ font }) => font), ...operable.map(({ element }) => element)]),
    ...[...scope.querySelectorAll('[data-menu], [role=menu], :popover-open')]
      .filter(isOutOfWindow)
      .map((menu) => `menu out of the window: ${nameOf(menu)}`),
  ];
}

/** All elements that reach beyond the page, where it can be scrolled sideways. */
function readWider(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const out = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > clientWidth);
  return [`wider than the page, ${String(scrollWidth)} of ${String(clientWidth)} px: ${out.map(nameOf).join(', ')}`];
}

function nameOf(element: Element): string {
  const words = element.getAttribute('aria-label') ?? element.textContent.trim().replace(/\s+/g, ' ');
  const classes = (element.getAttribute('class') ?? '').split(' ').filter((each) => each !== '' && !each.startsWith('svelte-'));
  const part = element.getAttribute('data-part');
  return `${[element.localName, ...classes].join('.')}${part === null ? '' : `[data-part=${part}]`} “${words.slice(0, 40)}”`;
}

function sizeOf(element: Element): number {
  return parseFloat(getComputedStyle(element).fontSize);
}

/** The width that an element has for its text. */
function inside(element: Element): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}

/** What is only read aloud is hidden as well. */
function isHidden(element: Element): boolean {
  return !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isOnlyRead(element);
}

/** Most elements ask for the same ancestors. */
function isOnlyRead(element: Element): boolean {
  const known = onlyRead.get(element);
  if (known !== undefined) return known;
  const { position, clipPath } = getComputedStyle(element);
  let is = position === 'absolute' && clipPath === 'inset(50%)';
  if (position === 'absolute' && !is) {
    const { width, height } = element.getBoundingClientRect();
    is = width <= 1 || height <= 1;
  }
  is ||= element.parentElement !== null && isOnlyRead(element.parentElement);
  onlyRead.set(element, is);
  return is;
}

/** Measures text in the font of this element. */
function penOf(font: Element): CanvasRenderingContext2D | null {
  if (pen) {
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(font);
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  }
  return pen;
}

function meet(one: Sides, other: Sides): Sides {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

/** A pixel more or less is rounding. */
function isArea(box: Sides): boolean {
  return box.right - box.left > 1 && box.bottom - box.top > 1;
}

function isWithin(box: Sides, frame: Sides): boolean {
  return box.left >= frame.left - 1 && box.top >= frame.top - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1;
}

/** A field has the text that is written in it. */
function readTexts(scope: Element): Text[] {
  const texts: Text[] = [];
  const nodes = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const text = (nodes.currentNode.textContent ?? '').trim();
    const font = nodes.currentNode.parentElement;
    if (text === '' || !font || font.closest('script, style, math, svg, option, textarea, sub, sup') || isHidden(font)) continue;
    let box = font;
    // An inline element has no width of its own.
    while (box.clientWidth === 0 && box.parentElement) box = box.parentElement;
    texts.push({ text, font, box });
  }
  const WRITTEN = 'textarea, input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file], [type=hidden])';
  for (const field of scope.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(WRITTEN))
    if (!isHidden(field)) texts.push({ text: field.value || field.placeholder, font: field, box: field });
  return texts;
}

/** Narrower than three characters although it is longer, in a row of which the other elements take over 40 %. */
function isSqueezed({ text, font, box }: Text): boolean {
  if ([...text].length <= 3) return false;
  const has = inside(box);
  // No digit is wider than its font is high.
  if (has >= 3 * sizeOf(font)) return false;
  const pen = penOf(font);
  if (!pen) return false;
  if (has >= pen.measureText('000').width || pen.measureText(text).width <= has + 1) return false;
  for (let each = box; each.parentElement; each = each.parentElement) {
    const row = each.parentElement;
    const own = each.getBoundingClientRect();
    const beside = [...row.children]
      .filter((other) => other !== each)
      .map((other) => other.getBoundingClientRect())
      .filter(({ width, top, bottom }) => isArea({ left: 0, right: width, top: Math.max(top, own.top), bottom: Math.min(bottom, own.bottom) }));
    if (beside.reduce((sum, { width }) => sum + width, 0) > row.clientWidth * 0.4) return true;
  }
  return false;
}

function isClipped(element: Element): boolean {
  if (element.clientWidth === 0 || element.scrollWidth <= element.clientWidth + 1) return false;
  if (element.closest('[data-clips], input, textarea, select, svg, math') || isHidden(element)) return false;
  return /hidden|clip/.test(getComputedStyle(element).overflowX);
}

function readOperable(scope: Element): Operable[] {
  return [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button], [tabindex="0"]')]
    .filter((each) => !isHidden(each) && !each.closest('[inert], [aria-hidden=true]'))
    // A link into the page that comes into the window with the focus.
    .filter((each) => !(each.matches('a[href^="#"]') && each.getBoundingClientRect().bottom <= 0))
    .map((element) => {
      const bars: Element[] = [];
      for (let each: Element | null = element; each; each = each.parentElement)
        if (/fixed|sticky/.test(getComputedStyle(each).position)) bars.push(each);
      return { element, ...letThrough(element), over: [element.closest('[data-menu], [role=menu], [popover], dialog'), bars[0] ?? null] };
    });
}

/** Lost: an ancestor cuts all of it off and cannot be scrolled to it. */
function letThrough(element: Element): Pick<Operable, 'box' | 'isLost' | 'isFixed'> {
  let box: Sides = element.getBoundingClientRect();
  let isFixed = getComputedStyle(element).position === 'fixed';
  let isLost = false;
  for (let each = element.parentElement; each && !isFixed && each !== document.body; each = each.parentElement) {
    const { overflowX, overflowY, position } = getComputedStyle(each);
    const frame = each.getBoundingClientRect();
    isFixed = position === 'fixed';
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const isBeside = box.right <= frame.left || box.left >= frame.right;
    const isAbove = box.bottom <= frame.top || box.top >= frame.bottom;
    isLost ||= (isBeside && /hidden|clip/.test(overflowX)) || (isAbove && /hidden|clip/.test(overflowY));
    box = meet(box, frame);
  }
  return { box, isLost, isFixed };
}

function isOutOfReach({ box, isLost, isFixed }: Operable): boolean {
  const { clientWidth, scrollWidth, scrollHeight } = document.documentElement;
  const frame = isFixed
    ? { left: 0, top: 0, right: clientWidth, bottom: innerHeight }
    : { left: -scrollX, top: -scrollY, right: scrollWidth - scrollX, bottom: scrollHeight - scrollY };
  return isLost || (isArea(box) && !isWithin(box, frame));
}

function overlaps(all: readonly Operable[]): [Element, Element][] {
  const drawn = all.filter(({ box }) => isArea(box));
  return drawn.flatMap((one, at) =>
    drawn
      .slice(at + 1)
      .filter((other) => isArea(meet(one.box, other.box)) && !one.element.contains(other.element))
      .filter((other) => one.over.every((each, index) => each === other.over[index]))
      .map((other): [Element, Element] => [one.element, other.element]),
  );
}

function isOutOfWindow(menu: Element): boolean {
  const box = menu.getBoundingClientRect();
  return !isHidden(menu) && isArea(box) && !isWithin(box, { left: 0, top: 0, right: document.documentElement.clientWidth, bottom: innerHeight });
}

/** The words that are broken in their middle although half of a line of the page would hold them, or a third of it where text is
 * larger; a text of more than 30 characters is no word but part of a link. */
function splitWords({ text, font, box }: Text): string[] {
  const nodes = [...font.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  const pen = /[\p{L}\p{N}]{4}/u.test(text) ? penOf(font) : null;
  if (!pen) return [];
  const most = document.documentElement.clientWidth / (sizeOf(document.documentElement) > 16 ? 3 : 2);
  return nodes.flatMap((node) =>
    [...(node.textContent ?? '').matchAll(/[\p{L}\p{N}]{4,}/gu)]
      .filter(([word]) => {
        const { width } = pen.measureText(word);
        return word.length <= 30 && width < most && width > inside(box) - 1;
      })
      .filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        return new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top))).size > 1;
      })
      .map(([word]) => word),
  );
}

/** A control without a word that is seen. It has a sign of some size, and says so (data-sign) where it has a word that only this window hides. */
function isWordless(element: Element): boolean {
  if (element.matches('input, select, textarea, [tabindex="0"]:not(a, button, summary, [role=button])')) return false;
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let hides = false;
  while (nodes.nextNode()) {
    const parent = nodes.currentNode.parentElement;
    if (!parent || (nodes.currentNode.textContent ?? '').trim() === '') continue;
    if (!isHidden(parent)) return false;
    hides ||= !parent.closest('.unseen');
  }
  const { width, height } = element.getBoundingClientRect();
  const signs = [...element.querySelectorAll('svg, img')].map((sign) => sign.getBoundingClientRect());
  const isBare = !signs.some((sign) => sign.width >= 12 && sign.height >= 12) || width < 24 || height < 24;
  return isBare || (hides && !element.hasAttribute('data-sign'));
}

/** In rows of one list that are below each other, what is operated has one begin or one end, and bars have both. */
function readUneven(list: Element): string[] {
  const kinds = new Map<string, Element[]>();
  for (const row of list.children) {
    const { left, width } = row.getBoundingClientRect();
    const seen = new Map<string, number>();
    for (const part of row.querySelectorAll('button, a[href], input, select, [role=group], progress, [data-bar]')) {
      if (part.closest('li') !== row || part.closest('[aria-hidden=true]:not([data-bar])') || isHidden(part) || getComputedStyle(part).display === 'inline') continue;
      // A row that is unfolded has a place of its own.
      let kind = `${left.toFixed(0)} ${width.toFixed(0)} ${part.getAttribute('aria-expanded') ?? ''}`;
      for (let each: Element | null = part; each && each !== row; each = each.parentElement) kind += ` ${each.localName}.${each.getAttribute('class') ?? ''}`;
      const at = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, at);
      kinds.set(`${kind} ${String(at)}`, [...(kinds.get(`${kind} ${String(at)}`) ?? []), part]);
    }
  }
  const spread = (places: readonly number[]): number => Math.max(...places) - Math.min(...places);
  return [...kinds.values()].flatMap((parts) => {
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const [begins, ends] = [spread(boxes.map(({ left }) => left)) < 2, spread(boxes.map(({ right }) => right)) < 2];
    const [first] = parts;
    const isEven = first?.matches('progress, [data-bar]') === true ? begins && ends : begins || ends;
    return isEven || !first ? [] : [`not in one column: ${nameOf(first)}`];
  });
}

/** What is below a bar at the lower edge once the page is scrolled to its end, and what a bar inside a dialog covers. */
function readCovered(scope: Element, all: readonly Element[]): string[] {
  const bars = [...scope.querySelectorAll('*')].filter((each) => {
    const { position } = getComputedStyle(each);
    if (!/sticky|fixed/.test(position) || isHidden(each) || !isArea(each.getBoundingClientRect())) return false;
    const { width, bottom, height } = each.getBoundingClientRect();
    if (position === 'sticky') return scope !== document.body;
    return position === 'fixed' && bottom > innerHeight - 1 && width > innerWidth / 2 && height < innerHeight / 2;
  });
  const ahead = scope === document.body ? document.documentElement.scrollHeight - innerHeight - scrollY : 0;
  return bars.flatMap((bar) => {
    const over = bar.getBoundingClientRect();
    const isBelow = (each: Element): boolean => {
      const { box, isFixed } = letThrough(each);
      const end = { ...meet(box, box), top: box.top - ahead, bottom: box.bottom - ahead };
      return (scope !== document.body || !isFixed) && !bar.contains(each) && !each.contains(bar) && isArea(box) && isArea(meet(end, over));
    };
    return [...new Set(all)].filter(isBelow).map((each) => `covered: ${nameOf(each)} by ${nameOf(bar)}`);
  });
}

const IN_THE_PAGE = [
  "const onlyRead = new Map(), pen = document.createElement('canvas').getContext('2d');",
  ...[readFaults, readWider, nameOf, sizeOf, inside, isHidden, isOnlyRead, penOf, meet, isArea, isWithin, readTexts, isSqueezed, isClipped],
  ...[readOperable, letThrough, isOutOfReach, overlaps, isOutOfWindow, splitWords, isWordless, readUneven, readCovered],
].map(String);
