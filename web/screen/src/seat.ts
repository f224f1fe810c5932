// What the fragment of the address says: the game and the token of this screen, or the game whose host's page gives it one. Pure.

/** Where this screen belongs. */
export type Place =
  | { readonly kind: 'none' }
  /** A window that the page of this game has opened. */
  | { readonly kind: 'asks'; readonly gameId: string }
  /** `origin`: where players join, if not where this page is from. */
  | { readonly kind: 'seat'; readonly gameCode: string; readonly token: string; readonly origin: string | null };

/** Reads a fragment, without the `#`. */
export function placeOf(fragment: string): Place {
  if (fragment === '') return { kind: 'none' };
  const [gameCode = '', token, origin] = fragment.split('/');
  if (token === undefined) return { kind: 'asks', gameId: gameCode };
  return { kind: 'seat', gameCode, token, origin: origin === undefined ? null : decodeURIComponent(origin) };
}

/** The fragment of a link of the server on a page of this origin. */
export function fragmentOf(link: string, here: string): string {
  const url = new URL(link);
  const fragment = url.hash.slice(1);
  return url.origin === here ? fragment : `${fragment}/${encodeURIComponent(url.origin)}`;
}
