// A picture from the editor to the phone and the screen: chosen, described and saved; loaded ahead without showing what it is; shown with
// its question; and described where it cannot be loaded. And a formula.

import type { Page } from '@playwright/test';

import { newGame } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { picture } from '../support/drawing.ts';
import { gate } from '../support/gate.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';
import type { Runner } from '../support/runner.ts';
import type { Screen } from '../support/screen.ts';

const ALT = 'A bridge of red steel in the fog';
const HIGH = 'A bridge between two towers';
const QUESTION = 'Which bridge is this?';
const FORMULA = 'What is $\\frac{3}{4} \\cdot 8$?';

async function uploaded(url: string, token: string, file: Buffer): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/v1/media`, { method: 'POST', headers, body: new Uint8Array(file) });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

interface Pages {
  runner: Runner;
  screen: Screen;
  phone: Phone;
}

test('a picture is chosen in the editor, loaded ahead and not named, has its room before it is there, grows under a finger, and comes again with the answer; where it cannot be loaded it is described', async ({ live, browser }) => {
  const { url } = live.server;
  await using host = await Host.open(browser, `${url}/host`, { session: live.session });
  const [wide, high] = [await uploaded(url, live.token, await picture(host.page, 800, 200)), await uploaded(url, live.token, await picture(host.page, 800, 600))];
  await test.step('the editor takes a picture, scales it, and wants it described', () => choosePicture(host));
  await host.context.close();
  const asked = (text: string, media = {}) => ({ text, type: 'text', correctAnswers: ['6'], points: 1, ...media });
  const questions = [
    asked(QUESTION, { media: { id: wide, kind: 'picture', alt: ALT } }),
    asked(FORMULA),
    asked('And this?', { media: { id: high, kind: 'picture', alt: HIGH } }),
  ];
  const game = await newGame(url, live.token, { title: 'Bridges', rounds: [{ title: '', questions }] });
  const runner = await live.runner(game);
  const screen = await live.wall(game);
  await using phone = await Phone.open(browser, url, { code: game.gameCode, size: SMALL_PHONE });
  await hasItsRoom({ runner, screen, phone });
  await grows(phone);

  await runner.release();
  await expect(phone.question(2).locator('math mfrac')).toBeVisible();
  await expect(screen.page.locator('math mfrac')).toBeVisible();
  await runner.release();
  await expect(screen.page.getByRole('img', { name: HIGH })).toBeVisible();
  const card = phone.question(3);
  await expect(card.getByRole('img', { name: HIGH })).toBeVisible();
  const [room, field] = [await card.getByRole('img').boundingBox(), await card.getByRole('textbox').boundingBox()];
  expect(room?.width).toBeLessThanOrEqual(320);
  expect((field?.y ?? Infinity) + (field?.height ?? 0) - (room?.y ?? 0), 'the answer is in reach').toBeLessThanOrEqual(SMALL_PHONE.height * 0.8);
  await test.step('it cannot be loaded: it is described, and the question can be answered', async () => {
    await phone.page.route('**/media/**', (route) => route.abort());
    await phone.page.reload();
    await expect(phone.question(1).getByText(ALT)).toBeVisible();
    await phone.write(1, '6');
    await phone.hasStored(1);
    await phone.page.unroute('**/media/**');
    await phone.page.reload();
  });
  await comesAgain({ runner, screen, phone });
});

async function choosePicture(host: Host): Promise<void> {
  const { page } = host;
  await page.getByRole('button', { name: 'New quiz' }).click();
  const file = page.locator('[data-part=media-file]');
  await file.setInputFiles({ name: 'bridge.png', mimeType: 'image/png', buffer: await picture(page, 3_200, 1_000) });
  const image = page.locator('.form img');
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => [shown.naturalWidth, shown.naturalHeight])).toEqual([1_600, 500]);
  await page.locator('[data-part=media-alt]').fill(ALT);
  await expect(page.locator('aside').getByRole('img', { name: ALT })).toBeVisible();
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await expect(image).toHaveCount(0);
  host.watch.allow(/status of 415/);
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture at all') });
  await expect(page.getByText('Choose a picture (PNG, JPEG, WebP) or a sound (MP3, M4A, Ogg).')).toBeVisible();
  host.watch.verify();
}

/** Its room is there before it, also on the screen, and nothing names a picture that is only loaded ahead. */
async function hasItsRoom({ runner, screen, phone }: Pages): Promise<void> {
  const { opened, open } = gate();
  await phone.page.route('**/media/**', async (route) => {
    await opened;
    await route.continue();
  });
  await phone.sit('Ann');
  await runner.start();
  await runner.release();
  const card = phone.question(1);
  const image = card.getByRole('img', { name: ALT });
  const field = card.getByRole('textbox');
  await expect(field).toBeVisible();
  const before = await field.boundingBox();
  const copies = new Set<string>();
  phone.page.on('response', (response) => copies.add(response.url()));
  open();
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(800);
  expect(await field.boundingBox(), 'nothing moves when it comes').toEqual(before);
  const room = await image.boundingBox();
  expect((room?.width ?? 0) / (room?.height ?? 1), 'it fills its room').toBeCloseTo(4, 1);
  expect([await image.getAttribute('width'), await image.getAttribute('height')]).toEqual(['800', '200']);
  await expect(screen.page.getByRole('img', { name: ALT })).toBeVisible();
  await isAccessible(phone.page, 'a picture on the phone');
  await expect.poll(() => copies.size, { message: 'the next one is loaded ahead' }).toBe(2);
  for (const page of [phone.page, screen.page]) expect(await page.content()).not.toContain(HIGH);
}

/** A tap shows it over the whole glass, another one larger. */
async function grows(phone: Phone): Promise<void> {
  const card = phone.question(1);
  await card.locator('.picture').click();
  const glass = phone.page.getByRole('dialog', { name: ALT });
  const whole = glass.locator('.whole');
  const width = async () => (await whole.boundingBox())?.width;
  expect(await width()).toBe(SMALL_PHONE.width);
  await isAccessible(phone.page, 'a picture over the whole glass');
  await whole.click();
  await expect(whole).toHaveAttribute('aria-pressed', 'true');
  expect(await width()).toBe(2.5 * SMALL_PHONE.width);
  expect(await glass.evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth), 'it can be scrolled').toBe(true);
  await expect(glass.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
  await glass.getByRole('button', { name: 'Close' }).click();
  await expect(glass).toBeHidden();
  await expect(card.locator('.picture')).toBeFocused();
}

/** With the answer and with the scores, also after a reload. */
async function comesAgain({ runner, screen, phone }: Pages): Promise<void> {
  await runner.endRound();
  const shown = async (page: Page, state: string) => {
    const again = page.locator('main').getByRole('img', { name: ALT });
    await expect(again, state).toBeVisible();
    await expect.poll(() => again.evaluate((each: HTMLImageElement) => each.naturalWidth), { message: state }).toBe(800);
    await keepPicture(page, state);
  };
  runner.reveal(1);
  for (const [page, who] of [[phone.page, 'phone'], [screen.page, 'screen']] as const) {
    await shown(page, `${who}, revealed`);
    await isAccessible(page, `${who}, a revealed answer with its picture`);
    await page.reload();
    await shown(page, `${who}, revealed, after a reload`);
  }
  await runner.releaseScores();
  await shown(phone.page, 'phone, scores');
  await shown(screen.page, 'screen, the answer after the scores');
}
