// The big screen, as the hall sees it: the window that the host’s page opens, or one that has been opened by its link.

import { expect, type Page } from '@playwright/test';

import type { Host } from './host.ts';

export const PROJECTOR = { width: 1920, height: 1080 } as const;
/** A separate browser profile for a screen. Without animations, as for hosts and phones: axe would read the colours of a fade. */
export const PROFILE = { viewport: PROJECTOR, reducedMotion: 'reduce' } as const;

/** The screen of one game. */
export class Screen {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens it as the host does. */
  static async from(host: Host): Promise<Screen> {
    // The page has no opener, so it is not a popup of the host's page.
    const opened = host.context.waitForEvent('page');
    const link = host.page.getByRole('link', { name: 'Open on this machine' });
    // In the lobby it is on the page; later it is in the drawer of the screens.
    const isInDrawer = !(await link.isVisible());
    if (isInDrawer) await host.open('screens');
    await link.click();
    const page = await opened;
    if (isInDrawer) await host.close();
    await page.setViewportSize(PROJECTOR);
    // A page in the background draws rarely; in a hall, the two windows are side by side.
    await host.page.bringToFront();
    return new Screen(page);
  }

  /** Opens it by its link. */
  static async at(page: Page, link: string): Promise<Screen> {
    await page.goto(link);
    return new Screen(page);
  }

  async sees(text: string | RegExp): Promise<void> {
    await expect(this.page.getByText(text).first()).toBeVisible();
  }

  /** The whole text that is on it now. */
  async text(): Promise<string> {
    return this.page.locator('body').innerText();
  }
}
