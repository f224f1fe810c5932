// The results of a game: the way to them from the home page, tabs that are operated by keyboard, the hardest question first, polls as
// bars and clouds as clouds, and files for people.

import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

const [EASY, HARD, BOTH, POLL, CLOUD] = ['Easy one?', 'Hard one?', 'Which are even?', 'Tea or coffee?', 'A word for today?'];
const QUIZ: QuizBody = {
  title: 'Looking back',
  rounds: [
    {
      title: 'Warming up',
      questions: [
        { text: EASY, type: 'text', correctAnswers: ['yes'], points: 2 },
        { text: POLL, type: 'poll', choices: ['Tea', 'Coffee', 'Water'], correctAnswers: [] },
        { text: CLOUD, type: 'word_cloud', correctAnswers: [] },
      ],
    },
    {
      title: '',
      questions: [
        { text: HARD, type: 'text', correctAnswers: ['a secret', 'one secret'], points: 3 },
        { text: BOTH, type: 'multiple_choice', choices: ['1', '2', '4'], correctAnswers: ['2', '4'], points: 1 },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

/** Plays both rounds with three players. */
async function played(live: LiveGame): Promise<void> {
  const runner = await live.runner();
  await live.guests({
    Ann: { [EASY]: 'yes', [POLL]: 'Tea', [CLOUD]: 'sunny', [HARD]: 'a secret', [BOTH]: '2' },
    Ben: { [EASY]: 'yes', [POLL]: 'Tea', [CLOUD]: 'Sunny', [HARD]: '=1+1', [BOTH]: '4' },
    '@Cleo': { [EASY]: 'no', [POLL]: 'Coffee', [CLOUD]: 'rain', [HARD]: '-5', [BOTH]: '1' },
  });
  await runner.start();
  for (const questions of [3, 2]) {
    await runner.release(questions);
    for (let number = 1; number <= questions; number += 1) await runner.counts(number, 3);
    await runner.endRound();
    await runner.releaseScores();
    if (questions === 3) await runner.nextRound();
  }
  await runner.endGame();
}

/** From the home page, where past games are folded, to the results, with the keyboard. */
async function openPast(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Past games (1)' })).toBeVisible();
  const link = page.getByRole('link', { name: /^Results: / });
  await expect(link).toBeHidden();
  await page.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(link).toBeVisible();
  await isAccessible(page, 'host, home with past games');
  await link.press('Enter');
}

test('the results of a game are in tabs, hold at every width, come as files for people, and forget a name', async ({ live, browser }) => {
  await played(live);
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  await test.step('past games are folded, and open by keyboard', () => openPast(host.page));
  await test.step('they are in tabs, by keyboard', () => readTabs(host.page));
  await test.step('they hold at every width, in each tab', () => holdInEachTab(host.page));
  await test.step('the files have names and words for people', () => download(host));
  await test.step('a name is erased from them, with its answers', () => erase(host.page));
  await test.step('the files are in the language of the host', () => downloadInGerman(host.page));
  host.watch.verify();
});

/** Opens the line of a player, unless it is open. */
async function openBen(page: Page): Promise<void> {
  const line = page.locator('details').filter({ has: page.locator('summary', { hasText: 'Ben' }) });
  if ((await line.getAttribute('open')) === null) await line.locator('summary').click();
}

async function readTabs(page: Page): Promise<void> {
  const tab = (name: string) => page.getByRole('tab', { name });
  await expect(tab('Standings')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tab')).toHaveText(['Standings', 'Questions', 'Players']);
  const table = page.getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveText(['Place', 'Player', 'Total', 'Warming up', 'Round 2']);
  await expect(table.getByRole('row').nth(1)).toHaveText(/1\s*Ann\s*6\s*2\s*4/);

  await tab('Standings').press('ArrowRight');
  await expect(tab('Questions')).toBeFocused();
  const questions = page.getByRole('tabpanel', { name: 'Questions' });
  const asked = questions.locator('.line-text');
  await expect(asked).toHaveText([HARD, EASY, BOTH, POLL, CLOUD]);
  const line = (text: string) => questions.getByRole('listitem').filter({ hasText: text }).first();
  await expect(line(HARD)).toContainText('a secret');
  await expect(line(HARD), 'every accepted answer').toContainText('one secret');
  await expect(line(HARD)).toContainText('1 of 3 right');
  await expect(line(BOTH), 'every right choice').toContainText(/2.*4/);
  await expect(line(POLL)).not.toContainText('right');
  await expect(line(POLL).getByTestId('shown-tally').getByRole('listitem')).toHaveText([/Tea\s*2/, /Coffee\s*1/, /Water\s*0/]);
  await expect(line(CLOUD).getByTestId('cloud').getByRole('listitem')).toHaveText([/sunny: 2/, /rain: 1/]);
  await questions.getByLabel('Order').selectOption('As asked');
  await expect(asked).toHaveText([EASY, POLL, CLOUD, HARD, BOTH]);
  await tab('Standings').press('End');
  const players = page.getByRole('tabpanel', { name: 'Players' });
  await expect(players.getByRole('listitem').filter({ hasText: 'Ben' }).first()).toContainText('2 of 3 right · 67%');
  await openBen(page);
  await expect(players).toContainText('=1+1');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByText(HARD).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
}

async function holdInEachTab(page: Page): Promise<void> {
  for (const name of ['Standings', 'Questions', 'Players']) {
    await test.step(name, async () => {
      await page.getByRole('tab', { name }).click();
      if (name === 'Players') await openBen(page);
      await holdsAtEveryWidth(page, `host, results, ${name}`);
    });
  }
  await test.step('the menu opens within the window, whatever side of it has room', async () => {
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    for (const width of [768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('button', { name: 'Download' }).click();
      await isNotTooWide(page, `host, the menu of the results at ${String(width)} px`);
      await page.keyboard.press('Escape');
    }
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '';
    });
    await page.setViewportSize(LAPTOP);
  });
}

/** What is in them, also that no text is run by a spreadsheet, is in workbook.test.ts. */
async function download(host: Host): Promise<void> {
  const standings = await host.downloads('Standings (CSV)');
  expect(standings.suggestedFilename()).toMatch(/^Looking-back-.*\.standings\.csv$/);
  const text = await readFile(await standings.path(), 'utf8');
  expect(text.startsWith('\ufeff'), 'the mark by which spreadsheets recognise UTF-8').toBe(true);
  const lines = ['Place,Player,Total,Warming up,Round 2,Right,Right in\u{a0}%', '1,Ann,6,2,4,3,100', '2,Ben,3,2,1,2,67', "3,'@Cleo,0,0,0,0,0"];
  expect(text.slice(1).trimEnd().split('\r\n')).toEqual(lines);
  const book = await host.downloads('Excel');
  expect(book.suggestedFilename()).toMatch(/^Looking-back-.*\.xlsx$/);
  expect((await readFile(await book.path())).subarray(0, 2).toString(), 'the first letters of a workbook').toBe('PK');
}

async function downloadInGerman(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByLabel('Language').selectOption('Deutsch');
  await page.keyboard.press('Escape');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Herunterladen' }).click();
  await page.getByRole('button', { name: 'Rangliste (CSV)' }).click();
  expect(await readFile(await (await coming).path(), 'utf8')).toContain('Platz,Name,Gesamt,Warming up,Runde 2,Richtig,Richtig in\u{a0}%');
}

async function erase(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Players' }).click();
  await openBen(page);
  await page.getByRole('button', { name: 'Erase this name…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase Ben from this game?' });
  await isAccessible(page, 'host, results, erasing');
  await page.setViewportSize({ width: 320, height: 900 });
  await isNotTooWide(page, 'host, results, erasing at 320 px');
  await page.setViewportSize(LAPTOP);
  await dialog.getByLabel('Erase the written answers too').check();
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('The name is erased.');
  await expect(page.getByRole('row').filter({ hasText: 'Player 2' })).toBeVisible();
  await expect(page.getByText('Ben'), 'nowhere on the page').toHaveCount(0);
}
