// Co-hosts in their own browsers, with links from the host: the rights of a marker, a moderator and a second host, and the end of an
// invitation. The host in two windows is in desk.spec.ts.

import type { Page } from '@playwright/test';

import type { CoHostRole, QuizBody } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { heldLine } from '../support/heldline.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const PAINTED = 'Who painted Guernica?';
const QUIZ: QuizBody = {
  title: 'Spelling',
  rounds: [
    {
      title: '',
      questions: [
        { text: PAINTED, type: 'text', correctAnswers: ['Picasso'] },
        { text: 'Which colour do you like?', type: 'poll', choices: ['Red', 'Blue'], correctAnswers: [] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

/** A view on a small phone in dark, and its layout on a laptop, on which the same parts are in light on the pages of the host. */
async function look(page: Page, name: string): Promise<void> {
  await page.setViewportSize(SMALL_PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await isAccessible(page, `${name}, small, dark`);
  await keepPicture(page, `${name}-small-dark`);
  await page.setViewportSize(LAPTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await isNotTooWide(page, `${name}, wide`);
  await keepPicture(page, `${name}-wide-light`);
}

/** A co-host with this role, who has opened the link. */
async function invited(live: LiveGame, label: string, role: CoHostRole): Promise<Host> {
  const { url } = await new HostApi(live.server.url, live.token).inviteCoHost(live.game.id, { label, role });
  return live.coHost(url);
}

test('the host invites by a link that is shown once; a marker marks, and takes back nothing but own marks; a moderator looks after the room; an invitation ends on every page', async ({ live }) => {
  const host = await live.host();
  await live.guests({ Ann: { [PAINTED]: 'Picaso' }, Ben: { [PAINTED]: 'Picaso', 'Which colour do you like?': 'Red' }, Cleo: { [PAINTED]: 'Dali' }, Dora: { [PAINTED]: 'Pablo' }, Rude: {} });
  const link = await test.step('a link is made, and shown once', () => invite(host));
  await test.step('an eleventh is refused, and the dialog says what to do', () => isFull(live, host));
  const mia = await live.coHost(link);
  mia.watch.allow(/status of 401/);
  await expect(mia.page.getByText('You mark the answers.')).toBeVisible();
  await isOnlyMarker(mia, 'lobby');
  expect(new URL(mia.page.url()).hash, 'no token in the address').toBe('');
  await test.step('of two windows with the link one runs the game', () => openTwice(live, host, mia, link));
  const tom = await invited(live, 'Tom', 'moderator');
  await test.step('the moderator locks, renames and removes', () => moderate(host, tom));

  await host.start();
  await host.release();
  await expect(host.openQuestions().first()).toContainText('4 of 4');
  await host.release();
  await test.step('the marker starts nothing, and decides while answers come', () => markLive(host, mia));
  await test.step('the moderator sees the players, and nothing of the game, also after a reload', () => isOnlyModerator(tom));
  await host.endRound();
  await holds(mia, 'review', '2 answers');
  await test.step('each takes back own marks, the host also those of the marker', () => takeBack(host, mia));

  await host.releaseScores();
  await expect(mia.page.getByText('Standings').first()).toBeVisible();
  await isOnlyMarker(mia, 'leaderboard');
  await mia.choose('Correct earlier marks');
  await expect(mia.page.getByRole('dialog')).toContainText('accepted:');
  await mia.close();
  await test.step('the host takes the invitation away', () => endInvitation(host, mia));
  await test.step('the results say who marked', () => saysWhoMarked(live, host));
  for (const each of [host, mia, tom]) each.watch.verify();
});

async function invite(host: Host): Promise<string> {
  const dialog = await host.coHosts();
  await expect(dialog.getByRole('button', { name: 'Make link' })).toBeDisabled();
  await dialog.getByLabel('Name', { exact: true }).fill('Mia');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByRole('img', { name: 'Scan to open the invitation' })).toBeVisible();
  await expect(dialog.getByRole('listitem')).toContainText('Mia');
  await look(host.page, 'invitation');
  const link = await dialog.getByTestId('invitation').locator('code').innerText();
  await host.close();
  await host.coHosts();
  await expect(dialog.getByRole('listitem')).toContainText('Marker');
  await expect(dialog.getByTestId('invitation')).toBeHidden();
  await host.close();
  return link;
}

async function isFull(live: LiveGame, host: Host): Promise<void> {
  const api = new HostApi(live.server.url, live.token);
  const others: string[] = [];
  for (let each = 2; each <= 10; each += 1) others.push((await api.inviteCoHost(live.game.id, { label: `Number ${String(each)}`, role: 'moderator' })).coHostId);
  host.watch.allow(/status of 409/);
  const dialog = await host.coHosts();
  await dialog.getByLabel('Name', { exact: true }).fill('One too many');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByRole('status')).toContainText('Remove one first');
  await host.close();
  for (const each of others) await api.removeCoHost(live.game.id, each);
}

/** In the browser of the host the link leads to the page of the co-host. */
async function openTwice(live: LiveGame, host: Host, mia: Host, link: string): Promise<void> {
  const elsewhere = 'This invitation is open in another window.';
  const own = await host.context.newPage();
  await own.goto(`${live.server.url}/host/invited${new URL(link).hash}`);
  await expect(own.locator('header').getByText(/Mia.* · Marker/)).toBeVisible();
  await expect(own.getByRole('button', { name: /^Account:/ })).toHaveCount(0);
  await expect(mia.page.getByText(elsewhere)).toBeVisible();
  await isAccessible(mia.page, 'an invitation that is open elsewhere');
  await mia.page.getByRole('button', { name: 'Use it here' }).click();
  await expect(own.getByText(elsewhere)).toBeVisible();
  await expect(mia.page.getByText(elsewhere)).toBeHidden();
  await own.close();
  await host.page.bringToFront();
}

async function endInvitation(host: Host, mia: Host): Promise<void> {
  await host.removeCoHost('Mia');
  await expect(mia.page.getByText('The host has ended your invitation.')).toBeVisible();
  await look(mia.page, 'ended');
  await mia.page.reload();
  await expect(mia.page.getByRole('heading', { name: 'This invitation isn’t valid any more' })).toBeVisible();
  await look(mia.page, 'void');
}

async function saysWhoMarked(live: LiveGame, { page }: Host): Promise<void> {
  await page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  await page.getByRole('tab', { name: 'Questions' }).click();
  await page.getByText('All 4 answers').first().click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Picaso' }).last()).toContainText(/marked by .?Mia/);
  await expect(page.getByRole('listitem').filter({ hasText: 'Pablo' }).last()).toContainText('marked by you');
  await isAccessible(page, 'results with the names of markers');
}

/** The marker’s page without the parts that only the host sees. */
async function isOnlyMarker({ page }: Host, state: string): Promise<void> {
  await expect(page.locator('header').getByText(/Mia.* · Marker/)).toBeVisible();
  await expect(page.locator('[data-step], a[href="/host"]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Lock joining|Screens|Co-hosts|More options|Show to all/ })).toHaveCount(0);
  // In the lobby the page is nearly empty.
  if (state !== 'lobby') await look(page, `marker-${state}`);
}

/** The marker’s page shows this after a reload. */
async function holds(mia: Host, state: string, sees: string): Promise<void> {
  await mia.page.reload();
  await expect(mia.page.getByText(sees).first(), `${state}, after a reload`).toBeVisible();
  await isOnlyMarker(mia, state);
}

async function moderate(host: Host, tom: Host): Promise<void> {
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
  await tom.remove('Rude');
  await expect(host.page.getByText('Annika', { exact: true }).first()).toBeVisible();
  await expect(host.page.getByText('Rude', { exact: true })).toHaveCount(0);
}

async function isOnlyModerator(tom: Host): Promise<void> {
  const { page } = tom;
  await page.reload();
  await expect(page.getByText('You look after the players.')).toBeVisible();
  await tom.open('players');
  await expect(page.getByText('Annika', { exact: true }).first()).toBeVisible();
  await tom.close();
  await expect(page.locator('[data-step], [role=listbox], [role=tabpanel], details, input')).toHaveCount(0);
  // The page is the same in every phase.
  await look(page, 'moderator');
}

async function markLive(host: Host, mia: Host): Promise<void> {
  const { page } = mia;
  await page.keyboard.press('l');
  await page.keyboard.press(' ');
  await holds(mia, 'question', '1 to check');
  await expect(page.getByRole('radio')).toHaveCount(0);
  for (const each of [page, host.page]) {
    await each.keyboard.press('m');
    await expect(each.getByRole('listbox')).toContainText('Dali');
  }
  await page.getByRole('option').filter({ hasText: 'Dali' }).click();
  await page.keyboard.press('x');
  await expect(host.page.getByRole('listbox')).not.toContainText('Dali');
  for (const each of [mia, host]) await each.close();
  await host.isLocked(false);
}

async function takeBack(host: Host, mia: Host): Promise<void> {
  const { page } = mia;
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
}

test('two hosts who press Space at once take one step, and the invited one leads the game to its end', async ({ live }) => {
  const host = await live.host();
  await new HostApi(live.server.url, live.token).addScreen(live.game.id);
  await live.guests({ Ann: { [PAINTED]: 'Picasso' } });
  const sam = await invited(live, 'Sam', 'host');
  const line = await heldLine(sam.page);
  await sam.page.reload();
  await sam.isConnected();
  await sam.page.getByRole('button', { name: 'More for this game' }).click();
  await expect(sam.page.locator('[data-menu]')).not.toContainText('Co-hosts');
  await sam.page.keyboard.press('Escape');
  for (const step of ['start_game', 'release_question', 'release_question', 'end_round', 'release_scores'] as const) {
    const label = await host.button(step).innerText();
    for (const each of [host, sam]) await expect(each.button(step)).toHaveText(label, { useInnerText: true });
    // Whatever the machine does meanwhile, the second page has not been sent the step of the first when its own key is pressed.
    line.hold();
    await host.space();
    await expect(host.page.locator('[data-step]')).not.toHaveText(label, { useInnerText: true });
    await sam.space();
    line.pass();
    await expect(sam.page.locator('[data-step]')).not.toHaveText(label, { useInnerText: true });
  }
  for (const each of [host, sam]) {
    const panel = each.page.getByRole('region', { name: 'On the screen' });
    await expect(panel, 'each step was taken once').toHaveAttribute('data-at', '0');
  }
  await sam.showWinner();
  await expect(sam.page.getByRole('listitem').filter({ hasText: 'Ann' }).first()).toContainText('1,000');
  await sam.endGame();
  await expect(host.page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expect(sam.page.getByRole('heading', { name: 'Final standings' })).toBeVisible();
  await sam.page.reload();
  await expect(sam.page.getByRole('heading', { name: 'Final standings' })).toBeVisible();
  await expect(sam.page.getByRole('button', { name: /Play again|Next quiz/ })).toHaveCount(0);
  for (const each of [host, sam]) each.watch.verify();
});
