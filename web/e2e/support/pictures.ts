// The pictures of docs/tour.md. Each takes up to half a second of a core, so only `make tour` takes them.

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Page } from '@playwright/test';

import { isAccessible } from './checks.ts';

export { keepPicture } from './kept.ts';

/** Where the kept pictures are. */
export const KEPT = resolve(import.meta.dirname, '../../../docs/pictures');

/** Remembers the names of the pictures, and takes them where QUIZHALL_TOUR is `keep`. */
export class Camera {
  readonly taken: string[] = [];

  /** A picture of what the page shows now. */
  async take(page: Page, name: string): Promise<void> {
    this.taken.push(name);
    if (process.env.QUIZHALL_TOUR !== 'keep') return;
    await mkdir(KEPT, { recursive: true });
    await page.evaluate(() => document.fonts.ready);
    // Nothing has the colours that it has below the pointer. A screen would show its buttons.
    if (!page.url().includes('/screen')) await page.mouse.move(0, 0);
    await page.screenshot({ path: join(KEPT, `${name}.png`), animations: 'disabled', caret: 'hide' });
  }

  /** The same in dark, in which the page must be accessible as well; then switches back. */
  async takeDark(page: Page, name: string): Promise<void> {
    await page.emulateMedia({ colorScheme: 'dark' });
    await isAccessible(page, `${name}, dark`);
    await this.take(page, `${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
}
