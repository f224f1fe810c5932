// Pictures of what tests look at. Each takes up to half a second of a core, so they are taken only with QUIZHALL_PICTURES=keep.

import { type Page, test } from '@playwright/test';

/** Takes a picture of the whole page into the results of this test, where QUIZHALL_PICTURES is `keep`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.QUIZHALL_PICTURES !== 'keep') return;
  await page.screenshot({ path: test.info().outputPath(`${name.replaceAll(/\W+/g, '-')}.png`), fullPage: true });
}
