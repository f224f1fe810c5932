// A spectator's page on the devices of spectators: text that can be read from near, nothing wider than the page, nothing cut off.

import { expect, test } from '@playwright/test';

import { SAMPLES } from '../../screen/src/samples.ts';
import { picture } from '../support/drawing.ts';
import { Server } from '../support/server.ts';
import { asked, ROUND, updateOf, Wall } from '../support/wall.ts';

/** The smallest phone and an upright tablet for every scene, the others only for the fullest scenes. */
const SIZES = [
  [320, 568],
  [768, 1_024],
] as const;
const MORE_SIZES = [
  [390, 844],
  [844, 390],
  [1_024, 768],
  [1_440, 900],
] as const;
const FULL: readonly string[] = ['pictured', 'answerPictured', 'lobbyFull', 'questionTimed', 'questionsMany', 'answerLong', 'board', 'podium', 'winner'];
/** The least size of text, in pixels. */
const LEAST = 16;
const FORMULA = 'How much is $\\sqrt{\\frac{3}{4}} + x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9 + x_{10} + x_{11}$?';

test('every scene can be read on every device, with letters of 200 % too', async ({ browser }, info) => {
  await using server = await Server.start();
  const page = await browser.newPage({ viewport: { width: 320, height: 568 }, reducedMotion: 'reduce' });
  const wall = await Wall.open(page, server.url, true);
  const media = wall.picture(await picture(page, 800, 600), 'A bridge');
  const choices = SAMPLES.questionLong.questions[0]?.choices;
  const revealed = updateOf(SAMPLES.revealed);
  const scenes = {
    ...Object.fromEntries(Object.entries(SAMPLES).map(([name, view]) => [name, updateOf(view)])),
    ...(revealed.show?.kind === 'question' && { answerPictured: { ...revealed, show: { ...revealed.show, right: { count: 3, of: 9 }, media } } }),
    pictured: { ...ROUND, questions: [asked(1, FORMULA), asked(2, FORMULA, { choices: [...choices], media })] },
  };
  for (const [name, update] of Object.entries(scenes)) {
    await wall.shows(update);
    for (const [width, height] of [...SIZES, ...(FULL.includes(name) ? MORE_SIZES : [])]) {
      await page.setViewportSize({ width, height });
      const what = `${name} at ${String(width)} × ${String(height)}`;
      await isReadable(wall, what, LEAST);
      if (process.env.QUIZHALL_WALLS === 'keep') await page.screenshot({ path: info.outputPath(`${what}.png`), fullPage: true });
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await isReadable(wall, `${name} with letters of 200 %`, 2 * LEAST);
    if (process.env.QUIZHALL_WALLS === 'keep') await page.screenshot({ path: info.outputPath(`${name} at 200.png`), fullPage: true });
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  }
  await page.close();
});

async function isReadable(wall: Wall, what: string, least: number): Promise<void> {
  await wall.isStill();
  const excess = await wall.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(excess, `wider than the page: ${what}`).toBeLessThanOrEqual(0);
  const small = (await wall.letters()).filter(({ size }) => size < least);
  expect.soft(small, `smaller than ${String(least)} px: ${what}`).toEqual([]);
  if ((wall.page.viewportSize()?.width ?? 0) < 600) expect.soft(await columns(wall), `columns: ${what}`).toBeLessThanOrEqual(1);
  expect.soft(await wall.cut(), `cut off: ${what}`).toEqual([]);
}

/** How many choices, players of the standings or answers lie side by side at most: on a phone each has the whole width. */
async function columns(wall: Wall): Promise<number> {
  return wall.page.locator('main').first().evaluate((main) => {
    const lists = [...main.querySelectorAll('.choices, .board ol, .board ul, [data-testid=shown-tally], .earlier')];
    const most = lists.map((list) => {
      const tops = [...list.children].map((row) => Math.round(row.getBoundingClientRect().top));
      return Math.max(0, ...tops.map((top) => tops.filter((other) => other === top).length));
    });
    return Math.max(0, ...most);
  });
}
