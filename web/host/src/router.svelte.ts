// Knows which page is open. It owns the History API for the host's page: links, back and forward, and the question whether a page may be
// left. Used by App and by every page of the host with links.

import { HOME, type Route, routeOf } from './routes.ts';

/** Asked before a page is left; `false` keeps it. */
export type Guard = () => boolean | Promise<boolean>;

let path = $state(location.pathname);
let visits = $state(0);
const route = $derived(routeOf(path));
let guard: Guard | null = null;

addEventListener('popstate', () => {
  void arrive(location.pathname, () => {
    // Refused: the address goes back to the page that stays.
    history.pushState(null, '', path);
  });
});

/** The open page. */
export function here(): Route {
  return route;
}

/** Counts the pages that were opened: the same number is the same page, even under another address. */
export function visit(): number {
  return visits;
}

/** Opens another page; resolves to whether the open page may be left. */
export function go(to: string = HOME): Promise<boolean> {
  return arrive(to, () => undefined, () => {
    history.pushState(null, '', to);
  });
}

/** Opens another page in place of this one: back does not return here. */
export function replace(to: string): Promise<boolean> {
  return arrive(to, () => undefined, () => {
    history.replaceState(null, '', to);
  });
}

/** Gives the page that is open another address, as when a new quiz has got its id. */
export function rename(to: string): void {
  history.replaceState(null, '', to);
  path = to;
}

/** Lets a page decide whether it may be left. The returned function has to be called when the page was left. */
export function guardLeaving(ask: Guard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

/** On the root element: plain clicks on links of this page stay in it. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target !== '' || link.hasAttribute('download')) return;
  if (link.origin !== location.origin || link.hash !== '' || routeOf(link.pathname).page === 'missing') return;
  event.preventDefault();
  void go(link.pathname);
}

async function arrive(to: string, refused: () => void, allowed: () => void = () => undefined): Promise<boolean> {
  if (to === path) return true;
  if (guard && !(await guard())) {
    refused();
    return false;
  }
  guard = null;
  allowed();
  path = to;
  visits += 1;
  scrollTo(0, 0);
  return true;
}
