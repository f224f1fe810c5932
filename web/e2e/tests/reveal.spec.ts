// Between two rounds, on all pages: breaks, phones that wait for the screen, and revealed answers with their explanations; each state
// after a reload, too.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import type { Screen } from '../support/screen.ts';

const QUIZ: QuizBody = {
  title: 'Read out',
  rounds: [
    {
      title: 'First',
      questions: [
        { text: 'How many legs has a beetle?', type: 'text', correctAnswers: ['six of them'], points: 1 },
        { text: 'Which gas is light?', type: 'multiple_choice', choices: ['Xenon', 'Helium'], correctAnswers: ['Helium'], points: 1 },
      ],
    },
    {
      title: 'Second',
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
  ],
};

test.use({ quiz: QUIZ, options: { phonesAfterScreen: true } });

/** What a test of this file looks at. */
interface Pages {
  readonly host: Host;
  readonly screen: Screen;
  readonly ann: Phone;
}

/** A question of each type is answered, the round is over. */
async function playRound({ host, ann }: Pages, text: string, choice: string): Promise<void> {
  await host.release(2);
  await ann.write(1, text);
  await ann.choose(2, choice);
  await ann.hasStored(1, 2);
  await host.endRound();
}

async function pictured({ host, screen, ann }: Pages, state: string): Promise<void> {
  for (const [page, name] of [[ann.page, 'phone'], [screen.page, 'screen'], [host.page, 'host']] as const) {
    await isAccessible(page, `${name}, ${state}`);
  }
}

test('a break has a clock on every page, phones wait for the screen, and answers are revealed one by one with what explains them', async ({ live }) => {
  const host = await live.host();
  const pages = { host, screen: await live.screen(host), ann: await live.guest('Ann') };
  const { screen, ann } = pages;
  await test.step('a break in the lobby', () => takeBreak(pages));
  await host.start();
  await playRound(pages, 'four', 'Helium');
  await test.step('a break before a round says what comes, and ends with the next step', () => breakBeforeRound(pages));
  await test.step('phones are shown each answer and then the points with the screen', () => showWithScreen(pages));
  await host.nextRound();
  for (const page of [ann.page, screen.page]) await expect(page.getByText('six of them')).toHaveCount(0);
  await expect(ann.page.getByTestId('revealed')).toHaveCount(0);
  await expect(host.page.getByText('Pause for the arachnologists.').first()).toBeVisible();
  await playRound(pages, 'six legs', 'Mercury');
  await test.step('answers are revealed while the host marks', () => reveal(pages));
  await test.step('phones wait up to the end', async () => {
    await host.releaseScores();
    await ann.sees('Your host will show your points soon.');
    await host.skipQuestions();
    await host.endGame();
    await ann.sees('Ann');
    await ann.seesNoMore('Your host will show your points soon.');
  });
  for (const page of [ann.page, screen.page]) await expect(page.getByText('arachnologists')).toHaveCount(0);
  for (const each of [host, ann]) each.watch.verify();
});

async function takeBreak(pages: Pages): Promise<void> {
  const { host, screen, ann } = pages;
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
  await pictured(pages, 'a break');
  for (const page of seen) await page.reload();
  await host.isConnected();
  await host.open('clock');
  for (const page of seen) await expect(page.getByTestId('break')).toContainText('Drinks are served.');
  await host.page.getByRole('button', { name: 'End the break' }).click();
  for (const page of seen) await expect(page.getByTestId('break')).toHaveCount(0);
  await host.close();
}

async function breakBeforeRound({ host, screen, ann }: Pages): Promise<void> {
  const seen = [ann.page, screen.page, host.page];
  await startBreak(host);
  await host.open('clock');
  for (const page of seen) await expect(page.getByTestId('break')).toBeVisible();
  await expect(screen.page.getByTestId('break')).toContainText(/Coming up\s+Round 2 of 2\s+Second/);
  await host.close();
  await host.releaseScores();
  for (const page of seen) await expect(page.getByTestId('break')).toHaveCount(0);
  const wall = host.page.getByRole('region', { name: 'On the screen' });
  await expect(wall).toContainText('On the screen now: answer 1');
  await startBreak(host);
  await expect(wall).toContainText('On the screen now: Break');
  await host.open('clock');
  await host.page.getByRole('button', { name: 'End the break' }).click();
  await host.close();
  await expect(wall).toContainText('On the screen now: answer 1');
}

async function startBreak(host: Host): Promise<void> {
  await host.choose('Break');
  await host.page.getByRole('dialog', { name: 'Break' }).getByRole('button', { name: 'Start the break' }).click();
}

/** The screen shows the first answer of a round whose points are released. */
async function showWithScreen({ host, screen, ann }: Pages): Promise<void> {
  await screen.sees('six of them');
  await ann.sees('Your host will show your points soon.');
  await expect(ann.page.getByTestId('revealed')).toHaveCount(1);
  await ann.sees('six of them');
  await ann.seesNoMore('Helium');
  await expect(ann.page.getByTestId('tally')).toHaveCount(0);
  await isAccessible(ann.page, 'phone, waits for the screen');
  await ann.page.reload();
  await ann.sees('Your host will show your points soon.');
  await host.showNext();
  await expect(ann.page.getByTestId('revealed')).toHaveCount(2);
  await host.showNext();
  await expect(ann.page.getByTestId('tally')).toBeVisible();
  await ann.seesNoMore('Your host will show your points soon.');
}

async function reveal(pages: Pages): Promise<void> {
  const { host, screen, ann } = pages;
  await expect(host.page.getByRole('heading', { name: 'The round is over' })).toBeVisible();
  await ann.seesNoMore('eight legs');
  await host.ofQuestion('Reveal the answer');
  await expect(host.page.getByText('The answer is revealed')).toBeVisible();
  await expect(ann.page.getByTestId('revealed')).toHaveCount(1);
  for (const each of [ann, screen]) {
    await each.sees('eight legs');
    await each.sees('Insects have six of them.');
  }
  expect(await screen.text()).not.toContain('Mercury');
  await pictured(pages, 'a revealed answer');

  // The other question is revealed with its key.
  await host.page.getByRole('tab').nth(1).click();
  await host.page.keyboard.press('r');
  await expect(ann.page.getByTestId('revealed')).toHaveCount(2);
  for (const each of [ann, screen]) await each.sees('It melts at −39 °C.');
  await ann.page.reload();
  await expect(ann.page.getByTestId('revealed')).toHaveCount(2);
  await host.page.reload();
  await host.isConnected();
  await expect(host.page.getByText('The answer is revealed')).toBeVisible();
  await screen.page.reload();
  await screen.sees('It melts at −39 °C.');
  await ann.sees('Insects have six of them.');
}
