// A game that goes question by question: no page says round where a question is meant, also in text for screen readers; and the host is
// sent that the game will end after a question.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

const QUIZ: QuizBody = {
  title: 'A lesson',
  rounds: [
    {
      title: '',
      questions: ['Peru', 'Ghana', 'Nepal'].map((land) => ({
        text: `What is the capital of ${land}?`,
        type: 'multiple_choice' as const,
        choices: ['Lima', 'Accra', 'Kathmandu'],
        correctAnswers: [{ Peru: 'Lima', Ghana: 'Accra', Nepal: 'Kathmandu' }[land] ?? ''],
      })),
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

test('no page speaks of rounds, and the end that the host chooses is said and taken back', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann');
  const said: string[] = [];
  const look = async (where: string) => {
    await host.page.getByRole('button', { name: 'More for this game' }).click();
    const pages = { host: host.page, screen: screen.page, phone: ann.page };
    for (const [name, page] of Object.entries(pages)) said.push(...(await roundsOn(page)).map((text) => `${where}, ${name}: ${text}`));
    await host.page.keyboard.press('Escape');
  };
  await look('lobby');
  await host.start();
  await look('before the question');
  await host.release();
  await ann.sees('What is the capital of Peru?');
  await look('question');
  await ann.page.getByText('Lima').click();
  await ann.hasStored(1);
  await host.step('close_question');
  await expect(host.button('reveal_answer').or(host.button('release_scores'))).toBeVisible();
  await look('closed');
  await host.open('players');
  await expect(host.page.getByRole('dialog')).toContainText('answered');
  await host.close();
  if (await host.button('reveal_answer').isVisible()) await host.step('reveal_answer');
  await look('answer');
  await host.releaseScores();
  await look('points');
  await host.choose('Finish after this question');
  const end = host.page.getByText('The game ends after this question.');
  await expect(end).toBeVisible();
  for (const width of [1440, 390]) {
    await host.page.setViewportSize({ width, height: 900 });
    await isNotTooWide(host.page, `host, the end chosen, at ${String(width)} px`);
    await keepPicture(host.page, `finish-${String(width)}`);
  }
  await host.page.setViewportSize({ width: 1280, height: 800 });
  await isAccessible(host.page, 'host, the end chosen');
  await look('the end chosen');
  await host.page.getByRole('button', { name: 'Don’t finish after this question' }).click();
  await expect(end).toHaveCount(0);
  await host.choose('Finish after this question');
  await host.endGame();
  await ann.sees('You won, Ann');
  await expect(ann.page.getByText('Your best')).toHaveCount(0);
  await keepPicture(ann.page, 'end-390');
  await look('end');
  expect(said).toEqual([]);
});
