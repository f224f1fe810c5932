// The replay of a game: for its host on every width, forwards, backwards and played, and behind a results link once it is shared.

import { hasSoundLayout } from '../layout.ts';
import { hasMomentOfQuestion } from '../support/api.ts';
import { isAccessible, isNotTooWide, Watch } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

const QUESTION = 'Which city is the capital of Iceland?';
const QUIZ = {
  title: 'A short quiz',
  rounds: [{ title: 'Cities', questions: [{ text: QUESTION, type: 'text', correctAnswers: ['Reykjavík'], timeLimit: 60 }] }],
};
const WIDTHS = [1440, 1024, 768, 390, 320];

test.use({ quiz: QUIZ });

test('a game is shown again, moment by moment, to its host and by a link', async ({ live, browser }) => {
  const host = await live.host();
  await live.guests({ Mira: { [QUESTION]: 'Reykjavík' }, Jonas: { [QUESTION]: 'no idea' } });
  await host.start();
  await host.release(1);
  // A screen is sent a picture every 250 ms: a question that is open for less is no moment.
  await expect.poll(() => hasMomentOfQuestion(live.server.url, live.token, live.game.id)).toBe(true);
  await host.endRound();
  await host.releaseScores();
  await host.endGame();

  const { page } = host;
  await page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  await page.getByRole('link', { name: 'Replay' }).click();
  const stage = page.getByTestId('stage');
  const slider = page.getByRole('slider', { name: 'Moment of the game' });
  const desk = page.getByRole('region', { name: 'Play the replay' });
  await expect(stage).toContainText(live.game.gameCode.slice(0, 3));
  await expect(slider).toHaveAttribute('aria-valuetext', /^Lobby, 1 of \d+$/);

  await test.step('it steps with the keys, the slider and the list of its parts', async () => {
    await page.getByRole('heading', { name: 'Replay' }).click();
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', /2 of/);
    await page.keyboard.press('ArrowLeft');
    await expect(slider).toHaveAttribute('aria-valuetext', /1 of/);
    await expect(desk.getByRole('button', { name: 'Step back' })).toBeDisabled();
    await desk.getByLabel('Go to').selectOption({ label: 'Round 1, question 1' });
    await expect(stage.getByRole('heading', { name: QUESTION })).toBeVisible();
    await expect(stage.getByRole('timer').first(), 'with the time of then').toHaveText(/^(1:00|0:5\d)$/);
    await slider.focus();
    await page.keyboard.press('End');
    await expect(stage).toContainText('Mira');
    await expect(desk.getByRole('button', { name: 'Step forward' })).toBeDisabled();
  });

  await test.step('it looks right at every width', async () => {
    for (const part of ['Lobby', 'Round 1, question 1', 'Top three']) {
      await desk.getByLabel('Go to').selectOption({ label: part });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width > 700 ? 900 : 700 });
        await isNotTooWide(page, `${part} at ${String(width)}`);
        await keepPicture(page, `replay-${part.replaceAll(/\W+/g, '-')}-${String(width)}`);
        if (width === 1440 || width === 320) await isAccessible(page, `the replay, ${part}, at ${String(width)}`);
      }
    }
    await hasSoundLayout(page, 'the replay on a small phone');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('it plays from the beginning to the end', async () => {
    await desk.getByLabel('Speed').selectOption('20×');
    await desk.getByRole('button', { name: 'Play' }).click();
    await expect(slider).toHaveAttribute('aria-valuetext', /Top three, (\d+) of \1$/);
    await expect(desk.getByRole('button', { name: 'Play' })).toBeVisible();
  });

  await page.getByRole('link', { name: 'Back to the results' }).click();
  await page.getByRole('button', { name: 'Share by link' }).click();
  await page.getByRole('button', { name: 'Make link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Results by link' });
  const address = await dialog.getByLabel('Link', { exact: true }).inputValue();

  await test.step('a link shows it only if the host shares it', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' });
    const watch = new Watch(context);
    const guest = await context.newPage();
    await guest.goto(`${live.server.url}/results#${new URL(address).hash.slice(1)}`);
    await expect(guest.getByText('Mira')).toBeVisible();
    await expect(guest.getByRole('link', { name: 'Replay' })).toHaveCount(0);
    const share = dialog.getByRole('checkbox', { name: 'Also show the replay' });
    await share.check();
    await expect(share).toBeChecked();
    await keepPicture(page, 'replay-share');
    await guest.reload();
    await guest.getByRole('link', { name: 'Replay' }).click();
    await expect(guest.getByTestId('stage')).toContainText('A short quiz');
    await isAccessible(guest, 'the shared replay');
    await keepPicture(guest, 'replay-shared-390');
    await guest.getByRole('link', { name: 'Back to the results' }).click();
    await expect(guest.getByRole('heading', { name: 'Final standings' })).toBeVisible();
    watch.verify();
    await context.close();
  });
});
