// Tags, the search on the home page, questions taken from another quiz and copied to others, and a question's history; new parts with
// the keyboard.

import type { Page } from '@playwright/test';

import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { WHOLE_QUIZ } from '../support/quizzes.ts';

const headers = (token: string) => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });

test('quizzes are tagged and found, and questions are taken from another quiz', async ({ live }) => {
  const { url } = live.server;
  const question = { text: 'Which sea is west of Japón?', type: 'text', correctAnswers: ['Sea of Japan'], tags: ['Seas'] };
  const body = JSON.stringify({ title: 'Water', tags: ['School'], rounds: [{ title: '', questions: [question] }] });
  expect((await fetch(`${url}/api/v1/quizzes`, { method: 'POST', headers: headers(live.token), body })).status).toBe(201);
  const host = await live.host();
  const { page } = host;
  await page.goto(`${url}/host`);
  const quizzes = page.getByTestId('quiz');
  await expect(quizzes).toHaveCount(3);
  await expect(page.getByLabel('Search quizzes'), 'few quizzes are seen without a search').toHaveCount(0);
  for (let number = 1; number <= 5; number += 1) {
    const another = JSON.stringify({ title: `Quiz ${String(number)}`, rounds: [{ title: '', questions: [{ text: 'How many?', type: 'numeric', correctAnswers: ['4'] }] }] });
    await fetch(`${url}/api/v1/quizzes`, { method: 'POST', headers: headers(live.token), body: another });
  }
  await page.reload();

  await test.step('the home page finds a quiz by a word of a question, and by a tag', async () => {
    await expect(quizzes.filter({ hasText: 'School' })).toHaveCount(1);
    const all = await quizzes.count();
    await page.getByLabel('Search quizzes').fill('JAPON');
    await expect(page.getByText('1 quiz found')).toBeVisible();
    await expect(quizzes).toHaveCount(1);
    await isAccessible(page, 'host, a search');
    await keepPicture(page, 'search');
    await page.getByLabel('Search quizzes').fill('no such word');
    await expect(page.getByText('Nothing found. Try other words.')).toBeVisible();
    await page.getByLabel('Search quizzes').fill('');
    await page.getByLabel('Tag', { exact: true }).selectOption('School');
    await expect(quizzes).toHaveCount(1);
    await page.setViewportSize({ width: 320, height: 640 });
    await isAccessible(page, 'host, a search at 320 px');
    await keepPicture(page, 'search-320');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('Tag', { exact: true }).selectOption('Any tag');
    await expect(quizzes).toHaveCount(all);
  });

  await test.step('a question is taken into another quiz, with the keyboard', async () => {
    await host.openQuiz(WHOLE_QUIZ.title);
    await expect(page.getByTestId('question')).toHaveCount(5);
    await page.getByRole('button', { name: 'Import and export' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add questions from other quizzes' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add questions from other quizzes' });
    await dialog.getByLabel('Search questions').fill('sea japan');
    await expect(dialog.getByText('1 question found')).toBeVisible();
    await dialog.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await isAccessible(page, 'host, taking questions');
    await keepPicture(page, 'taking');
    await page.setViewportSize({ width: 320, height: 640 });
    await isAccessible(page, 'host, taking questions at 320 px');
    await keepPicture(page, 'taking-320');
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Add 1 question' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByTestId('question')).toHaveCount(6);
  });

  await test.step('its tags come with it, and the quiz gets tags of its own', async () => {
    await page.getByTestId('question').last().getByRole('button').first().click();
    await expect(page.locator('.form [data-part=tags]')).toHaveValue('Seas');
    await page.locator('.form [data-part=tags]').fill(`Seas, ${'x'.repeat(41)}`);
    await (await host.settings()).getByLabel('Tags of the quiz').fill('Evening, Friends');
    await isAccessible(page, 'host, the settings of a quiz');
    await page.keyboard.press('Escape');
    await page.locator('.form [data-part=tags]').fill('Seas, Asia');
    await host.isSaved();
    await isAccessible(page, 'host, tags in the editor');
    await keepPicture(page, 'tags');
    const found = await fetch(`${url}/api/v1/questions?tag=asia`, { headers: headers(live.token) });
    expect(await found.json()).toMatchObject({ questions: [{ quizTitle: WHOLE_QUIZ.title, question: { tags: ['Seas', 'Asia'] } }] });
  });
  host.watch.verify();
});

test('questions are copied to other quizzes, and the editor shows when one was asked', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await live.guests({ Ann: { 'Which city is the capital of Iceland?': 'Reykjavik' } });
  await host.start();
  await host.release();
  await expect(host.openQuestions().first()).toContainText('1 of 1');
  await host.endRound();
  await host.releaseScores();
  await host.choose('Finish after this round');
  await host.endGame();
  await page.goto(`${live.server.url}/host`);
  await host.openQuiz(WHOLE_QUIZ.title);
  await test.step('questions are copied into a new quiz and into one that is there', () => copy(page));
  await test.step('a question says when it was asked, also after an edit', () => readHistory(host));
  host.watch.verify();
});

async function copy(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Copy questions to another quiz' });

  await test.step('into a new quiz, with the keyboard', async () => {
    await page.getByRole('button', { name: 'Import and export' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy questions' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Select at least one question.' })).toBeDisabled();
    await dialog.getByLabel('Which city is the capital of Iceland?').focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('By the lamp').focus();
    await page.keyboard.press('Space');
    await isAccessible(page, 'host, copying questions');
    await keepPicture(page, 'copying');
    await page.setViewportSize({ width: 360, height: 640 });
    await isAccessible(page, 'host, copying questions at 360 px');
    await keepPicture(page, 'copying-360');
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Copy 3 questions' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Open quiz' }).click();
    await expect(page.getByTestId('question')).toHaveCount(3);
    await expect(page.getByLabel('Quiz title')).toHaveValue(`${WHOLE_QUIZ.title} (copy)`);
  });

  await test.step('into the quiz that is there, behind its rounds', async () => {
    await page.getByRole('button', { name: 'Import and export' }).click();
    await page.getByRole('button', { name: 'Copy questions' }).click();
    await dialog.getByLabel('Copy to').selectOption(WHOLE_QUIZ.title);
    await dialog.getByLabel('Warming up').check();
    await dialog.getByRole('button', { name: 'Copy 1 question' }).click();
    await page.getByRole('button', { name: 'Open quiz' }).click();
    await expect(page.getByLabel('Quiz title')).toHaveValue(WHOLE_QUIZ.title);
    await expect(page.getByTestId('question')).toHaveCount(6);
  });
}

async function readHistory(host: Host): Promise<void> {
  const { page } = host;
  const first = page.getByTestId('question').first();
  await first.getByRole('button').first().click();
  const history = page.getByText('Asked in 1 game');
  await expect(history).toBeVisible();
  await history.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 1 answered')).toBeVisible();
  await isAccessible(page, "host, a question's history");
  await keepPicture(page, 'history');
  await first.locator('[data-part=text]').fill('Another wording?');
  await host.isSaved();
  await page.reload();
  await page.getByTestId('question').first().getByRole('button').first().click();
  await expect(page.getByText('Asked in 1 game')).toBeVisible();
}
