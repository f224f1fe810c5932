import { describe, expect, it } from 'vitest';

import { follow, nextScreen, nextSeat } from '../src/following.ts';
import { ApiError } from '../src/http.ts';

/** A room whose clock advances with the pauses. */
function room() {
  let clock = 0;
  const pauses: number[] = [];
  const state = { isSeen: true };
  const pause = async (ms: number): Promise<void> => {
    clock += ms;
    pauses.push(ms);
    await Promise.resolve();
  };
  return { state, pauses, room: { isSeen: () => state.isSeen, now: () => clock, pause } };
}

const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

describe('a page whose game is over', () => {
  it('asks until a game follows, and then no more', async () => {
    const { room: here } = room();
    const answers = [null, null, 'next', 'another'];
    const found: string[] = [];
    follow(() => Promise.resolve(answers.shift() ?? null), { found: (next) => found.push(next), failed: () => true }, here);
    await settled();
    expect([found, answers]).toEqual([['next'], ['another']]);
  });

  it('asks often at first, seldom later, and not for ever', async () => {
    const { room: here, pauses } = room();
    let asked = 0;
    const ask = (): Promise<null> => {
      asked += 1;
      return Promise.resolve(null);
    };
    follow(ask, { found: () => undefined, failed: () => true }, here);
    await settled();
    expect(pauses.filter((ms) => ms === 5_000)).toHaveLength(120);
    expect(pauses.filter((ms) => ms === 30_000)).toHaveLength(341);
    expect(asked).toBe(461);
  });

  it('asks nothing while the page is hidden, and nothing once it is left', async () => {
    const { room: here, state, pauses } = room();
    state.isSeen = false;
    const stop = follow(() => Promise.reject(new Error('it asked')), { found: () => undefined, failed: () => false }, {
      ...here,
      pause: async (ms) => {
        await here.pause(ms);
        if (pauses.length === 3) stop();
      },
    });
    await settled();
    expect(pauses).toHaveLength(3);
  });

  it('goes on after a failure that may pass', async () => {
    const { room: here } = room();
    const errors = [new ApiError(503, {}), new ApiError(409, {})];
    const failed: number[] = [];
    follow(() => Promise.reject(errors.shift() ?? new Error('too often')), {
      found: () => undefined,
      failed: (error) => {
        const { status } = error as ApiError;
        failed.push(status);
        return status === 503;
      },
    }, here);
    await settled();
    expect(failed).toEqual([503, 409]);
  });

  it('reads what the server answers', async () => {
    const calls: string[] = [];
    const answering = (response: Response) => (url: string, init: RequestInit) => {
      calls.push(`${String(init.method)} ${url} ${(init.headers as Record<string, string>).Authorization ?? ''}`);
      return Promise.resolve(response);
    };
    expect(await nextSeat('qp', '', answering(new Response(null, { status: 204 })))).toBeNull();
    expect(await nextScreen('qw', '', answering(Response.json({ screenId: 's', url: 'u' }, { status: 201 })))).toBe('u');
    expect(calls).toEqual(['POST /api/v1/seats/next Bearer qp', 'POST /api/v1/screens/next Bearer qw']);
  });
});
