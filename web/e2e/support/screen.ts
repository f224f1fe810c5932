// The big screen: the window that the host's page opens. What a hall sees of it.

import { expect, type Page } from '@playwright/test';

import type { Host } from './host.ts';

export const PROJECTOR = { width: 1920, height: 1080 } as const;
/** A browser profile of a screen's own. Without motion, as those of hosts and phones: axe would read the colours of a fade. */
export const PROFILE = { viewport: PROJECTOR, reducedMotion: 'reduce' } as const;

/** The screen of one host. */
export class Screen {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens it as the host does. */
  static async from(host: Host): Promise<Screen> {
    // The page has no opener, so it is no popup of the host's.
    const opened = host.context.waitForEvent('page');
    await host.page.getByRole('link', { name: 'Open the screen' }).click();
    const page = await opened;
    await page.setViewportSize(PROJECTOR);
    // A page behind another one draws rarely; in a hall they are two windows side by side.
    await host.page.bringToFront();
    return new Screen(page);
  }

  async sees(text: string | RegExp): Promise<void> {
    await expect(this.page.getByText(text).first()).toBeVisible();
  }

  /** Everything that is written on it now. */
  async text(): Promise<string> {
    return this.page.locator('body').innerText();
  }
}
