// The pictures of docs/tour.md, which the tour's test takes every time and keeps only for `make tour`, and those of other tests, which
// are taken when one wants to look at them.

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { type Page, test } from '@playwright/test';

import { isAccessible } from './checks.ts';

/** Where the kept pictures are. */
export const KEPT = resolve(import.meta.dirname, '../../../docs/pictures');

/** Takes a picture of the whole page into the results of this test, where QUIZHALL_PICTURES is `keep`. A picture takes up to half a second. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.QUIZHALL_PICTURES === 'keep') await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true });
}

/** Takes pictures and remembers their names. */
export class Camera {
  readonly taken: string[] = [];
  readonly #folder: string;

  constructor(results: string) {
    this.#folder = process.env.QUIZHALL_TOUR === 'keep' ? KEPT : results;
  }

  /** Takes a picture of what the page shows now. */
  async take(page: Page, name: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await page.evaluate(() => document.fonts.ready);
    // Nothing has the colours that it has below the pointer. A screen would show its buttons.
    if (!page.url().includes('/screen')) await page.mouse.move(0, 0);
    await page.screenshot({ path: join(this.#folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
    this.taken.push(name);
  }

  /** The same in dark, in which the page must be accessible as well; then switches back. */
  async takeDark(page: Page, name: string): Promise<void> {
    await page.emulateMedia({ colorScheme: 'dark' });
    await isAccessible(page, `${name}, dark`);
    await this.take(page, `${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
}
