// The way to an identity provider and back. Owns what this tab keeps meanwhile (sessionStorage `quizhall.provider`): the verifier,
// which proves that the browser that comes back is the one that went, and the page that was wanted.

import { HOME, routeOf } from '../routes.ts';

const KEY = 'quizhall.provider';

/** A browser that is back from the provider. */
export interface Return {
  readonly state: string;
  readonly code: string;
  readonly verifier: string;
  /** The page that was wanted. */
  readonly page: string;
}

/** Stores the values needed on return. Throws when this page has no storage, because then the provider cannot be used. */
export function keepDeparture(verifier: string, page: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ verifier, page }));
}

/** The provider's values in the address, with the stored values; null when either is missing. Both are removed. */
export function takeReturn(): Return | null {
  const query = new URLSearchParams(location.search);
  history.replaceState(history.state, '', location.pathname);
  const [state, code] = [query.get('state'), query.get('code')];
  const { verifier, page } = takeDeparture();
  if (state === null || code === null || typeof verifier !== 'string') return null;
  return { state, code, verifier, page: isPage(page) ? page : HOME };
}

function takeDeparture(): { verifier?: unknown; page?: unknown } {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    sessionStorage.removeItem(KEY);
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}

const isPage = (page: unknown): page is string => {
  return typeof page === 'string' && page.startsWith('/') && !['missing', 'signed-in'].includes(routeOf(page).page);
};
