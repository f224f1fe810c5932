// A spectator's page on the devices of spectators: text that can be read from near, nothing wider than the page, nothing cut off.

import { expect, type Page, test } from '@playwright/test';

import { SAMPLES } from '../../screen/src/samples.ts';
import type { ScreenUpdate } from '../../sdk/src/generated/protocol.ts';
import { picture } from '../support/drawing.ts';
import { keepPicture } from '../support/pictures.ts';
import { Server } from '../support/server.ts';
import { asked, ROUND, updateOf, Wall } from '../support/wall.ts';

/** Every scene at its fullest. */
const SCENES: readonly string[] = [
  ...['lobbyFull', 'sealed', 'sectionRound', 'pictured', 'questionLong', 'questionTimed', 'questionsMany', 'questionClosed', 'marking', 'revealed'],
  ...['breakTime', 'tieOver', 'tally', 'tallyCloud', 'tallyMany', 'answerPoll', 'answerOrder', 'answerPictured', 'answerLong', 'sectionAnswer'],
  ...['board', 'sectionBoard', 'next', 'podiumThird', 'podium', 'podiumShared', 'podiumEmpty', 'winner', 'winners'],
];
const FULL: readonly string[] = ['pictured', 'answerPictured', 'lobbyFull', 'questionTimed', 'questionsMany', 'answerLong', 'board', 'podium', 'winner'];
const FULLEST = FULL.filter((_, at) => at % 2 === 0);
/** Every scene on the smallest phone; the fullest with letters of twice the size on an ordinary one, on an upright tablet, a phone that is
 * turned, and in a window. Their text is at least this large, in pixels. */
const DEVICES = [
  { width: 320, height: 568, letters: '100%', least: 16, shows: SCENES },
  { width: 390, height: 844, letters: '200%', least: 32, shows: FULL },
  { width: 768, height: 1_024, letters: '100%', least: 16, shows: FULLEST },
  { width: 844, height: 390, letters: '100%', least: 16, shows: FULLEST },
  { width: 1_440, height: 900, letters: '100%', least: 16, shows: FULLEST },
] as const;
const FORMULA = 'How much is $\\sqrt{\\frac{3}{4}} + x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9 + x_{10} + x_{11}$?';

test('every scene can be read on the smallest phone, the fullest with letters of 200 % and on every other device, also when it is turned', async ({ page }) => {
  await using server = await Server.start();
  const { wall, scenes } = await spectator(page, server);
  for (const { width, height, letters, least, shows } of DEVICES) {
    await page.setViewportSize({ width, height });
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), letters);
    for (const name of shows) {
      const update = scenes[name];
      if (!update) throw new Error(`there is no ${name}`);
      await wall.shows(update);
      await isReadable(wall, `${name} on ${String(width)} × ${String(height)}, letters of ${letters}`, least);
      await keepPicture(page, `${name}-${String(width)}-${letters}`);
    }
  }
});

/** A page of a spectator, and the scenes with their names. */
async function spectator(page: Page, server: Server): Promise<{ wall: Wall; scenes: Readonly<Record<string, ScreenUpdate>> }> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const wall = await Wall.open(page, server.url, true);
  const media = wall.picture(await picture(page, 800, 600), 'A bridge');
  const choices = SAMPLES.questionLong.questions[0]?.choices;
  const revealed = updateOf(SAMPLES.revealed);
  const scenes: Readonly<Record<string, ScreenUpdate>> = {
    ...Object.fromEntries(Object.entries(SAMPLES).map(([name, view]) => [name, updateOf(view)])),
    ...(revealed.show?.kind === 'question' && { answerPictured: { ...revealed, show: { ...revealed.show, right: { count: 3, of: 9 }, media } } }),
    pictured: { ...ROUND, questions: [asked(1, FORMULA), asked(2, FORMULA, { choices: [...choices], media })] },
  };
  return { wall, scenes };
}

async function isReadable(wall: Wall, what: string, least: number): Promise<void> {
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
