// A state of a page at every width, and with text of twice the size: accessible, sound, and a picture of each.

import type { Page } from '@playwright/test';

import { isAccessible, isNotTooWide } from './checks.ts';
import { keepPicture } from './pictures.ts';

const WIDTHS = [1440, 1024, 768, 390, 320];
/** Accessibility and text of twice the size are tried at these; between them only the layout is read. */
const OUTERMOST = [1440, 320];

/** Accessible at the widest and the narrowest of these widths, and sound at all of them and with text of twice the size. Below an open menu
 * axe sees halves of buttons, so only the layout is read there. */
export async function holdsAtEveryWidth(page: Page, state: string, check = isAccessible): Promise<void> {
  const name = state.replaceAll(/\W+/g, '-');
  for (const size of ['100%', '200%']) {
    await page.evaluate((each) => {
      document.documentElement.style.fontSize = each;
    }, size);
    for (const width of size === '100%' ? WIDTHS : OUTERMOST) {
      await page.setViewportSize({ width, height: 900 });
      await (OUTERMOST.includes(width) ? check : isNotTooWide)(page, `${state} at ${String(width)} px, text of ${size}`);
      await keepPicture(page, `${name}-${String(width)}-${size}`);
    }
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  await page.setViewportSize({ width: 1440, height: 900 });
}
