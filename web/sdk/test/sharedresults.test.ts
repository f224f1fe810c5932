// The results of a link: the request, and the session that belongs to the game.

import { expect, it } from 'vitest';

import { sessionOf, SharedResultsApi } from '../src/index.ts';
import type { SeatRecord } from '../src/index.ts';

const GAME = '0199a1b2-c3d4-75e6-8f90-a1b2c3d4e5f6';

/** A token as the server makes it: the game's id and a secret in base64url. */
function tokenOf(game: string, secret: number): string {
  const id = (game.replaceAll('-', '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  return `qp_${Buffer.from([...id, ...Array.from({ length: 32 }, () => secret)]).toString('base64url')}`;
}

const seat = (sessionToken: string): SeatRecord => ({ gameCode: 'ABC234', playerId: 'p', displayName: 'Ann', sessionToken });

it('finds the session of a game by the id at the front of its token', () => {
  const [other, own] = [tokenOf('0199a1b2-c3d4-75e6-8f90-a1b2c3d40000', 1), tokenOf(GAME, 255)];
  expect(sessionOf(GAME, [seat(other), seat('junk'), seat(own)])).toBe(own);
  expect(sessionOf(GAME, [seat(other), seat('junk')])).toBeUndefined();
  const signs = 'fbffbffb-efbe-7fbe-bfbe-fbefbefbefbe';
  expect(sessionOf(signs, [seat(tokenOf(signs, 0))])).toBe(tokenOf(signs, 0));
});

it('reads results without and with a session, and as a file', async () => {
  const asked: [string, unknown][] = [];
  const api = new SharedResultsApi('qr_a/b', {
    fetch: (url, { headers }) => {
      asked.push([url, headers]);
      return Promise.resolve(new Response('{}'));
    },
  });
  await api.read();
  await api.read('qp_x');
  await api.csv();
  const path = '/api/v1/results/qr_a%2Fb';
  expect(asked).toEqual([
    [path, { Accept: 'application/json' }],
    [path, { Accept: 'application/json', Authorization: 'Bearer qp_x' }],
    [path, { Accept: 'text/csv' }],
  ]);
});
