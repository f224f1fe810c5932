import { beforeEach, describe, expect, it, vi } from 'vitest';

const KEY = 'quizhall.host';
const session = (token: string, name = 'Ann') => ({ token, expiresAt: '2030-01-01T00:00:00Z', host: { id: '1', name } });
const kept = (token: string, name = 'Ann'): string => JSON.stringify({ token, name, expiresAt: '2030-01-01T00:00:00Z' });

let storage: Map<string, string>;
let events: EventTarget;
let calls: string[];
let answers: Response[];

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });
const refused = (type: string): Response => json({ type: `/problems/${type}`, title: '', status: 401, detail: '' }, 401);

/** The module in the state of a page that has just opened. */
async function open() {
  vi.resetModules();
  return import('./session.svelte.ts');
}

/** Another tab of this browser changed the key. */
function elsewhere(value: string | null): void {
  if (value === null) storage.delete(KEY);
  else storage.set(KEY, value);
  events.dispatchEvent(Object.assign(new Event('storage'), { key: KEY }));
}

beforeEach(() => {
  storage = new Map();
  events = new EventTarget();
  calls = [];
  answers = [];
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    calls.push(`${init.method ?? ''} ${url} ${new Headers(init.headers).get('Authorization') ?? '-'}`);
    return Promise.resolve(answers.shift() ?? new Response(null, { status: 204 }));
  });
});

describe('a session', () => {
  it('begins with signing in, and is there after a reload', async () => {
    const page = await open();
    expect([page.token(), page.signedOutBecause()]).toEqual([null, 'new']);
    answers = [json(session('one'), 201)];
    await page.signIn('Ann', 'secret words');
    expect([page.token(), page.hostName(), page.api.token]).toEqual(['one', 'Ann', 'one']);

    const reloaded = await open();
    expect([reloaded.token(), reloaded.hostName(), reloaded.api.token]).toEqual(['one', 'Ann', 'one']);
  });

  it('ends when any call is answered with 401', async () => {
    storage.set(KEY, kept('one'));
    const page = await open();
    answers = [refused('unauthorized')];
    await expect(page.api.quizzes()).rejects.toMatchObject({ status: 401 });
    expect([page.token(), page.signedOutBecause(), storage.has(KEY)]).toEqual([null, 'ended', false]);
    expect(page.api.token).toBeUndefined();
  });

  it('does not end with a wrong password while signing in again', async () => {
    storage.set(KEY, kept('one'));
    const page = await open();
    answers = [refused('wrong-credentials')];
    await expect(page.signIn('Ann', 'wrong')).rejects.toMatchObject({ type: 'wrong-credentials' });
    expect(page.token()).toBe('one');
  });

  it('does not end because an older token was refused', async () => {
    storage.set(KEY, kept('one'));
    const page = await open();
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
    const asked = page.api.quizzes();
    elsewhere(kept('two'));
    answer(refused('unauthorized'));
    await expect(asked).rejects.toMatchObject({ status: 401 });
    expect(page.token()).toBe('two');
  });

  it('takes the old token back from the server when it is renewed', async () => {
    storage.set(KEY, kept('one'));
    const page = await open();
    answers = [json(session('two'), 201)];
    await page.signIn('Ann', 'secret words');
    await Promise.resolve();
    expect(page.token()).toBe('two');
    expect(calls.at(-1)).toBe('DELETE /api/v1/sessions/current Bearer one');
  });

  it('ends everywhere by signing out', async () => {
    storage.set(KEY, kept('one'));
    const page = await open();
    page.signOut();
    expect([page.token(), page.signedOutBecause(), storage.has(KEY)]).toEqual([null, 'left', false]);
    expect(calls).toEqual(['DELETE /api/v1/sessions/current Bearer one']);
  });

  it('follows the other tabs', async () => {
    storage.set(KEY, kept('one'));
    const page = await open();
    elsewhere(null);
    expect([page.token(), page.signedOutBecause()]).toEqual([null, 'left_elsewhere']);
    elsewhere(kept('three', 'Ben'));
    expect([page.token(), page.hostName(), page.api.token]).toEqual(['three', 'Ben', 'three']);
  });

  it.each(['nonsense', 'null', '[]', '{"token":7,"name":"Ann"}', '{"token":"one"}'])('does not trip over %s', async (text) => {
    storage.set(KEY, text);
    const page = await open();
    expect(page.token()).toBeNull();
  });
});
