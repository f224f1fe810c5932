// Makes text as large as its box allows: sets `--fit` (from 1 down) on an element with a bounded height, whose font sizes are multiplied by
// it. Then no content exceeds the sides of an element marked `data-bounded`, and `--word` on an element marked `data-word` makes its
// longest word as small as its line; it breaks only below the smallest size. It measures again when the box, its contents, or a font
// changes, because formulas and pictures are drawn after the text.

import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';

/** The number of steps. Finer steps cannot be seen from the back of a room. */
const STEPS = 7;
/** The smallest factor: however much text there is, none of it is left out. */
const LEAST = 0.08;
/** The smallest factor for the longest word. With a smaller one the word breaks. */
const LEAST_WORD = 0.2;

/** The part of a style that is set here. */
type Style = Pick<CSSStyleDeclaration, 'overflowWrap' | 'setProperty' | 'removeProperty'>;

/**
 * `--least` of the stage, the least size of a text, yields only where the whole content would not fit with it, and cannot be scrolled to.
 *
 * Before the text gets smaller than `good`, `giveWay` may remove less important content; it returns whether it did. When nothing is left to
 * remove, the text gets as small as necessary.
 */
export function fit(good = LEAST, giveWay: () => boolean = () => false): Attachment<HTMLElement> {
  return (element) => {
    const again = (): void => {
      if (isSettled(element, good) || !untrack(giveWay)) return;
      void tick().then(again);
    };
    again();
    const box = new ResizeObserver(again);
    box.observe(element);
    const contents = new MutationObserver((changes) => {
      if (!changes.every(isClock)) again();
    });
    contents.observe(element, { childList: true, characterData: true, subtree: true });
    element.addEventListener('load', again, true);
    document.fonts.addEventListener('loadingdone', again);
    return () => {
      box.disconnect();
      contents.disconnect();
      element.removeEventListener('load', again, true);
      document.fonts.removeEventListener('loadingdone', again);
    };
  };
}

/** Whether the change is in a countdown. Its digits have one width, so nothing is measured again. */
function isClock({ target }: MutationRecord): boolean {
  const element = target instanceof Element ? target : target.parentElement;
  return Boolean(element?.closest('[data-seconds]'));
}

/** Sets the factors; false when the one of the text is less than `good`. */
function isSettled(element: HTMLElement, good: number): boolean {
  const boxes = element.querySelectorAll<HTMLElement>('[data-word]');
  for (const { style } of boxes) {
    style.removeProperty('--word');
    style.removeProperty('overflow-wrap');
  }
  const isGood = isSet(element, good);
  for (const box of boxes) keepWords(box);
  return isGood;
}

/** Makes the longest word fit into the width of its box, by the factor `--word`. */
export function keepWords(box: Pick<HTMLElement, 'clientWidth' | 'scrollWidth'> & { readonly style: Style }): void {
  const { style } = box;
  style.overflowWrap = 'normal';
  // What does not shrink, such as a border, takes more than one step.
  for (let word = 1; box.scrollWidth > box.clientWidth + 1; ) {
    word *= (0.98 * box.clientWidth) / box.scrollWidth;
    if (word < LEAST_WORD) {
      style.setProperty('--word', String(LEAST_WORD));
      style.removeProperty('overflow-wrap');
      return;
    }
    style.setProperty('--word', word.toFixed(3));
  }
}

/** Sets the largest factor that fits; false when that is less than `good`. */
function isSet(element: HTMLElement, good: number): boolean {
  // Only the sides are checked, because the letters of a formula extend above and below their line.
  const columns = [element, ...element.querySelectorAll('[data-bounded]')];
  const fits = (factor: number): boolean => {
    element.style.setProperty('--fit', factor.toFixed(3));
    return element.scrollHeight <= element.clientHeight + 1 && columns.every((box) => box.scrollWidth <= box.clientWidth + 1);
  };
  element.style.removeProperty('--least');
  if (fits(1)) return true;
  const isGood = fits(good);
  const isCut = /hidden|clip/.test(getComputedStyle(element).overflow);
  if (!isGood && isCut && !fits(LEAST)) element.style.setProperty('--least', '0px');
  let [low, high] = fits(good) ? [good, 1] : [LEAST, good];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
  return isGood;
}
