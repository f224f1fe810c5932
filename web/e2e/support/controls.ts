// How much a page offers at once: a host who runs a game should not have to choose among dozens of controls.

import type { Page } from '@playwright/test';

/** The most controls that the run page shows in any phase, without menus and drawers that are closed. */
export const MOST_CONTROLS = 9;

/**
 * The names of the controls in the page's main part that can be used now. A list of tabs is one control, as it is one stop for the Tab key;
 * the answers on the marking desk are the work itself, as many as players gave, and are not counted.
 */
export async function controlsOf(page: Page): Promise<readonly string[]> {
  return page.getByRole('main').evaluate((main) => {
    const all = main.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]');
    const isOut = 'dialog, [data-menu], [inert], [aria-hidden=true], [role=tabpanel] li';
    return [...all]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(':disabled') && each.tabIndex >= 0 && !each.closest(isOut))
      .map((each) => each.getAttribute('aria-label') ?? each.textContent.trim().replace(/\s+/g, ' '));
  });
}
