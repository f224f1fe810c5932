// The host decides when the end is shown: before that no text of the screen and of a phone has the final order, and the host's own page
// covers it. The messages of that time are those of the stories `v1_standings` of conformance. And a game that is finished early.

import type { Page } from '@playwright/test';

import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import type { Screen } from '../support/screen.ts';

/** One more than a page of the standings has places, without Ann. */
const SEATS = 10;
const WINNER = 'Table 08';
const [FIRST, LEGS, METAL] = ['Who painted “Guernica”?', 'How many legs has a spider?', 'Which metal is liquid at room temperature?'] as const;
const asked = (text: string, answer: string, points: number) => ({ text, type: 'text', correctAnswers: [answer], points });

test.use({
  quiz: {
    title: 'Many seats',
    rounds: [
      { title: 'Paint', questions: [asked(FIRST, 'Picasso', 1)] },
      // Different points, so that every set of right answers has a rank of its own.
      { title: 'The last round', questions: [asked(LEGS, '8', 1), asked(METAL, 'Mercury', 2)] },
      { title: 'Never played', questions: [asked('Not asked?', 'no', 1)] },
    ],
  },
});

/** One wins, and the others share the two places behind. */
const TABLES = Object.fromEntries(
  Array.from({ length: SEATS }, (_, at): [string, Readonly<Record<string, string>>] => {
    const name = `Table ${String(at + 1).padStart(2, '0')}`;
    if (name === WINNER) return [name, { [FIRST]: 'Picasso', [LEGS]: '8', [METAL]: 'Mercury' }];
    return [name, { [LEGS]: at % 2 ? '8' : 'six', [METAL]: at % 2 ? 'Iron' : 'Mercury' }];
  }),
);

/** Records all that the page shows from now on. */
async function record(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    new MutationObserver(() => shown.push(document.body.innerText)).observe(document.body, {
      ...{ childList: true, subtree: true, characterData: true },
    });
  });
}

const shownOn = (page: Page): Promise<string> => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown.join('\n'));

test('the podium is a surprise: no phone and no screen has the order before the host shows it, also in a game that is finished early', async ({ live }) => {
  await live.guests(TABLES);
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Phone of Ann');
  await host.start();
  await test.step('the host finishes after the standings, and takes it back', () => finishesLate(host, screen));
  await host.nextRound();
  await host.release(2);
  await host.unfold();
  for (const line of await host.openQuestions().all()) await expect(line).toContainText(`${String(SEATS)} of`);
  await host.choose('Finish after this round');
  await host.endRound();
  await screen.sees(/Marking/);
  await record(screen.page);
  await host.releaseScores();
  await ann.sees('Your points are in');
  await test.step('whether the game ends is decided while an answer is shown, which stays', () => decides(host));
  await test.step('the host’s own page covers the standings', () => covers(host));
  await test.step('through the questions: shares, and no name', async () => {
    // Ann has not answered, and counts.
    await screen.sees(/^\d+ of 11 right$/);
    await host.showNext();
    await screen.sees('Mercury');
    await expect(host.button('show')).toContainText('the winners');
    expect(await shownOn(screen.page)).not.toContain('Table');
  });
  await test.step('the podium from below, and the winner last', () => unveils(host, screen, ann));
  await host.endGame();
  await ann.sees('The game is over');
  for (const each of [host, ann]) each.watch.verify();
});

async function finishesLate(host: Host, screen: Screen): Promise<void> {
  const panel = host.page.getByRole('region', { name: 'On the screen' });
  await host.release();
  await expect(host.openQuestions().first()).toContainText('1 of');
  await host.endRound();
  await host.releaseScores();
  await host.skipQuestions();
  await host.choose('Finish after this round');
  await screen.sees('And the winners are');
  await expect(panel).toContainText('On the screen now: the winners');
  await host.choose('Don’t finish after this round');
}

async function decides(host: Host): Promise<void> {
  const panel = host.page.getByRole('region', { name: 'On the screen' });
  for (const item of ['Don’t finish after this round', 'Finish after this round']) {
    await host.choose(item);
    await expect(panel).toContainText('On the screen now: answer 1 of 2');
  }
}

async function covers(host: Host): Promise<void> {
  const { page } = host;
  const rows = page.getByRole('listitem').filter({ hasText: /Table \d\d.*\+\d/s });
  await expect(page.getByText('Hidden in case your screen is shared.')).toBeVisible();
  await expect(rows).toHaveCount(0);
  await isAccessible(page, 'host, standings covered');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(rows.first()).toContainText(WINNER);
  await page.reload();
  await host.isConnected();
  await expect(page.getByText('Hidden in case your screen is shared.')).toBeVisible();
  await expect(rows).toHaveCount(0);
}

async function unveils(host: Host, screen: Screen, ann: Phone): Promise<void> {
  while (!(await host.page.getByText('At the same moment, every phone').isVisible())) {
    await host.showNext();
    expect(await shownOn(screen.page), 'the winner').not.toContain(WINNER);
  }
  await ann.page.reload();
  await ann.sees('Your points are in');
  await expect(ann.page.locator('body')).not.toContainText('Table');
  await isAccessible(ann.page, 'phone, standings held');
  await host.showNext();
  await screen.sees(WINNER);
  await isAccessible(screen.page, 'screen, winner of many');
  await ann.sees(WINNER);
  await host.showNext();
  await screen.sees('Places 1 to');
  await isAccessible(screen.page, 'screen, standings of many');
}
