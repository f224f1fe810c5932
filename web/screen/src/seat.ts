// The contents of the address: the game and the token of this screen, the game whose host page gives it a token, or the game to watch; and
// whether it is an overlay. Pure.

/** The purpose of this screen. */
export type Place =
  | { readonly kind: 'none' }
  /** A window that the page of this game has opened. */
  | { readonly kind: 'asks'; readonly gameId: string }
  /** The page of the spectators of this game. */
  | { readonly kind: 'watches'; readonly gameCode: string }
  /** `origin` is the address where players join, if it differs from that of this page. */
  | { readonly kind: 'seat'; readonly gameCode: string; readonly token: string; readonly origin: string | null };

/** Reads the path and the fragment, without the `#`. */
export function placeOf(fragment: string, path = '/screen'): Place {
  const watched = /^\/watch\/([^/]+)/.exec(path)?.[1];
  if (fragment === '') return watched === undefined ? { kind: 'none' } : { kind: 'watches', gameCode: decodeURIComponent(watched) };
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

const EDGES = ['bottom', 'top', 'left', 'right'] as const;

/** The edge at which the plate lies. */
export type Edge = (typeof EDGES)[number];

/** The edge that an address asks for; null when it asks for no overlay. */
export function edgeIn(search: string): Edge | null {
  const asked = new URLSearchParams(search).get('overlay');
  return asked === null ? null : (EDGES.find((edge) => edge === asked) ?? 'bottom');
}
