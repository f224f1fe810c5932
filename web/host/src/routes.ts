// The addresses of the host's page, there and back. Pure; the router holds the one that is open.
// Every path below /host and /setup is served with the same document, so a reload stays where it is.

/** The page of an address. */
export type Route =
  | { readonly page: 'home' }
  /** `id` of a stored quiz, or of one that is on this device only (`new-…`). */
  | { readonly page: 'quiz'; readonly id: string }
  /** `id` of a stored quiz. */
  | { readonly page: 'print'; readonly id: string }
  | { readonly page: 'game'; readonly id: string }
  | { readonly page: 'results'; readonly id: string }
  /** What the screen of a game showed. */
  | { readonly page: 'replay'; readonly id: string }
  /** The account that is signed in. */
  | { readonly page: 'account' }
  /** All accounts, for owners of the service. */
  | { readonly page: 'accounts' }
  | { readonly page: 'setup' }
  /** The page behind a co-host's link. */
  | { readonly page: 'invited' }
  /** The page to which an identity provider sends the browser back. */
  | { readonly page: 'signed-in' }
  | { readonly page: 'missing' };

/** The page at this path. */
export function routeOf(path: string): Route {
  const [area, kind, id, part, ...more] = path.split('/').filter((piece) => piece !== '');
  if (more.length > 0) return { page: 'missing' };
  if (area === 'setup' && kind === undefined) return { page: 'setup' };
  // The document's own name is how a development server knows the page.
  if (area === 'host.html' && kind === undefined) return { page: 'home' };
  if (area !== 'host') return { page: 'missing' };
  if (kind === undefined) return { page: 'home' };
  if ((kind === 'signed-in' || kind === 'invited') && id === undefined) return { page: kind };
  if ((kind === 'account' || kind === 'accounts') && id === undefined) return { page: kind };
  if (id === undefined || !/^[\w-]{1,64}$/.test(id)) return { page: 'missing' };
  if (kind === 'quizzes' && part === undefined) return { page: 'quiz', id };
  if (kind === 'quizzes' && part === 'print') return { page: 'print', id };
  if (kind === 'games' && part === undefined) return { page: 'game', id };
  if (kind === 'games' && (part === 'results' || part === 'replay')) return { page: part, id };
  return { page: 'missing' };
}

/** The path of a quiz's editor. */
export const quizPath = (id: string): string => `/host/quizzes/${id}`;

/** The path where a quiz is printed. */
export const printPath = (id: string): string => `/host/quizzes/${id}/print`;

/** The path where a game is run. */
export const gamePath = (id: string): string => `/host/games/${id}`;

/** The path of a game's results. */
export const resultsPath = (id: string): string => `/host/games/${id}/results`;

/** The path of a game's replay. */
export const replayPath = (id: string): string => `/host/games/${id}/replay`;

/** The list of quizzes and games. */
export const HOME = '/host';

/** The page of the account that is signed in. */
export const ACCOUNT = '/host/account';

/** The list of all accounts. */
export const ACCOUNTS = '/host/accounts';
