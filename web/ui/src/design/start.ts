// Starts a page: its theme, and the page in place of what its HTML shows until then. Used by the main.ts of each page.

import { type Component, mount } from 'svelte';

import { applyTheme } from './theme.ts';

/** Shows this page. The initial HTML is removed last: a page that cannot start leaves it to public/start.js. */
export function start(page: Component): void {
  applyTheme();
  const target = document.getElementById('app');
  if (!target) return;
  const first = target.firstElementChild;
  mount(page, { target });
  first?.remove();
}
