// Tags, the search on the home page, questions taken from another quiz and copied to others, and a question's history; new parts with
// the keyboard.

import type { Page } from '@playwright/test';

import { HostApi } from '../../sdk/src/hostapi.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { WHOLE_QUIZ } from '../support/quizzes.ts';

const NARROW = { width: 320, height: 640 } as const;

test('quizzes are tagged and found, questions are taken from another quiz and copied to others, and the editor shows when one was asked', async ({ live, browser }) => {
  const { url } = live.server;
  const api = new HostApi(url, live.token);
  await play(live);
  const sea = { text: 'Which sea is west of Japón?', type: 'text', correctAnswers: ['Sea of Japan'], tags: ['Seas'] };
  await api.createQuiz({ title: 'Water', tags: ['School'], rounds: [{ title: '', questions: [sea] }] });
  await using host = await Host.open(browser, `${url}/host`, { session: live.session });
  const { page } = host;
  const quizzes = page.getByTestId('quiz');
  await expect(quizzes).toHaveCount(3);
  await expect(page.getByLabel('Search quizzes'), 'few quizzes are seen without a search').toHaveCount(0);
  for (let number = 1; number <= 5; number += 1) {
    await api.createQuiz({ title: `Quiz ${String(number)}`, rounds: [{ title: '', questions: [{ text: 'How many?', type: 'numeric', correctAnswers: ['4'] }] }] });
  }
  await page.reload();
  await test.step('the home page finds a quiz by a word of a question, and by a tag', () => find(page));
  await host.openQuiz(WHOLE_QUIZ.title);
  await test.step('questions are copied into a new quiz and into one that is there', () => copy(page));
  await test.step('a question is taken into another quiz, with the keyboard', () => take(page));
  await test.step('its tags come with it, and the quiz gets tags of its own', () => tag(host));
  const found = await fetch(`${url}/api/v1/questions?tag=asia`, { headers: { Authorization: `Bearer ${live.token}` } });
  expect(await found.json()).toMatchObject({ questions: [{ quizTitle: WHOLE_QUIZ.title, question: { tags: ['Seas', 'Asia'] } }] });
  await test.step('a question says when it was asked, also after an edit', () => readHistory(host));
  host.watch.verify();
});

/** One question is asked in a game, and answered. */
async function play(live: LiveGame): Promise<void> {
  await live.guests({ Ann: { 'Which city is the capital of Iceland?': 'Reykjavik' } });
  const runner = await live.runner();
  await runner.start();
  await runner.release();
  await runner.counts(1, 1);
  await runner.endRound();
  await runner.releaseScores();
  await runner.endGame();
}

async function find(page: Page): Promise<void> {
  const quizzes = page.getByTestId('quiz');
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
  await page.setViewportSize(NARROW);
  await isNotTooWide(page, 'host, a search at 320 px');
  await page.setViewportSize(LAPTOP);
  await page.getByLabel('Tag', { exact: true }).selectOption('Any tag');
  await expect(quizzes).toHaveCount(all);
}

async function take(page: Page): Promise<void> {
  await expect(page.getByTestId('question')).toHaveCount(6);
  await page.getByRole('button', { name: 'Import and export' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add questions from other quizzes' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add questions from other quizzes' });
  await dialog.getByLabel('Search questions').fill('sea japan');
  await expect(dialog.getByText('1 question found')).toBeVisible();
  await dialog.getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await page.setViewportSize(NARROW);
  await isAccessible(page, 'host, taking questions at 320 px');
  await keepPicture(page, 'taking-320');
  await page.setViewportSize(LAPTOP);
  await dialog.getByRole('button', { name: 'Add 1 question' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('question')).toHaveCount(7);
}

async function tag(host: Host): Promise<void> {
  const { page } = host;
  await page.getByTestId('question').last().getByRole('button').first().click();
  const tags = page.locator('.form [data-part=tags]');
  await expect(tags).toHaveValue('Seas');
  await tags.fill(`Seas, ${'x'.repeat(41)}`);
  await (await host.settings()).getByLabel('Tags of the quiz').fill('Evening, Friends');
  await isAccessible(page, 'host, the settings of a quiz');
  await page.keyboard.press('Escape');
  await tags.fill('Seas, Asia');
  await host.isSaved();
  await isAccessible(page, 'host, tags in the editor');
  await keepPicture(page, 'tags');
}

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
    await page.setViewportSize(NARROW);
    await isAccessible(page, 'host, copying questions at 320 px');
    await keepPicture(page, 'copying-320');
    await page.setViewportSize(LAPTOP);
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
  await first.getByRole('button').first().click();
  await expect(history).toBeVisible();
}
