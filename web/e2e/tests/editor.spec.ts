// The sheet of a quiz: the first question is in sight at once, a line for each question says what it has, and every kind of question is
// one press away.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { picture } from '../support/drawing.ts';
import { Host, LAPTOP } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

const LONG = 'Which of the many rivers of this large country is the longest one that flows only within its borders, all year round?';
const QUIZ: QuizBody = {
  title: 'Signs',
  rounds: [
    {
      title: 'A round with a rather long title, as hosts write them now and then',
      questions: [
        { text: 'How do you vote?', type: 'poll', choices: ['Yes', 'No'], correctAnswers: [] },
        {
          ...{ text: LONG, type: 'text', correctAnswers: ['The river with the longest name in the whole country', 'Short'], points: 3 },
          ...{ timeLimit: 45, explanation: 'It rises in the north.', hostNote: 'Say it slowly.' },
        },
        { text: 'Two and two?', type: 'numeric', correctAnswers: ['4'], points: 3 },
      ],
      timeLimit: 30,
      joker: true,
      streaks: true,
      speedPoints: true,
      halfPoints: true,
      wrongPoints: -1,
    },
  ],
};

test.use({ quiz: QUIZ });

test('every kind of question is a press away; a question unfolds below its line, which says what it has; what keeps it off the server leads to its field', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  const { page } = host;
  await test.step('the first question is in sight, and each kind is a press away', () => addEachKind(page));
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await test.step('questions after a poll are worth the points of the round', () => addAfterPoll(page));
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await host.openQuiz('Signs');
  await test.step('a line says what a question has, and unfolds below itself', () => unfold(page));
  await test.step('what a question can have besides is folded until it is wanted', () => addMore(host));
  await test.step('below 1024 px the phone is a tab, by keyboard too', () => preview(page));
  await test.step('what keeps a quiz off the server is said with its place, and leads to its field', () => finish(host));
  host.watch.verify();
});

async function addEachKind(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New quiz' }).click();
  const text = page.getByLabel('Text of question 1');
  await expect(text).toBeVisible();
  expect((await text.boundingBox())?.y).toBeLessThan(400);
  await isAccessible(page, 'host, a new quiz');
  await keepPicture(page, 'new');
  const add = page.getByRole('group', { name: 'New question' });
  await add.getByRole('button', { name: 'Choice' }).click();
  await expect(page.getByLabel('Answer type'), 'in place of the empty one').toHaveValue('multiple_choice');
  await add.getByRole('button', { name: 'Text' }).click();
  await expect(page.getByTestId('question')).toHaveCount(1);
  await expect(text).toBeFocused();
  await text.fill('What is it?');
  await add.getByRole('button', { name: 'True/False' }).click();
  await expect(page.getByLabel('Text of question 2')).toBeFocused();
  await expect(page.getByLabel('Answer type')).toHaveValue('true_false');
  await page.keyboard.type('Water is wet.');
  await add.getByRole('button', { name: 'Choice' }).click();
  await expect(page.getByLabel('Answer type')).toHaveValue('multiple_choice');
  await expect(page.getByText('Players pick one answer.')).toBeVisible();
  await page.keyboard.type('Which one?');
  await add.getByRole('button', { name: 'More' }).press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Multiple choice: all of these' })).toBeFocused();
  await isAccessible(page, 'host, the other kinds of questions');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Text of question 4')).toBeFocused();
  await expect(page.getByText('Players tick every right choice.')).toBeVisible();
  const bar = await page.locator('.editor-bar').boundingBox();
  const field = await page.getByLabel('Text of question 4').boundingBox();
  expect(field?.y, 'the field that is written in is not below the bar').toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0));
}

async function addAfterPoll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New quiz' }).click();
  await page.getByLabel('Answer type').selectOption('Poll');
  await page.getByLabel('Text of question 1').fill('How are you?');
  await page.getByRole('group', { name: 'New question' }).getByRole('button', { name: 'Text' }).click();
  await expect(page.getByTestId('question').nth(1).locator('[data-part=points]')).toHaveValue('1');
  await page.getByLabel('Answer type').selectOption('Number');
  await expect(page.getByTestId('question').nth(1).locator('[data-part=points]')).toHaveValue('1');
}

async function unfold(page: Page): Promise<void> {
  const line = page.locator('[data-part=line]').nth(1);
  await expect(line).toHaveAccessibleName(/Time: 45 seconds.*With an explanation.*With a note for you.*3 points/);
  await expect(page.getByRole('button', { name: 'Settings of round 1' })).toHaveText(/3 points each · 30 s · Speed · Streaks · Joker · Half points · Wrong: −1/);
  const box = await line.boundingBox();
  expect(box?.height, 'one line').toBeLessThan(60);
  await line.press('Enter');
  await expect(line).toHaveAttribute('aria-expanded', 'true');
  const text = page.getByLabel('Text of question 2');
  await expect(text).toBeFocused();
  expect((await text.boundingBox())?.y).toBeGreaterThan((box?.y ?? 0) + (box?.height ?? 0) - 1);
  await expect(page.getByLabel('Explanation')).toHaveValue('It rises in the north.');
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await isAccessible(page, `host, an open question at ${String(width)} px`);
    await keepPicture(page, `open-${String(width)}`);
  }
  await page.setViewportSize(LAPTOP);
  await page.keyboard.press('Escape');
  await expect(line).toBeFocused();
  await expect(line).toHaveAttribute('aria-expanded', 'false');
}

async function addMore(host: Host): Promise<void> {
  const { page } = host;
  await host.openQuestion('Two and two?');
  const form = page.getByTestId('question').nth(2);
  await expect(form.getByLabel('Explanation')).toBeHidden();
  await form.getByRole('button', { name: 'Add explanation' }).press('Enter');
  await expect(form.getByLabel('Explanation')).toBeFocused();
  await page.keyboard.type('Count.');
  await expect(form.getByRole('button', { name: 'Add explanation' })).toBeHidden();
  await form.getByRole('button', { name: 'Add tags' }).press('Enter');
  await page.keyboard.type('Numbers');
  await host.isSaved();
  await page.reload();
  await host.openQuestion('Two and two?');
  await expect(form.getByLabel('Explanation')).toHaveValue('Count.');
  await expect(form.getByLabel('Tags')).toHaveValue('Numbers');
}

async function preview(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole('complementary', { name: 'Phone preview' })).toBeVisible();
  await expect(page.getByRole('tablist')).toBeHidden();
  await page.setViewportSize({ width: 1023, height: 768 });
  await expect(page.getByRole('complementary')).toBeHidden();
  const tab = page.getByRole('tab', { name: 'Preview' });
  await page.getByRole('tab', { name: 'Questions' }).press('ArrowRight');
  await expect(tab).toBeFocused();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel', { name: 'Preview' }).getByRole('heading', { name: 'Two and two?' })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 768 });
  await isAccessible(page, 'host, the preview at 320 px');
  await keepPicture(page, 'preview-320');
  await tab.press('Home');
  await expect(page.getByLabel('Text of question 3')).toBeVisible();
  await page.setViewportSize(LAPTOP);
}

async function finish(host: Host): Promise<void> {
  const { page } = host;
  const file = page.locator('[data-part=media-file]');
  await file.setInputFiles({ name: 'bridge.png', mimeType: 'image/png', buffer: await picture(page, 320, 200) });
  const description = page.getByLabel('What the picture shows');
  await expect(description, 'a description is wanted at once').toBeFocused();
  await expect(page.getByText('For players who can’t see'), 'with its help').toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(page.getByText('Kept on this device, not on the server yet:')).toBeVisible();
  await expect(page.locator('[data-part=line]').nth(2)).toContainText('Say what the picture shows.');
  await isAccessible(page, 'host, a picture without a description');
  await keepPicture(page, 'fault');
  await page.getByRole('button', { name: '1 thing to finish' }).press('Enter');
  await expect(description).toBeFocused();
  await page.keyboard.press('Escape');
  await page.locator('.bar').getByRole('button', { name: 'Play' }).press('Enter');
  const notice = page.getByRole('region', { name: 'Message' });
  await expect(notice).toContainText('Question 3 needs a picture description.');
  await notice.getByRole('button', { name: 'Show me' }).press('Enter');
  await expect(description).toBeFocused();
  await page.keyboard.type('Two bridges');
  await host.isSaved();
  await test.step('a time of a round is a field of its drawer', async () => {
    await (await host.settings(1)).getByLabel('Time for round 1').fill('soon');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '1 thing to finish' }).press('Enter');
    await expect(page.getByLabel('Time for round 1')).toBeFocused();
    await isAccessible(page, 'host, a time that is no number');
    await page.keyboard.type('30');
  });
}
