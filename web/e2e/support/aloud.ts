// What a screen reader would announce: the texts of live regions as they change, and the headings that get the focus, in order.

import type { BrowserContext, Page } from '@playwright/test';

/** Records from the next load of a page on. */
export async function listen(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const said: string[] = [];
    Object.assign(globalThis, { aloud: said });
    const regions = new WeakMap<Element, string>();
    const LIVE = '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"]';
    const look = () => {
      for (const region of document.querySelectorAll(LIVE)) {
        const text = (region.textContent ?? '').replace(/\s+/g, ' ').trim();
        // A region that is added together with its text is often not announced.
        const isNew = !regions.has(region);
        if (!isNew && text !== '' && regions.get(region) !== text) said.push(text);
        regions.set(region, text);
      }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLHeadingElement) said.push(`# ${(target.textContent ?? '').replace(/\s+/g, ' ').trim()}`);
    });
  });
}

/** The announcements so far. */
export function aloud(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { aloud: string[] }).aloud);
}
