// Pictures on a device: loaded ahead over some time, opened with the key, and given up when they are damaged or missing.

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToHex } from '@noble/ciphers/utils.js';
import { expect, it } from 'vitest';

import type { ReleasedMedia } from '../src/generated/protocol.ts';
import { MediaCopies } from '../src/media.ts';

const KEY = new Uint8Array(32).fill(7);
const SEGMENT = 256 * 1024;

/** A copy as the server makes it: padded with zeros, then encrypted segment by segment. */
function copyOf(file: Uint8Array, length: number): Uint8Array {
  const padded = new Uint8Array(length);
  padded.set(file);
  const segments = [];
  for (let number = 0; number * SEGMENT < length; number += 1) {
    const nonce = new Uint8Array(12);
    nonce[0] = number;
    segments.push(chacha20poly1305(KEY, nonce).encrypt(padded.subarray(number * SEGMENT, (number + 1) * SEGMENT)));
  }
  return new Uint8Array(segments.flatMap((segment) => [...segment]));
}

const media = (name: string, bytes: number, type = 'image/png'): ReleasedMedia => {
  return { name, key: bytesToHex(KEY), kind: 'picture', type, bytes, alt: 'A tube' };
};

/** A device whose clock the test sets, with these copies on the server. */
function device(copies: Record<string, Uint8Array | null>) {
  const asked: string[] = [];
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  const chances = [0.5, 0, 0.99];
  const held = new MediaCopies({
    fetch: (url, { cache }) => {
      asked.push(`${url} ${cache ?? ''}`);
      const copy = copies[url.split('/').at(-1) ?? ''];
      return copy ? Promise.resolve(new Response(new Uint8Array(copy))) : Promise.resolve(new Response('', { status: 404 }));
    },
    random: () => chances[timers.length] ?? 0,
    later: (run, ms) => {
      const timer = { at: ms, run };
      timers.push(timer);
      // A pause before another attempt.
      if (ms < 10_000 && ms >= 500) queueMicrotask(run);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  });
  return { held, asked, timers };
}

const FILE = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251);
const text = async (blob: Blob | null): Promise<string | null> => blob && bytesToHex(new Uint8Array(await blob.arrayBuffer()));

it('asks for the copies spread over twenty seconds, each once', async () => {
  const { held, asked, timers } = device({ aa: copyOf(FILE, 327_680), bb: null, cc: null });
  const items = ['aa', 'bb', 'cc'].map((name) => ({ name, bytes: 1 }));
  held.ahead({ gameId: 'game', items });
  held.ahead({ gameId: 'game', items });
  expect(timers.map(({ at }) => at)).toEqual([10_000, 0, 19_800]);
  expect(asked).toEqual([]);
  timers[0]?.run();
  expect(asked).toEqual(['/api/v1/games/game/media/aa default']);
  expect(await text(await held.open(media('aa', FILE.length)))).toBe(bytesToHex(FILE));
  expect(asked).toHaveLength(1);
});

it('does not wait for its turn when the question is there', async () => {
  const { held, asked, timers } = device({ aa: copyOf(FILE, 327_680) });
  held.ahead({ gameId: 'game', items: [{ name: 'aa', bytes: 1 }] });
  const file = await held.open(media('aa', FILE.length));
  expect(file?.type).toBe('image/png');
  expect(await text(file)).toBe(bytesToHex(FILE));
  expect(timers).toEqual([]);
  expect(asked).toHaveLength(1);
});

it('gives up a copy that is damaged, missing, cut off, or of a type that is not shown', async () => {
  const good = copyOf(FILE, 327_680);
  const damaged = good.map((byte, at) => (at === 100 ? byte ^ 1 : byte));
  const { held, asked } = device({ damaged, cut: good.subarray(0, SEGMENT + 16), page: good });
  held.ahead({ gameId: 'game', items: [] });
  for (const name of ['damaged', 'missing', 'cut']) {
    asked.length = 0;
    expect(await held.open(media(name, FILE.length))).toBeNull();
    expect(asked.map((line) => line.split(' ')[1])).toEqual(['default', 'reload', 'reload', 'reload']);
  }
  expect(await held.open(media('page', FILE.length, 'text/html'))).toBeNull();
});

it('opens the picture of a round that is over, of which nothing was named ahead, by the game that comes with it', async () => {
  const { held, asked } = device({ aa: copyOf(FILE, 327_680) });
  expect(await text(await held.open({ ...media('aa', FILE.length), gameId: 'game' }))).toBe(bytesToHex(FILE));
  expect(asked).toEqual(['/api/v1/games/game/media/aa default']);
});

it('forgets the copies of another game', () => {
  const { held, timers } = device({});
  held.ahead({ gameId: 'one', items: [{ name: 'aa', bytes: 1 }] });
  held.ahead({ gameId: 'two', items: [] });
  expect(timers).toEqual([]);
});
