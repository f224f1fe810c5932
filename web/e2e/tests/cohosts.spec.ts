// Co-hosts in their own browsers: a marker and a moderator with links from the host, the rights of each, and the end of an invitation;
// and the host in two windows at once.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { LAPTOP } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const QUIZ: QuizBody = {
  title: 'Spelling',
  rounds: [
    {
      title: '',
      questions: [
        { text: 'Who painted Guernica?', type: 'text', correctAnswers: ['Picasso'] },
        { text: 'Which colour do you like?', type: 'poll', choices: ['Red', 'Blue'], correctAnswers: [] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

/** A view in light and dark, on a laptop and on a small phone. */
async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of [['wide', LAPTOP], ['small', SMALL_PHONE]] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await isAccessible(page, `${name}, ${size}, ${colorScheme}`);
      await keepPicture(page, `${name}-${size}-${colorScheme}`);
    }
  }
  await page.setViewportSize(LAPTOP);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('the host invites by a dialog, with a link that is shown once', async ({ live }) => {
  const host = await live.host();
  const dialog = await host.coHosts();
  await look(host.page, 'dialog');
  await expect(dialog.getByRole('button', { name: 'Make link' })).toBeDisabled();
  await dialog.getByLabel('Name', { exact: true }).fill('Mia at the counter');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByRole('img', { name: 'Scan to open the invitation' })).toBeVisible();
  await expect(dialog.getByRole('listitem')).toContainText('Mia at the counter');
  await look(host.page, 'invitation');
  await host.page.keyboard.press('Escape');
  await host.coHosts();
  await expect(dialog.getByRole('listitem')).toContainText('Marker');
  await expect(dialog.getByTestId('invitation')).toBeHidden();
  await host.page.keyboard.press('Escape');

  for (let each = 2; each <= 10; each += 1) await host.invite(`Number ${String(each)}`, 'Moderator');
  host.watch.allow(/status of 409/);
  await host.coHosts();
  await dialog.getByLabel('Name', { exact: true }).fill('One too many');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByRole('status')).toContainText('Remove one first');
  host.watch.verify();
});

test('a marker marks beside the host, and takes back nothing but own marks', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  await live.guests({
    Ben: { 'Who painted Guernica?': 'Picaso', 'Which colour do you like?': 'Red' },
    Cleo: { 'Who painted Guernica?': 'Dali' },
    Dora: { 'Who painted Guernica?': 'Pablo' },
  });
  const mia = await live.coHost(await host.invite('Mia', 'Marker'));
  const { page } = mia;
  /** The same after a reload, without the parts that only the host sees. */
  const holds = async (state: string, sees: string): Promise<void> => {
    for (const again of [false, true]) {
      if (again) await page.reload();
      await expect(page.getByText(sees).first(), `${state}${again ? ', after a reload' : ''}`).toBeVisible();
      await expect(page.locator('header').getByText(/Mia.* · Marker/)).toBeVisible();
      await expect(page.locator('[data-step], a[href="/host"]')).toHaveCount(0);
      await expect(page.getByRole('button', { name: /Lock joining|Screens|Co-hosts|More options|Show to all/ })).toHaveCount(0);
    }
    await look(page, `marker-${state}`);
  };
  await holds('lobby', 'You mark the answers.');
  expect(new URL(page.url()).hash, 'no token in the address').toBe('');

  await host.start();
  await host.release(2);
  await ann.write(1, 'Picaso');
  await ann.hasStored(1);
  await page.keyboard.press('l');
  await page.keyboard.press(' ');
  await expect(page.getByText('1 to check')).toBeVisible();
  await holds('question', '1 to check');
  await expect(page.getByRole('radio')).toHaveCount(0);
  for (const each of [page, host.page]) {
    await each.keyboard.press('m');
    await expect(each.getByRole('listbox')).toContainText('Dali');
  }
  await page.getByRole('option').filter({ hasText: 'Dali' }).click();
  await page.keyboard.press('x');
  await expect(host.page.getByRole('listbox')).not.toContainText('Dali');
  for (const each of [mia, host]) await each.close();

  await host.endRound();
  await holds('review', '2 answers');
  await mia.mark('Picaso', 'Right');
  await host.isMarked('Picaso', 'Right');
  await host.mark('Pablo', 'Right');
  await mia.isMarked('Pablo', 'Right');
  await page.keyboard.press('v');
  await mia.undo();
  await host.isUndecided('Picaso');
  await mia.undo();
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeDisabled();
  await host.isMarked('Pablo', 'Right');
  await mia.mark('Dali', 'Right');
  await host.isMarked('Dali', 'Right');
  await host.undo();
  await mia.isMarked('Dali', 'Wrong');
  await expect(host.group('Dali').locator('[data-row]'), 'the host takes back the latest mark, which is the marker’s').toBeFocused();
  await host.isMarked('Pablo', 'Right');
  await mia.mark('Picaso', 'Right');
  await host.isMarked('Picaso', 'Right');

  await host.releaseScores();
  await holds('leaderboard', 'Standings');
  await mia.choose('Correct earlier marks');
  await expect(page.getByRole('dialog')).toContainText('accepted:');
  await mia.close();
  await ann.sees('1,000');
  const result = await host.context.newPage();
  await result.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  await result.getByRole('tab', { name: 'Questions' }).click();
  await result.getByText('All 4 answers').first().click();
  await expect(result.getByRole('listitem').filter({ hasText: 'Picaso' }).last()).toContainText(/marked by .?Mia/);
  await expect(result.getByRole('listitem').filter({ hasText: 'Pablo' }).last()).toContainText('marked by you');
  await look(result, 'results');
  await result.close();

  await host.showWinner();
  await host.endGame();
  await holds('ended', 'Final standings');
  for (const each of [host, mia, ann]) each.watch.verify();
});

test('a moderator looks after the room', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  const ben = await live.guest('Ben');
  const tom = await live.coHost(await host.invite('Tom', 'Moderator'));
  const { page } = tom;
  await tom.lock(true);
  await host.isLocked(true);
  await page.keyboard.press('l');
  await host.isLocked(false);
  const dialog = await tom.ask('Ann', 'Rename');
  await dialog.getByLabel('Name').fill('Annika');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: 'More options for Annika' }).click();
  await expect(page.locator('[data-menu]'), 'no extra time').not.toContainText('Extra time');
  await page.keyboard.press('Escape');
  await tom.ask('Annika', 'Move to another phone');
  await expect(dialog.getByRole('img', { name: 'Scan to keep playing there' })).toBeVisible();
  await look(page, 'moderator-dialog');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(ann.page.locator('header')).toContainText('Annika');
  await tom.remove('Ben');
  await ben.sees('Your host has removed you');
  await expect(host.page.getByText('Ben', { exact: true })).toHaveCount(0);

  await host.start();
  await host.release(1);
  await ann.write(1, 'Picaso');
  await ann.hasStored(1);
  for (const state of ['question', 'review', 'leaderboard']) {
    await test.step(state, async () => {
      if (state === 'review') await host.endRound();
      if (state === 'leaderboard') await host.releaseScores();
      await page.reload();
      await expect(page.getByText('You look after the players.')).toBeVisible();
      await tom.open('players');
      await expect(page.getByText('Annika', { exact: true }).first()).toBeVisible();
      await tom.close();
      await expect(page.locator('[data-step], [role=listbox], [role=tabpanel], details, input')).toHaveCount(0);
      await look(page, `moderator-${state}`);
    });
  }
  for (const each of [host, tom, ann]) each.watch.verify();
});

test('an invitation ends on every page when the host takes it away', async ({ live }) => {
  const host = await live.host();
  const link = await host.invite('Mia', 'Marker');
  const mia = await live.coHost(link);
  mia.watch.allow(/status of 401/);
  await expect(mia.page.getByText('You mark the answers.')).toBeVisible();
  await test.step('of two windows with the link one runs the game', async () => {
    const other = await mia.context.newPage();
    await other.goto(`${live.server.url}/host/invited${new URL(link).hash}`);
    await expect(mia.page.getByText('This invitation is open in another window.')).toBeVisible();
    await isAccessible(mia.page, 'an invitation that is open elsewhere');
    await mia.page.getByRole('button', { name: 'Use it here' }).click();
    await expect(other.getByText('This invitation is open in another window.')).toBeVisible();
    await expect(mia.page.getByText('This invitation is open in another window.')).toBeHidden();
    await other.close();
  });
  await test.step('in the browser of the host it is the page of the co-host', async () => {
    const own = await host.context.newPage();
    await own.goto(`${live.server.url}/host/invited${new URL(link).hash}`);
    await expect(own.locator('header').getByText(/Mia.* · Marker/)).toBeVisible();
    await expect(own.getByRole('button', { name: /^Account:/ })).toHaveCount(0);
    await mia.page.getByRole('button', { name: 'Use it here' }).click();
    await expect(own.getByText('This invitation is open in another window.')).toBeVisible();
    await own.close();
  });
  await host.removeCoHost('Mia');
  await expect(mia.page.getByText('The host has ended your invitation.')).toBeVisible();
  await look(mia.page, 'ended');
  await mia.page.reload();
  await expect(mia.page.getByRole('heading', { name: 'This invitation isn’t valid any more' })).toBeVisible();
  await look(mia.page, 'void');
  for (const each of [host, mia]) each.watch.verify();
});

test('a co-host with the role of the host leads the game to its end', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  const sam = await live.coHost(await host.invite('Sam', 'Host'));
  await sam.isConnected();
  await sam.page.getByRole('button', { name: 'More for this game' }).click();
  await expect(sam.page.locator('[data-menu]')).not.toContainText('Co-hosts');
  await sam.page.keyboard.press('Escape');
  await sam.page.getByRole('button', { name: 'Pair a TV' }).click();
  await sam.page.getByRole('button', { name: 'Get a link instead' }).click();
  await expect(sam.page.getByRole('dialog').getByText('/screen#')).toBeVisible();
  await sam.page.keyboard.press('Escape');
  await sam.start();
  await sam.release(1);
  await ann.write(1, 'Picasso');
  await ann.hasStored(1);
  await sam.endRound();
  await sam.releaseScores();
  await sam.showWinner();
  await ann.sees('1,000');
  await look(sam.page, 'host-leaderboard');
  await sam.endGame();
  await expect(host.page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expect(sam.page.getByRole('heading', { name: 'Final standings' })).toBeVisible();
  await sam.page.reload();
  await expect(sam.page.getByRole('heading', { name: 'Final standings' })).toBeVisible();
  await expect(sam.page.getByRole('button', { name: /Play again|Next quiz/ })).toHaveCount(0);
  for (const each of [host, sam, ann]) each.watch.verify();
});

test('the host runs a game from two windows, each with all that the host has', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  const desk = await host.context.newPage();
  await desk.goto(`${live.server.url}/host/games/${live.game.id}`);
  await expect(host.page.getByText('hosting this game in another window')).toBeVisible();
  await isAccessible(host.page, 'host, in another window');
  await keepPicture(host.page, 'elsewhere');
  await host.page.getByRole('button', { name: 'Host on both devices' }).click();
  await host.isConnected();
  await expect(desk.locator('[data-step] button').first()).toBeEnabled();
  await host.start();
  await desk.locator('[data-step="release_question"] button').click();
  await expect(host.openQuestions()).toHaveCount(1);
  await host.page.reload();
  await host.isConnected();
  await expect(desk.getByText('hosting this game in another window')).toBeHidden();
  await ann.write(1, 'Picaso');
  await ann.hasStored(1);
  await host.endRound();
  await host.mark('Picaso', 'Right');
  await expect(desk.getByRole('button', { name: 'Undo (1)' })).toBeEnabled();

  await desk.getByRole('button', { name: 'More for this game' }).click();
  await desk.getByRole('button', { name: 'Co-hosts', exact: true }).click();
  await desk.getByRole('button', { name: /^Remove .?Second device/ }).click();
  await desk.getByRole('button', { name: /^Yes, remove .?Second device/ }).click();
  await expect(host.page.getByText('hosting this game in another window')).toBeVisible();
  await desk.keyboard.press('Escape');
  await host.page.getByRole('button', { name: 'Host here' }).click();
  await host.isConnected();
  await expect(desk.getByText('hosting this game in another window')).toBeVisible();

  await live.screen(host);
  await host.releaseScores();
  await host.showWinner();
  await desk.getByRole('button', { name: 'Host on both devices' }).click();
  const screen = desk.getByRole('region', { name: 'On the screen' });
  await expect(screen, 'where the other window has turned it to').toContainText('On the screen now: the winner');
  for (const each of [host, ann]) each.watch.verify();
});
