// A sound with its question: it plays automatically on the screen, and on a phone only when a player starts it there.

import type { Page } from '@playwright/test';

import { newGame } from '../support/api.ts';
import { expect, test } from '../support/livegame.ts';
import { Phone } from '../support/phone.ts';

const ALT = 'A silent recording';

/** An MP3 of about twenty seconds of silence: frames of MPEG-1 layer III at 128 kbit/s and 44.1 kHz, which contain zeros. */
function silence(): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: 800 }, () => frame));
}

const state = async (page: Page) =>
  page.locator('audio').evaluate(({ paused, currentTime, readyState }: HTMLAudioElement) => ({ paused, currentTime, readyState }));

test('a sound plays on the screen, and on a phone when a player wants it', async ({ live, browser }) => {
  const { url } = live.server;
  const headers = { Authorization: `Bearer ${live.token}` };
  const stored = await fetch(`${url}/api/v1/media`, { method: 'POST', headers, body: new Uint8Array(silence()) });
  expect(stored.status).toBe(201);
  const { id } = (await stored.json()) as { id: string };
  const media = { id, kind: 'sound', alt: ALT } as const;
  const game = await newGame(url, live.token, {
    title: 'Sounds',
    rounds: [{ title: '', questions: [{ text: 'What is this?', type: 'text', correctAnswers: ['nothing'], media }] }],
  });
  const runner = await live.runner(game);
  const screen = await live.wall(game);
  await using phone = await Phone.join(browser, url, game.gameCode, 'Ann');
  await runner.start();
  await runner.release();

  await expect.poll(async () => (await state(screen.page)).currentTime).toBeGreaterThan(0.2);
  expect((await state(screen.page)).paused).toBe(false);
  await expect(phone.question(1).locator('audio')).toHaveAttribute('src', /./);
  await expect.poll(async () => (await state(phone.page)).readyState).toBeGreaterThan(0);
  await expect.poll(async () => (await state(screen.page)).currentTime).toBeGreaterThan(1.5);
  expect(await state(phone.page)).toMatchObject({ paused: true, currentTime: 0 });
  await expect(phone.question(1).locator('audio[controls]')).toHaveAttribute('aria-label', ALT);
  await phone.page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.play());
  await expect.poll(async () => (await state(phone.page)).currentTime).toBeGreaterThan(0.2);
});
