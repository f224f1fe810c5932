// A picture from the editor to the phone and the screen: chosen, described and saved; loaded ahead without showing what it is; shown with
// its question; and described where it cannot be loaded. And a formula.

import type { Page } from '@playwright/test';

import { newGame } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { picture } from '../support/drawing.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';
import { Screen } from '../support/screen.ts';

const ALT = 'A bridge of red steel in the fog';
const QUESTION = 'Which bridge is this?';
const FORMULA = 'What is $\\frac{3}{4} \\cdot 8$?';

async function uploaded(url: string, token: string, file: Buffer): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/v1/media`, { method: 'POST', headers, body: new Uint8Array(file) });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

test('the editor takes a picture, scales it, and wants it described', async ({ live, browser }) => {
  const { url } = live.server;
  await using host = await Host.open(browser, `${url}/host`, { session: live.session });
  await host.page.getByRole('button', { name: 'New quiz' }).click();
  const file = host.page.locator('[data-part=media-file]');
  await file.setInputFiles({ name: 'bridge.png', mimeType: 'image/png', buffer: await picture(host.page, 3_200, 1_000) });
  const image = host.page.locator('.form img');
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => [shown.naturalWidth, shown.naturalHeight])).toEqual([1_600, 500]);
  await isAccessible(host.page, 'a picture in the editor');
  await host.page.locator('[data-part=media-alt]').fill(ALT);
  await expect(host.page.locator('aside').getByRole('img', { name: ALT })).toBeVisible();
  await host.page.getByRole('button', { name: 'Remove picture' }).click();
  await expect(image).toHaveCount(0);
  host.watch.allow(/status of 415/);
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture at all') });
  await expect(host.page.getByText('Choose a picture (PNG, JPEG, WebP) or a sound (MP3, M4A, Ogg).')).toBeVisible();
  host.watch.verify();
});

test('a picture is shown with its question on phone and screen, and nothing of it before', async ({ live, browser }) => {
  const { url } = live.server;
  await using maker = await Host.open(browser, `${url}/host`, { session: live.session });
  const id = await uploaded(url, live.token, await picture(maker.page, 800, 600));
  const asked = (text: string, media = {}) => ({ text, type: 'text', correctAnswers: ['6'], ...media });
  const game = await newGame(url, live.token, {
    title: 'Bridges',
    rounds: [{ title: '', questions: [asked(QUESTION, { media: { id, kind: 'picture', alt: ALT } }), asked(FORMULA)] }],
  });
  await using host = await Host.at(browser, url, game.id, { session: live.session });
  const screen = await Screen.from(host);
  await using phone = await Phone.open(browser, url, { code: game.gameCode, size: SMALL_PHONE });
  const copy = phone.page.waitForResponse((response) => response.url().includes(`/games/${game.id}/media/`));
  await phone.sit('Ann');
  await copy;
  expect(await phone.page.content()).not.toContain(ALT);
  await host.start();
  await host.release();

  const card = phone.question(1);
  await expect(card.getByRole('img', { name: ALT })).toBeVisible();
  await expect(screen.page.getByRole('img', { name: ALT })).toBeVisible();
  const [room, field] = [await card.getByRole('img').boundingBox(), await card.getByRole('textbox').boundingBox()];
  expect(room?.width).toBeLessThanOrEqual(320);
  expect((field?.y ?? Infinity) + (field?.height ?? 0), 'the answer is in reach').toBeLessThanOrEqual(SMALL_PHONE.height * 1.2);
  await isAccessible(phone.page, 'a picture on the phone');
  await isAccessible(screen.page, 'a picture on the screen');

  await host.release();
  await expect(phone.question(2).locator('math mfrac')).toBeVisible();
  await expect(screen.page.locator('math mfrac')).toBeVisible();
  await phone.page.reload();
  await expect(phone.question(1).getByRole('img', { name: ALT })).toBeVisible();
});

test('a picture has its room before it is there, grows under a finger, and comes again with the answer', async ({ live, browser }) => {
  const { url } = live.server;
  await using maker = await Host.open(browser, `${url}/host`, { session: live.session });
  const id = await uploaded(url, live.token, await picture(maker.page, 800, 200));
  const media = { id, kind: 'picture', alt: ALT } as const;
  const game = await newGame(url, live.token, {
    title: 'Bridges',
    rounds: [{ title: '', questions: [{ text: QUESTION, type: 'text', correctAnswers: ['6'], points: 1, media }] }],
  });
  await using host = await Host.at(browser, url, game.id, { session: live.session });
  const screen = await Screen.from(host);
  await using phone = await Phone.open(browser, url, { code: game.gameCode, size: SMALL_PHONE });
  let come: () => void = () => undefined;
  const wait = new Promise<void>((done) => {
    come = done;
  });
  await phone.page.route('**/media/**', async (route) => {
    await wait;
    await route.continue();
  });
  await phone.sit('Ann');
  await host.start();
  await host.release();
  const card = phone.question(1);
  const image = card.getByRole('img', { name: ALT });
  const field = card.getByRole('textbox');
  await expect(field).toBeVisible();
  const before = await field.boundingBox();
  come();
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(800);
  expect(await field.boundingBox(), 'nothing moves when it comes').toEqual(before);
  const room = await image.boundingBox();
  expect((room?.width ?? 0) / (room?.height ?? 1), 'it fills its room').toBeCloseTo(4, 1);
  expect([await image.getAttribute('width'), await image.getAttribute('height')]).toEqual(['800', '200']);

  await test.step('a tap shows it over the whole glass, another one larger', async () => {
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
  });

  await phone.write(1, '6');
  await phone.hasStored(1);
  await host.endRound();
  const shown = async (page: Page, state: string) => {
    const again = page.locator('main').getByRole('img', { name: ALT });
    await expect(again, state).toBeVisible();
    await expect.poll(() => again.evaluate((each: HTMLImageElement) => each.naturalWidth), { message: state }).toBe(800);
    await keepPicture(page, state);
  };
  await host.ofQuestion('Reveal the answer');
  for (const [page, who] of [[phone.page, 'phone'], [screen.page, 'screen']] as const) {
    await shown(page, `${who}, revealed`);
    await isAccessible(page, `${who}, a revealed answer with its picture`);
    await page.reload();
    await shown(page, `${who}, revealed, after a reload`);
  }
  await host.releaseScores();
  await shown(phone.page, 'phone, scores');
  await phone.page.reload();
  await shown(phone.page, 'phone, scores, after a reload');
  await shown(screen.page, 'screen, the answer after the scores');
});

test('a picture that cannot be loaded is described', async ({ live, browser }) => {
  const { url } = live.server;
  await using maker = await Host.open(browser, `${url}/host`, { session: live.session });
  const id = await uploaded(url, live.token, await picture(maker.page, 40, 30));
  const media = { id, kind: 'picture', alt: ALT } as const;
  const game = await newGame(url, live.token, {
    title: 'Bridges',
    rounds: [{ title: '', questions: [{ text: QUESTION, type: 'text', correctAnswers: ['6'], media }] }],
  });
  await using host = await Host.at(browser, url, game.id, { session: live.session });
  await using phone = await Phone.open(browser, url, { code: game.gameCode });
  phone.watch.allow(/Failed to load resource|ERR_FAILED/);
  await phone.page.route('**/media/**', (route) => route.abort());
  await phone.sit('Ann');
  await host.start();
  await host.release();
  await expect(phone.question(1).getByText(ALT)).toBeVisible();
  await phone.write(1, '6');
  await phone.hasStored(1);
});
