// A game that goes question by question: no page says round where a question is meant, also in text for screen readers; its steps are taken
// with Space, and ask once about answers that no one has checked; and the host reads that the game will end after a question. Its titles
// are in where.test.ts, its numbers in sheet.test.ts.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { type HeldLine, heldLine } from '../support/heldline.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

const ICELAND = 'What is the capital of Iceland?';
const QUIZ: QuizBody = {
  title: 'A lesson',
  rounds: [
    {
      title: '',
      questions: [
        { text: 'What is the capital of Peru?', type: 'multiple_choice', choices: ['Lima', 'Accra', 'Kathmandu, or another city'], correctAnswers: ['Lima'] },
        { text: ICELAND, type: 'text', correctAnswers: ['Reykjavik'] },
        { text: 'What is the capital of Nepal?', type: 'text', correctAnswers: ['Kathmandu'] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ, options: { pace: 'question' } });

/** All words of a page with "round" in them: its texts, also hidden ones, and its labels. */
function roundsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
    for (const labelled of document.body.querySelectorAll('[aria-label]')) texts.push(labelled.getAttribute('aria-label') ?? '');
    return texts.filter((text) => /\brounds?\b/i.test(text)).map((text) => text.trim());
  });
}

test('no page speaks of rounds, Space takes each step, unchecked answers are asked about once, and the end that the host chooses is said and taken back', async ({ live }) => {
  const host = await live.host();
  const line = await heldLine(host.page);
  await host.page.reload();
  await host.isConnected();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann');
  await live.guests({ Owls: { [ICELAND]: 'Reykjavk' } });
  await expect(host.page.getByRole('region', { name: '2 players' })).toContainText('Owls');
  const said: string[] = [];
  const look = async (where: string): Promise<void> => {
    await host.page.getByRole('button', { name: 'More for this game' }).click();
    const pages = { host: host.page, screen: screen.page, phone: ann.page };
    for (const [name, page] of Object.entries(pages)) said.push(...(await roundsOn(page)).map((text) => `${where}, ${name}: ${text}`));
    await host.page.keyboard.press('Escape');
  };
  await look('lobby');
  await takes(host, 'start_game');
  await look('before the question');
  await takes(host, 'release_question');
  await expect(host.page.getByText('Phones show question 1 and take answers.')).toBeVisible();
  await ann.choose(1, 'Lima');
  await ann.hasStored(1);
  await look('question');
  await test.step('while the question closes the button says so, and does nothing', () => closes(host, line));
  await look('closed');
  await host.open('players');
  await expect(host.page.getByRole('dialog')).toContainText('answered');
  await host.close();
  await takes(host, 'reveal_answer');
  await look('answer');
  await holdsAtEveryWidth(host.page, 'host, the shares of the choices', isNotTooWide);
  await takes(host, 'release_scores');
  await look('points');
  await host.nextRound();
  await test.step('unchecked answers are asked about before the answer is shown, and not a second time before the points', () => asksOnce(host, ann));
  await test.step('the end is chosen', () => choosesEnd(host, () => look('the end chosen')));
  await host.endGame();
  await ann.sees('You won, Ann');
  await expect(ann.page.getByText('Your best')).toHaveCount(0);
  await look('end');
  expect(said).toEqual([]);
  for (const each of [host, ann]) each.watch.verify();
});

/** The next step is this one, and Space takes it. */
async function takes(host: Host, step: Parameters<Host['button']>[0]): Promise<void> {
  await expect(host.button(step)).toBeEnabled();
  await host.space();
  await expect(host.button(step)).toHaveCount(0);
}

async function closes(host: Host, line: HeldLine): Promise<void> {
  line.holdOnly('step_update');
  await host.step('close_question');
  await expect(host.button('close_question')).toHaveAccessibleName(/Closing…/);
  await host.space();
  await host.button('close_question').click({ force: true });
  await expect(host.page.getByText('Closed', { exact: true })).toBeVisible();
  await expect(host.button('close_question')).toHaveAccessibleName(/Closing…/);
  line.pass();
  await expect(host.button('reveal_answer')).toHaveText(/Show the answer/);
}

async function asksOnce(host: Host, ann: Phone): Promise<void> {
  await host.release();
  await ann.write(2, 'Reykjavik');
  await ann.hasStored(2);
  await expect(host.page.getByText('1 to check')).toBeVisible();
  await host.step('close_question');
  await expect(host.button('reveal_answer')).toHaveText(/Show the answer/);
  await host.space();
  await expect(host.button('reveal_answer')).toHaveText(/Continue: 1 unchecked counts as wrong/);
  await host.page.keyboard.press('m');
  await host.close();
  await expect(host.button('reveal_answer')).toHaveText(/Show the answer/);
  for (let presses = 0; presses < 2; presses += 1) await host.space();
  await expect(host.page.getByRole('heading', { name: 'The answer is out' })).toBeVisible();
  await host.step('release_scores');
  await expect(host.button('release_scores')).toHaveCount(0);
}

async function choosesEnd(host: Host, look: () => Promise<void>): Promise<void> {
  const { page } = host;
  await host.choose('Finish after this question');
  const end = page.getByText('The game ends after this question.');
  await expect(end).toBeVisible();
  await isAccessible(page, 'host, the end chosen');
  await page.setViewportSize({ width: 390, height: 900 });
  await isNotTooWide(page, 'host, the end chosen, at 390 px');
  await page.setViewportSize(LAPTOP);
  await look();
  await page.getByRole('button', { name: 'Don’t finish after this question' }).click();
  await expect(end).toHaveCount(0);
  await host.choose('Finish after this question');
}
