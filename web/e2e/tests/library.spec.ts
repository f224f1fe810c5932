// Tags, the search on the home page, questions copied from another quiz, and a question's history; new parts with the keyboard.

import { isAccessible } from '../support/checks.ts';
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
    await page.setViewportSize({ width: 320, height: 640 });
    await isAccessible(page, 'host, tags in the editor at 320 px');
    await keepPicture(page, 'tags-320');
    const found = await fetch(`${url}/api/v1/questions?tag=asia`, { headers: headers(live.token) });
    expect(await found.json()).toMatchObject({ questions: [{ quizTitle: WHOLE_QUIZ.title, question: { tags: ['Seas', 'Asia'] } }] });
  });
  host.watch.verify();
});

test('the editor shows when a question was asked, also after an edit', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  const phone = await live.guest('Ann');
  await host.start();
  await host.release();
  await phone.write(1, 'Reykjavik');
  await phone.hasStored(1);
  await host.endRound();
  await host.releaseScores();
  await host.choose('Finish after this round');
  await host.endGame();
  await page.goto(`${live.server.url}/host`);
  await host.openQuiz(WHOLE_QUIZ.title);
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
  host.watch.verify();
});
