// A state of a page at every width, and with text of twice the size: accessible, sound, and a picture of each.

import type { Page } from '@playwright/test';

import { isAccessible } from './checks.ts';
import { keepPicture } from './pictures.ts';

const WIDTHS = [1440, 1024, 768, 390, 320];

/** Accessible and sound at each of these widths, and with text of twice the size. Below an open menu axe sees halves of buttons, so only the layout
 * is read there. */
export async function holdsAtEveryWidth(page: Page, state: string, check = isAccessible, widths: readonly number[] = WIDTHS): Promise<void> {
  const name = state.replaceAll(/\W+/g, '-');
  for (const size of ['100%', '200%']) {
    await page.evaluate((each) => {
      document.documentElement.style.fontSize = each;
    }, size);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await check(page, `${state} at ${String(width)} px, text of ${size}`);
      await keepPicture(page, `${name}-${String(width)}-${size}`);
    }
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  await page.setViewportSize({ width: 1440, height: 900 });
}
