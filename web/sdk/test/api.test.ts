import { describe, expect, it } from 'vitest';

import { Api, ApiError, HostApi, NetworkError, newKey, SeatStore } from '../src/index.ts';
import { FakeStorage } from './fake.ts';

const SEAT = { sessionToken: 'qp_x', gameCode: 'ABC234', playerId: 'id', displayName: 'Ann' };

/** Answers calls in turn; a number is a status without a problem body, null no answer. */
function server(...answers: (object | number | null)[]) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch = (url: string, init: RequestInit) => {
    calls.push({ url, init });
    const answer = answers.shift();
    if (answer === null || answer === undefined) return Promise.reject(new TypeError('Failed to fetch'));
    if (answer instanceof Response) return Promise.resolve(answer);
    if (typeof answer === 'number') return Promise.resolve(new Response('<html>', { status: answer }));
    return Promise.resolve(Response.json(answer, { status: 201 }));
  };
  return { calls, fetch };
}

const problem = (status: number, type: string, headers: Record<string, string> = {}, more: object = {}) => {
  const body = { type: `/problems/${type}`, title: 'A title', status, detail: 'What to do.', ...more };
  return new Response(JSON.stringify(body), { status, headers });
};

function joining(...answers: (object | number | null)[]) {
  const { calls, fetch } = server(...answers);
  const pauses: number[] = [];
  const sleep = (ms: number) => {
    pauses.push(ms);
    return Promise.resolve();
  };
  const api = new Api('http://h/', { fetch, sleep, random: () => 1 });
  return { calls, pauses, joined: api.join('ABC234', 'Ann', 'key-1') };
}

describe('join', () => {
  it('asks for a seat', async () => {
    const { calls, joined } = joining(SEAT);
    expect(await joined).toEqual(SEAT);
    expect(calls).toHaveLength(1);
    const [{ url, init } = { url: '', init: {} }] = calls;
    expect([url, init.method, init.body]).toEqual(['http://h/join', 'POST', '{"gameCode":"ABC234","displayName":"Ann"}']);
    expect(init.headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'key-1',
    });
  });

  it('makes a team, joins one by its code, and asks whether a game has any', async () => {
    const { calls, fetch } = server(SEAT, SEAT, { gameCode: 'ABC234', teams: { devices: 6 } });
    const api = new Api('http://h/', { fetch });
    await api.join('ABC234', 'Larks', 'key-1', { team: true });
    await api.join('ABC234', 'Ben', 'key-2', { teamCode: 'K7QM' });
    expect(await api.joinOptions('ABC234')).toEqual({ gameCode: 'ABC234', teams: { devices: 6 } });
    expect(calls.map(({ url, init }) => [url, init.body])).toEqual([
      ['http://h/join', '{"gameCode":"ABC234","displayName":"Larks","team":true}'],
      ['http://h/join', '{"gameCode":"ABC234","displayName":"Ben","teamCode":"K7QM"}'],
      ['http://h/api/v1/join/ABC234', undefined],
    ]);
  });

  it('moves the seat of a player, and of one phone of a team', async () => {
    const { calls, fetch } = server({ seatCode: 'ABC234' }, { seatCode: 'ABC234' });
    const api = new HostApi('http://h', 'qh', { fetch });
    await api.issueSeatCode('game', 'p1');
    await api.issueSeatCode('game', 'p1', 'd 2');
    const path = 'http://h/api/v1/games/game/players/p1/seat-code';
    expect(calls.map(({ url }) => url)).toEqual([path, `${path}?deviceId=d%202`]);
  });

  it('removes one phone of a team', async () => {
    const { calls, fetch } = server({});
    await new HostApi('http://h', 'qh', { fetch }).removePhone('game', 'p1', 'd 2');
    const url = 'http://h/api/v1/games/game/players/p1/phones/d%202';
    expect(calls.map((call) => [call.init.method, call.url])).toEqual([['DELETE', url]]);
  });

  it('invites, lists and removes co-hosts, and asks who the co-host of a token is', async () => {
    const marker = { coHostId: 'c 1', role: 'marker', label: 'Mia' } as const;
    const { calls, fetch } = server({ ...marker, url: 'u' }, { coHosts: [marker] }, {}, { ...marker, gameId: 'game' });
    const api = new HostApi('http://h', 'qo', { fetch });
    await api.inviteCoHost('game', { role: 'marker', label: 'Mia' });
    expect(await api.coHosts('game')).toEqual([marker]);
    await api.removeCoHost('game', 'c 1');
    expect(await api.currentCoHost()).toMatchObject({ gameId: 'game', role: 'marker' });
    const path = 'http://h/api/v1/games/game/co-hosts';
    expect(calls.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['POST', path, '{"role":"marker","label":"Mia"}'],
      ['GET', path, undefined],
      ['DELETE', `${path}/c%201`, undefined],
      ['GET', 'http://h/api/v1/co-hosts/current', undefined],
    ]);
  });

  it('repeats itself with the same key when no answer came, or the server is busy', async () => {
    const { calls, pauses, joined } = joining(null, 503, problem(429, 'too-often', { 'Retry-After': '3' }), SEAT);
    expect(await joined).toEqual(SEAT);
    expect(pauses).toEqual([500, 1_000, 3_000]);
    const keys = calls.map(({ init }) => new Headers(init.headers).get('Idempotency-Key'));
    expect(keys).toEqual(['key-1', 'key-1', 'key-1', 'key-1']);
  });

  it('gives up after four tries, and at once when the wait is long', async () => {
    const busy = joining(null, null, null, null, SEAT);
    await expect(busy.joined).rejects.toBeInstanceOf(NetworkError);
    expect(busy.calls).toHaveLength(4);
    const long = joining(problem(429, 'too-often', { 'Retry-After': '60' }), SEAT);
    await expect(long.joined).rejects.toMatchObject({ status: 429, retryAfter: 60 });
    expect(long.calls).toHaveLength(1);
  });

  it.each([400, 404, 409, 410, 413, 415, 422, 423, 500])('does not repeat %i', async (status) => {
    const { calls, joined } = joining(status, SEAT);
    await expect(joined).rejects.toMatchObject({ status });
    expect(calls).toHaveLength(1);
  });

  it('says what the server says', async () => {
    const { joined } = joining(problem(409, 'name-taken', {}, { field: 'displayName' }));
    const error: unknown = await joined.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, type: 'name-taken', title: 'A title', detail: 'What to do.', field: 'displayName' });
    const bare: unknown = await joining(502).joined.catch((thrown: unknown) => thrown);
    expect(bare).toMatchObject({ status: 502, type: 'about:blank', message: 'HTTP 502' });
    expect('field' in (bare as object)).toBe(false);
  });

  it('has keys that differ', () => {
    expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
    expect(newKey()).not.toBe(newKey());
  });
});

describe('HostApi', () => {
  it('carries the token that signing in gave, until signing out', async () => {
    const session = { token: 'qh_t', expiresAt: '2030-01-01T00:00:00Z', host: { id: '1', name: 'Kim' } };
    const { calls, fetch } = server(session, { quizzes: [] }, new Response(null, { status: 204 }), { quizzes: [] });
    const api = new HostApi('', undefined, { fetch });
    await api.signIn('Kim', 'a password');
    expect(await api.quizzes()).toEqual([]);
    await api.signOut();
    await api.quizzes();
    const tokens = calls.map(({ init }) => new Headers(init.headers).get('Authorization'));
    expect(tokens).toEqual([null, 'Bearer qh_t', 'Bearer qh_t', null]);
  });

  it.each<[string, string, (api: HostApi) => Promise<unknown>]>([
    ['POST', '/api/v1/hosts', (api) => api.createHost({ name: 'Kim', password: 'secret-1', setupToken: 'qs_x' })],
    ['GET', '/api/v1/sessions/current', (api) => api.currentSession()],
    ['POST', '/api/v1/quizzes', (api) => api.createQuiz({ title: 'T', rounds: [] })],
    ['GET', '/api/v1/quizzes/a%2Fb', (api) => api.quiz('a/b')],
    ['PUT', '/api/v1/quizzes/1', (api) => api.replaceQuiz('1', { title: 'T', rounds: [] })],
    ['DELETE', '/api/v1/quizzes/1', (api) => api.deleteQuiz('1')],
    ['GET', '/api/v1/games', (api) => api.games()],
    ['POST', '/api/v1/games', (api) => api.createGame('1')],
    ['GET', '/api/v1/games/1', (api) => api.game('1')],
    ['PUT', '/api/v1/games/1/options', (api) => api.setOptions('1', { streaks: true })],
    ['DELETE', '/api/v1/games/1', (api) => api.deleteGame('1')],
    ['GET', '/api/v1/games/1/players', (api) => api.players('1')],
    ['GET', '/api/v1/games/1/results', (api) => api.results('1')],
    ['GET', '/api/v1/games/1/results.csv', (api) => api.resultsCsv('1')],
    ['GET', '/api/v1/games/1/league', (api) => api.league('1')],
    ['GET', '/api/v1/games/1/league', (api) => api.leagueCsv('1')],
  ])('%s %s', async (method, path, call) => {
    const { calls, fetch } = server({});
    await call(new HostApi('', 't', { fetch }));
    expect(calls.map(({ url, init }) => [init.method, url])).toEqual([[method, path]]);
  });
});

describe('SeatStore', () => {
  const seat = (gameCode: string, playerId = `id-${gameCode}`) => {
    return { gameCode, playerId, displayName: 'Ann', sessionToken: 't' };
  };

  it('keeps a seat per game, the latest first, across reloads', () => {
    const storage = new FakeStorage();
    const store = new SeatStore(storage);
    store.save(seat('AAA222'));
    store.save(seat('BBB333'));
    store.save({ ...seat('AAA222', 'again'), secret: 'x' } as ReturnType<typeof seat>);
    const after = new SeatStore(storage);
    expect(after.latest()).toEqual(seat('AAA222', 'again'));
    expect(after.load('bbb333')).toEqual(seat('BBB333'));
    expect(after.load('CCC444')).toBe(null);
    expect(storage.items.get('quizhall.seats')).not.toContain('secret');
  });

  it('forgets a seat with all that was kept of it, and the oldest beyond twenty', () => {
    const storage = new FakeStorage();
    const store = new SeatStore(storage);
    storage.items.set('quizhall.answers.AAA222.id-AAA222', '{}');
    storage.items.set('quizhall.history.BBB333.id-BBB333', '[]');
    store.save(seat('AAA222'));
    store.forget('AAA222');
    expect(store.latest()).toBe(null);
    expect([...storage.items.keys()]).toEqual(['quizhall.history.BBB333.id-BBB333', 'quizhall.seats']);
    store.save(seat('BBB333'));
    for (let at = 0; at < 20; at += 1) store.save(seat(`G${String(at)}`));
    expect(store.load('BBB333')).toBe(null);
    expect([...storage.items.keys()]).toEqual(['quizhall.seats']);
  });

  it('sees what another tab has saved', () => {
    const storage = new FakeStorage();
    const [one, other] = [new SeatStore(storage), new SeatStore(storage)];
    one.save(seat('AAA222'));
    other.save(seat('BBB333'));
    expect(one.load('BBB333')).toEqual(seat('BBB333'));
    other.forget('BBB333');
    other.forget('AAA222');
    expect(one.latest()).toBe(null);
  });

  it.each(['', '{', '5', 'null', '[]', '{"version":2,"seats":[]}', '{"version":1,"seats":5}', '{"version":1,"seats":[5,{"gameCode":1}]}'])(
    'takes %s for nothing',
    (text) => {
      const storage = new FakeStorage();
      storage.items.set('quizhall.seats', text);
      expect(new SeatStore(storage).latest()).toBe(null);
    },
  );

  it('works without a storage, and with one that throws', () => {
    const broken = new FakeStorage();
    broken.broken = true;
    for (const storage of [null, broken]) {
      const store = new SeatStore(storage);
      store.save(seat('AAA222'));
      expect(store.load('AAA222')).toEqual(seat('AAA222'));
      store.forget('AAA222');
      expect(store.latest()).toBe(null);
    }
  });
});
