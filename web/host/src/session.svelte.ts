// The signed-in host, and the one HostApi of the page. Owns the token (localStorage `quizhall.host`, shared by the tabs of
// this browser) and notices when it stops working: any call that is answered with 401 ends the session here. App shows
// the sign-in in place of the page then, so that a host who signs in again is where they were.

import { HostApi, type Session } from '$sdk';

import type { Return } from './signin/providerlink.ts';

/** The stored value: `{token, name, expiresAt}`; `expiresAt` is absent for a token that does not expire. */
interface Kept {
  readonly token: string;
  readonly name: string;
  readonly expiresAt?: string;
}

/** Why there is no session. */
export type SignedOut = 'new' | 'ended' | 'left' | 'left_elsewhere';

const KEY = 'quizhall.host';

const before = remembered();
let kept = $state.raw<Kept | null>(before);
let why = $state<SignedOut>('new');
/** Whether the value here is also in the storage. */
let persisted = kept !== null;

/** The interface to the server, with the token of the session. */
export const api = new HostApi('', before?.token, { fetch: watched });

addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) follow(remembered());
});

/** The current token, or null without a session. Pages are rebuilt when it changes. */
export const token = (): string | null => kept?.token ?? null;

/** The account's name. */
export const hostName = (): string => kept?.name ?? '';

/** When the session ends (ms); null when it does not, or there is none. */
export const sessionEnd = (): number | null => (kept?.expiresAt === undefined ? null : Date.parse(kept.expiresAt));

/** Why there is no session. */
export const signedOutBecause = (): SignedOut => why;

/** Signs in, or extends the session when already signed in. Throws the server's error. */
export const signIn = (name: string, password: string): Promise<void> => begin(() => api.signIn(name, password));

/** Finishes a sign-in with the identity provider. Throws the server's error. */
export const finishSignIn = ({ state, code, verifier }: Return): Promise<void> => {
  return begin(() => api.finishOidc({ state, code, verifier }));
};

/** Stores a new name of the account. */
export function renamed(name: string): void {
  if (kept === null) return;
  kept = { ...kept, name };
  store(kept);
}

async function begin(ask: () => Promise<Session>): Promise<void> {
  const old = api.token;
  const session = await ask();
  keep(session);
  if (old !== undefined && old !== session.token) void forgetOnServer(old);
}

/** Signs out here and in the other tabs at once; on the server as soon as it can be reached. */
export function signOut(): void {
  const old = api.token;
  drop('left');
  store(null);
  if (old !== undefined) void forgetOnServer(old);
}

/** The token was refused, by a call or by the socket: the page asks to sign in again. */
function sessionEnded(): void {
  if (kept === null) return;
  // A tab that signs out clears the storage first: the server's refusal can arrive before the browser's event.
  drop(persisted && remembered() === null ? 'left_elsewhere' : 'ended');
  store(null);
}

async function watched(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const asked = new Headers(init.headers).get('Authorization');
  // A wrong password while signing in again is also a 401, and the token of an old tab shows nothing about a new one.
  const isSigningIn = init.method === 'POST' && url.endsWith('/sessions');
  if (response.status === 401 && !isSigningIn && kept && asked === `Bearer ${kept.token}`) sessionEnded();
  return response;
}

function keep(session: Session): void {
  kept = { token: session.token, name: session.host.name, expiresAt: session.expiresAt };
  store(kept);
}

function drop(because: SignedOut): void {
  kept = null;
  why = because;
  api.token = undefined;
}

function follow(other: Kept | null): void {
  if (other?.token === kept?.token) return;
  if (other === null) drop('left_elsewhere');
  else {
    kept = other;
    persisted = true;
    api.token = other.token;
  }
}

async function forgetOnServer(old: string): Promise<void> {
  try {
    await new HostApi('', old).signOut();
  } catch {
    // Not reachable, or already ended: the session expires by itself.
  }
}

function store(session: Kept | null): void {
  try {
    if (session) localStorage.setItem(KEY, JSON.stringify(session));
    else localStorage.removeItem(KEY);
    persisted = session !== null;
  } catch {
    // This page may not use the storage: the session lasts as long as the page.
  }
}

function remembered(): Kept | null {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isKept(read) ? read : null;
  } catch {
    return null;
  }
}

function isKept(read: unknown): read is Kept {
  if (typeof read !== 'object' || read === null) return false;
  const { token: secret, name, expiresAt } = read as Partial<Record<keyof Kept, unknown>>;
  const fits = typeof secret === 'string' && typeof name === 'string';
  return fits && (expiresAt === undefined || typeof expiresAt === 'string');
}
