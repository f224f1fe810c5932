// Results by a link: the host shares and revokes them, a player and a stranger open the link on a phone.

import { readFileSync } from 'node:fs';

import type { Results } from '../../sdk/src/generated/protocol.ts';
import { results } from '../support/api.ts';
import { isAccessible, Watch } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const [QUESTION, KEY, TITLE] = ['Which city is the capital of Iceland?', 'Reykjavík', 'A short quiz'];
const QUIZ = {
  title: TITLE,
  rounds: [
    {
      title: 'Cities',
      questions: [
        { text: QUESTION, type: 'text', correctAnswers: [KEY] },
        { text: 'From north to south', type: 'order', choices: ['Rome', 'Oslo'], correctAnswers: ['Oslo', 'Rome'] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

test('the released results are shown to everyone with the link until it is revoked', async ({ live, browser }) => {
  const host = await live.host();
  await live.guests({ Mira: { [QUESTION]: KEY }, Jonas: { [QUESTION]: 'no idea' } });
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await host.start();
  await host.release(2);
  const answered = async (): Promise<number> => {
    const { rounds } = (await results(live.server.url, live.token, live.game.id)) as Results;
    return rounds.flatMap(({ questions }) => questions.flatMap(({ answers }) => answers)).length;
  };
  await expect.poll(answered).toBe(2);
  await host.endRound();
  await host.releaseScores();
  await host.endGame();
  await host.page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  const share = host.page.getByRole('button', { name: 'Share by link' });
  await share.click();
  const dialog = host.page.getByRole('dialog', { name: 'Results by link' });
  await expect(dialog).toContainText('Names and points of all players can be seen by all who have the link.');
  await isAccessible(host.page, 'before there is a link');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await host.page.reload();
  await share.click();
  await expect(dialog.getByLabel('Link'), 'the first press makes none').toHaveCount(0);
  for (const width of [1440, 390]) {
    await host.page.setViewportSize({ width, height: 900 });
    await keepPicture(host.page, `share-ask-${String(width)}`);
  }
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByLabel('Link')).toBeFocused();
  const link = await dialog.getByLabel('Link').inputValue();
  expect(link).toMatch(/\/results#qr_[\w-]{43}$/);
  await isAccessible(host.page, 'the link to the results');
  await keepPicture(host.page, 'host-share');

  const token = link.split('#')[1] ?? '';
  const address = `${live.server.url}/results#${token}`;
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, locale: 'en-GB' });
  const watch = new Watch(context);
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Final standings' })).toBeVisible();
  await expect(page.getByText('Mira')).toBeVisible();
  await expect(page.getByText(`Right answer: ${KEY}`)).toBeVisible();
  await expect(page.getByText('Right answer:').first(), 'the hardest question is first').toContainText(/Oslo\s*Rome/);
  await expect(page.getByText('1 of 3 right')).toBeVisible();
  await expect(page.getByText('Your answer')).toHaveCount(0);
  await isAccessible(page, 'shared results at 320 px');
  await keepPicture(page, 'shared-small');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('Mira');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByText('Mira')).toBeVisible();
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await isAccessible(page, 'shared results in the dark');

  await test.step('the phone of a player knows its own answers', async () => {
    await ann.page.goto(address);
    await expect(ann.page.getByText('Your answer').first()).toBeVisible();
    await isAccessible(ann.page, 'shared results of a player');
    await keepPicture(ann.page, 'shared-own');
  });

  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(host.page.getByText('The link doesn’t work any more.')).toBeVisible();
  watch.allow(/404/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No results here' })).toBeVisible();
  await isAccessible(page, 'shared results, revoked');
  watch.verify();
  await context.close();
});
