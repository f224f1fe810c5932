// Between two rounds, on all pages: revealed answers with their explanations, breaks, and phones that wait for the screen; each
// state after a reload, too.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const QUIZ: QuizBody = {
  title: 'Read out',
  rounds: [
    {
      title: 'First',
      questions: [
        {
          ...{ text: 'How many legs has a spider?', type: 'text', correctAnswers: ['eight legs'], points: 1 },
          ...{ explanation: 'Insects have six of them.', hostNote: 'Pause for the arachnologists.' },
        },
        {
          ...{ text: 'Which metal is liquid?', type: 'multiple_choice', choices: ['Iron', 'Mercury'], correctAnswers: ['Mercury'] },
          ...{ points: 1, explanation: 'It melts at −39 °C.' },
        },
      ],
    },
    { title: 'Second', questions: [{ text: 'And now?', type: 'text', correctAnswers: ['now'], points: 1 }] },
  ],
};

test.use({ quiz: QUIZ });

/** Plays the round: Ann knows one of two answers. */
async function playRound(host: Host, ann: Phone): Promise<void> {
  await host.start();
  await host.release(2);
  await ann.write(1, 'six legs');
  await ann.choose(2, 'Mercury');
  await ann.hasStored(1, 2);
  await host.endRound();
}

/** No page is wider than its window. */
async function fits(phone: Phone): Promise<void> {
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await phone.page.evaluate(isWide)).toBe(false);
}

test('answers are revealed one by one, with what explains them', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann');
  await host.start();
  await expect(host.page.getByText('Pause for the arachnologists.').first()).toBeVisible();
  await host.release(2);
  await ann.write(1, 'six legs');
  await ann.choose(2, 'Mercury');
  await ann.hasStored(1, 2);
  await host.endRound();
  await expect(host.page.getByRole('heading', { name: 'The round is over' })).toBeVisible();
  await isAccessible(host.page, 'host, an answer to reveal');
  await ann.seesNoMore('eight legs');
  await host.ofQuestion('Reveal the answer');
  await expect(host.page.getByText('The answer is revealed')).toBeVisible();
  await expect(ann.page.getByTestId('revealed')).toHaveCount(1);
  await ann.sees('eight legs');
  await ann.sees('Insects have six of them.');
  await screen.sees('eight legs');
  await screen.sees('Insects have six of them.');
  expect(await screen.text()).not.toContain('Mercury');
  await isAccessible(ann.page, 'phone, a revealed answer');
  await isAccessible(screen.page, 'screen, a revealed answer');
  await isAccessible(host.page, 'host, a revealed answer');
  await fits(ann);
  for (const [page, name] of [[ann.page, 'phone'], [screen.page, 'screen'], [host.page, 'host']] as const) {
    await keepPicture(page, `revealed-${name}`);
  }

  // The other question is revealed with its key.
  await host.page.getByRole('tab').nth(1).click();
  await host.page.keyboard.press('r');
  await expect(ann.page.getByTestId('revealed')).toHaveCount(2);
  await ann.sees('It melts at −39 °C.');
  await screen.sees('It melts at −39 °C.');
  await ann.page.reload();
  await expect(ann.page.getByTestId('revealed')).toHaveCount(2);
  await host.page.reload();
  await host.isConnected();
  await expect(host.page.getByText('The answer is revealed')).toBeVisible();
  await screen.page.reload();
  await screen.sees('It melts at −39 °C.');
  await keepPicture(screen.page, 'revealed-choice');

  await host.releaseScores();
  await ann.sees('Insects have six of them.');
  await host.nextRound();
  await expect(ann.page.getByTestId('revealed')).toHaveCount(0);
  for (const page of [ann.page, screen.page]) await expect(page.getByText('arachnologists')).toHaveCount(0);
});

test('a break has a clock on every page, and ends with the next step', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann');
  await host.choose('Break');
  const panel = host.page.getByRole('dialog', { name: 'Break' });
  await panel.getByRole('textbox', { name: 'Minutes' }).fill('61');
  await expect(panel.getByRole('button', { name: 'Start the break' })).toBeDisabled();
  await panel.getByRole('textbox', { name: 'Minutes' }).fill('5');
  await panel.getByRole('textbox', { name: 'Message on the screen' }).fill('Drinks are served.');
  await panel.getByRole('button', { name: 'Start the break' }).click();
  await expect(panel, 'the page is free for what waits there').toHaveCount(0);
  await host.choose('Break');
  await expect(panel.getByRole('heading')).toHaveText(['Break']);
  const seen = [ann.page, screen.page, host.page];
  for (const page of seen) {
    await expect(page.getByTestId('break')).toContainText('Drinks are served.');
    await expect(page.getByTestId('break').getByRole('timer')).toHaveText(/^(5:00|4:\d\d)$/);
  }
  await isAccessible(ann.page, 'phone, a break');
  await isAccessible(screen.page, 'screen, a break');
  await isAccessible(host.page, 'host, a break');
  await fits(ann);
  for (const [page, name] of [[ann.page, 'phone'], [screen.page, 'screen'], [host.page, 'host']] as const) {
    await keepPicture(page, `break-${name}`);
    await page.reload();
  }
  await host.isConnected();
  await host.open('clock');
  for (const page of seen) await expect(page.getByTestId('break')).toContainText('Drinks are served.');
  await host.page.getByRole('button', { name: 'End the break' }).click();
  for (const page of seen) await expect(page.getByTestId('break')).toHaveCount(0);
  await host.close();

  await playRound(host, ann);
  await host.choose('Break');
  await panel.getByRole('button', { name: 'Start the break' }).click();
  await host.open('clock');
  for (const page of seen) await expect(page.getByTestId('break')).toBeVisible();
  await expect(screen.page.getByTestId('break')).toContainText(/Coming up\s+Round 2 of 2\s+Second/);
  await isAccessible(screen.page, 'screen, a break before a round');
  await keepPicture(screen.page, 'break-next');
  await ann.page.reload();
  await expect(ann.page.getByTestId('break')).toBeVisible();
  await host.close();
  await host.releaseScores();
  for (const page of seen) await expect(page.getByTestId('break')).toHaveCount(0);
  const wall = host.page.getByRole('region', { name: 'On the screen' });
  await expect(wall).toContainText('On the screen now: answer 1');
  await host.choose('Break');
  await panel.getByRole('button', { name: 'Start the break' }).click();
  await expect(wall).toContainText('On the screen now: Break');
});

test.describe('phones that wait', () => {
  test.use({ options: { phonesAfterScreen: true } });

  test('are shown each answer and then the scores with the screen', async ({ live }) => {
    const host = await live.host();
    const screen = await live.screen(host);
    const ann = await live.guest('Ann');
    await playRound(host, ann);
    await host.releaseScores();
    await screen.sees('eight legs');
    await ann.sees('Your host will show your points soon.');
    await expect(ann.page.getByTestId('revealed')).toHaveCount(1);
    await ann.sees('eight legs');
    await ann.seesNoMore('Mercury');
    await expect(ann.page.getByTestId('tally')).toHaveCount(0);
    await isAccessible(ann.page, 'phone, waits for the screen');
    await keepPicture(ann.page, 'waits-phone');
    await ann.page.reload();
    await ann.sees('Your host will show your points soon.');
    await host.showNext();
    await expect(ann.page.getByTestId('revealed')).toHaveCount(2);
    await host.showNext();
    await expect(ann.page.getByTestId('tally')).toBeVisible();
    await ann.seesNoMore('Your host will show your points soon.');
    await host.nextRound();
    await host.release();
    await ann.write(1, 'now');
    await ann.hasStored(1);
    await host.endRound();
    await host.releaseScores();
    await ann.sees('Your host will show your points soon.');
    await host.endGame();
    await ann.sees('Ann');
    await ann.seesNoMore('Your host will show your points soon.');
  });
});

test('an explanation and a note are written in the editor', async ({ live }) => {
  const host = await live.host();
  await host.page.goto(`${live.server.url}/host`);
  await host.openQuiz('Read out');
  await host.page.getByText('How many legs has a spider?').first().click();
  const explanation = host.page.getByRole('textbox', { name: 'Explanation' });
  await expect(explanation).toHaveValue('Insects have six of them.');
  await expect(host.page.getByRole('textbox', { name: 'Note for the host' })).toHaveValue('Pause for the arachnologists.');
  await explanation.fill('Eight, and no wings.');
  await host.isSaved();
  await isAccessible(host.page, 'editor, explanation and note');
  await host.page.reload();
  await host.page.getByText('How many legs has a spider?').first().click();
  await expect(explanation).toHaveValue('Eight, and no wings.');
});
