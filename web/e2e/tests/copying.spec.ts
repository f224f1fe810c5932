// Copying questions from the open quiz into another one and into a new one, with only the keyboard.

import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { WHOLE_QUIZ } from '../support/quizzes.ts';

test('questions are copied into a new quiz and into one that is there', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await page.goto(`${live.server.url}/host`);
  await host.openQuiz(WHOLE_QUIZ.title);
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
  host.watch.verify();
});
