// A removed phone offers to join again only after the server has allowed it.
import { Api } from '$sdk';
import { expect, it } from 'vitest';

import { askReturn } from './removal.ts';

const SEAT = { gameCode: 'ABC234', playerId: 'p', displayName: 'Ann', sessionToken: 'qp_x' };

it.each([
  [() => Response.json({ gameCode: 'ABC234' }), 'open'],
  [() => Response.json({ type: '/problems/banned' }, { status: 403 }), 'banned'],
  [() => Response.json({ type: '/problems/not-found' }, { status: 404 }), 'unknown'],
  [() => new Response('<html>', { status: 503 }), 'unknown'],
  [() => { throw new TypeError('Failed to fetch'); }, 'unknown'],
])('%#: what the server says', async (answer, expected) => {
  const asked: string[] = [];
  const fetch = (url: string, { headers }: RequestInit) => {
    asked.push(`${url} ${String((headers as Record<string, string>).Authorization)}`);
    return Promise.resolve().then(answer);
  };
  expect(await askReturn(SEAT, new Api('', { fetch }))).toBe(expected);
  expect(asked).toEqual(['/api/v1/join/ABC234 Bearer qp_x']);
});
