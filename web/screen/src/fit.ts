// Makes text as large as its box allows: sets `--fit` (1 down to `least`) on an element with a bounded height, whose
// font sizes are multiplied by it. Measures again when the box or `watch` changes.

import type { Attachment } from 'svelte/attachments';

/** Finer steps than this cannot be seen from the back of a room. */
const STEPS = 7;

/** `watch` reads what the contents depend on. */
export function fit(least: number, watch: () => unknown): Attachment<HTMLElement> {
  return (element) => {
    watch();
    const again = (): void => {
      settle(element, least);
    };
    again();
    const box = new ResizeObserver(again);
    box.observe(element);
    void document.fonts.ready.then(again);
    return () => {
      box.disconnect();
    };
  };
}

function settle(element: HTMLElement, least: number): void {
  const fits = (factor: number): boolean => {
    element.style.setProperty('--fit', factor.toFixed(3));
    return element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth + 1;
  };
  if (fits(1)) return;
  let [low, high] = [least, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
}
