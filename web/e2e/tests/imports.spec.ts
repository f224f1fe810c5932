// Quizzes in other formats, in the browser that reads them: files are previewed, imported, played, exported again and printed.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

const SAMPLES = resolve(import.meta.dirname, '../../host/src/formats/samples');

/** Drops a file on the dialogue, as from a folder of the machine. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const files = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], name));
      return transfer;
    },
    [name, [...content]] as const,
  );
  await page.getByRole('group', { name: 'Choose a file' }).dispatchEvent('drop', { dataTransfer: files });
}

const dropSample = async (page: Page, name: string) => drop(page, name, await readFile(join(SAMPLES, name)));

/** Samples whose reading leans on the browser: its XML, its character sets, archives of XML, and a plain text. Each with its name in the
 * preview, the number of imported questions, and a line of the report. All formats and reports are those of the tests in host/src/formats. */
const EACH = [
  ['friday.kahoot.xlsx', 'Kahoot', 4, 'Row 13 (“Is this question without a right answer?”): There is no accepted answer.'],
  ['kahoot-report.xlsx', 'Kahoot report', 2, 'Left out of 2 questions: players’ answers and points.'],
  ['bank.moodle.xml', 'Moodle XML', 5, 'Question 6 (“Match the gods.”): Questions of this type can’t be played here: matching.'],
  ['science.gift.txt', 'GIFT', 11, 'Left out of 2 questions: feedback.'],
  ['sea.qti.zip', 'QTI', 6, '“items/lost.xml” is missing from the package.'],
  ['canvas.qti1.xml', 'QTI', 7, 'Left out of 1 question: drawing a part at random.'],
  ['mixed.opentdb.json', 'Open Trivia DB', 3, 'Questions of this type can’t be played here: answer on a picture.'],
  ['drinks.csv', 'CSV', 3, 'The file isn’t in Unicode and was read as windows-1252.'],
] as const;

/** Of them, those that are damaged when they end early. */
const CUT = ['friday.kahoot.xlsx', 'bank.moodle.xml', 'sea.qti.zip', 'mixed.opentdb.json'] as const;

async function openImport(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Or paste the text')).toBeVisible();
  return dialog;
}

test('files are recognised, shown and reported before anything is sent, in any character set; damaged ones are a sentence', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await page.goto(`${live.server.url}/host`);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  const dialog = await openImport(page);
  await test.step('what can be imported', () => readEach(page, dialog));
  host.watch.verify();
  // Chromium describes broken XML with a styled element in the parsed document, which no page shows.
  host.watch.allow(/Applying inline style/);
  await test.step('what is damaged or something else', () => readOthers(page, dialog));
  expect(sent).toEqual([]);
  await test.step('a file that does not say its character set is read in the one that the host chooses', () => chooseCharacters(page, dialog));
  host.watch.verify();
});

async function readEach(page: Page, dialog: Locator): Promise<void> {
  for (const [name, format, count, remark] of EACH) {
    await dropSample(page, name);
    await expect(dialog.getByText(`Recognised as ${format}`)).toBeVisible();
    await expect(dialog.getByRole('status')).toContainText(`${String(count)} questions will be imported`);
    const report = dialog.locator('summary');
    if ((await report.count()) > 0 && !(await report.locator('..').evaluate((each) => (each as HTMLDetailsElement).open))) await report.click();
    await expect(dialog).toContainText(remark);
    await expect(dialog.getByRole('button', { name: 'Import as a new quiz' }), 'however long the list is').toBeInViewport({ ratio: 1 });
    if (name === 'friday.kahoot.xlsx') await expect(dialog).toContainText(/Time: \d+ seconds/);
    await dialog.getByRole('button', { name: 'Choose another file' }).click();
  }
}

async function readOthers(page: Page, dialog: Locator): Promise<void> {
  await test.step('a file that holds no quiz', async () => {
    await dropSample(page, 'scan.pdf');
    await expect(dialog).toContainText('This is a different kind of file: PDF.');
    await expect(dialog.getByRole('button', { name: 'Import as a new quiz' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Choose another file' }).click();
  });
  for (const name of CUT) {
    const content = await readFile(join(SAMPLES, name));
    await drop(page, name, content.subarray(0, content.length * 0.6));
    await expect(dialog).toContainText('The file is damaged or incomplete');
    await expect(dialog.getByRole('button', { name: 'Import as a new quiz' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Choose another file' }).click();
  }
  await test.step('a package is read around a part that is broken', async () => {
    await dropSample(page, 'neighbour.qti.zip');
    await expect(dialog.getByRole('status')).toContainText('1 question will be imported');
    await expect(dialog).toContainText('“styles/broken.xml” in the package is damaged from line 1 on.');
    await dialog.getByRole('button', { name: 'Choose another file' }).click();
  });
}

async function chooseCharacters(page: Page, dialog: Locator): Promise<void> {
  await dropSample(page, 'latin2.aiken.txt');
  const sets = dialog.getByLabel('Character set');
  const questions = dialog.getByRole('group', { name: 'Questions to import' });
  await expect(sets).toHaveValue('windows-1250');
  await expect(questions).toContainText('Łódź');
  await expect(dialog).toContainText('The file isn’t in Unicode and was read as windows-1250.');
  await dialog.getByLabel('Quiz title').fill('Poland');
  await isAccessible(page, 'host, character sets of an import');
  await page.setViewportSize({ width: 320, height: 640 });
  await isNotTooWide(page, 'host, character sets of an import at 320 px');
  expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await keepPicture(page, 'character-sets-320');
  await page.setViewportSize(LAPTOP);
  await sets.selectOption('windows-1251');
  await expect(questions).not.toContainText('Łódź');
  await expect(dialog).not.toContainText('The file isn’t in Unicode');
  await sets.selectOption('windows-1250');
  await expect(questions).toContainText('Łódź');
  await expect(dialog.getByLabel('Quiz title')).toHaveValue('Poland');
  await dialog.getByRole('button', { name: 'Import as a new quiz' }).click();
  await expect(page.getByLabel('Quiz title')).toHaveValue('Poland');
  await expect(page.getByTestId('question')).toHaveCount(1);
}

test('pictures of a file come in all or not at all, and questions are left out; the report stays until it is dismissed', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await page.goto(`${live.server.url}/host`);
  await test.step('pictures of a Moodle file are shown before they are sent, and come in all or not at all', () => bringPictures(host));
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await test.step('a file is dropped, and some of its questions are unchecked', () => leaveOut(page));
  await test.step('the report stays with the quiz until it is dismissed', () => readReport(host));
  await test.step('the first question is played', async () => {
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await host.openLobby();
    await host.start();
    await host.release();
    await expect(host.openQuestions()).toContainText('On how many hills was Rome built?');
  });
  host.watch.verify();
});

async function bringPictures(host: Host): Promise<void> {
  const { page } = host;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  const dialog = await openImport(page);
  await dropSample(page, 'pictures.moodle.xml');
  await expect(dialog.getByRole('status')).toContainText('4 questions will be imported');
  const pictures = dialog.getByRole('img', { name: /^(?:A field of one colour|Picture)$/ });
  await expect(pictures).toHaveCount(2);
  const widths = () => pictures.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(widths).toEqual([48, 32]);
  await expect(dialog).toContainText('The picture has no description. Add one in the editor.');
  await expect(dialog.locator('li', { hasText: 'This one is cut off.' })).toContainText('1 picture or sound is left out.');
  await expect(dialog).toContainText('Questions of this type can’t be played here: choices that are pictures.');
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await isAccessible(page, `host, preview of pictures at ${String(width)} px`);
    await keepPicture(page, `pictures-${String(width)}`);
  }
  await page.setViewportSize(LAPTOP);
  expect(sent).toEqual([]);
  await test.step('one that cannot be stored', async () => {
    host.watch.allow(/507/);
    let uploads = 0;
    await page.route('**/api/v1/media', async (route) => {
      uploads += 1;
      if (route.request().method() === 'POST' && uploads === 2) await route.fulfill({ status: 507, json: { title: 'Full', status: 507 } });
      else await route.fallback();
    });
    await dialog.getByRole('button', { name: 'Import as a new quiz' }).click();
    await expect(dialog.getByRole('alert')).toContainText('“And which one is this?”');
    expect(sent).toEqual(['/api/v1/media', '/api/v1/media']);
    await page.unroute('**/api/v1/media');
  });
  await dialog.getByRole('button', { name: 'Import as a new quiz' }).click();
  await expect(page.getByTestId('question')).toHaveCount(4);
  expect(sent.filter((path) => path === '/api/v1/media')).toHaveLength(4);
  expect(sent.filter((path) => path === '/api/v1/quizzes')).toHaveLength(1);
  await page.getByTestId('question').first().click();
  const picture = page.getByRole('img', { name: 'A field of one colour' }).first();
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(48);
}

async function leaveOut(page: Page): Promise<void> {
  const dialog = await openImport(page);
  await dropSample(page, 'bank.moodle.xml');
  await expect(dialog.getByRole('status')).toContainText('5 questions will be imported');
  await expect(dialog).toContainText('Answers with a placeholder (*) are left out.');
  await isAccessible(page, 'host, preview of an import');
  await keepPicture(page, 'preview');
  await test.step('also on a small screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await isAccessible(page, 'host, preview of an import at 320 px');
    await keepPicture(page, 'preview-320');
    await dialog.evaluate((element) => {
      element.scrollTop = 700;
    });
    await keepPicture(page, 'preview-320-below');
    await page.setViewportSize(LAPTOP);
  });
  await test.step('a round and a question are left out', async () => {
    await dialog.getByLabel('Years').uncheck();
    await expect(dialog.getByRole('status')).toContainText('3 questions will be imported');
    await dialog.getByLabel('Julius Caesar was an emperor.').uncheck();
    await expect(dialog.getByRole('status')).toContainText('2 questions will be imported in 1 round.');
    await dialog.getByLabel('Antiquity').check();
    await dialog.getByLabel('Antiquity').uncheck();
    await expect(dialog.getByRole('status')).toContainText('Select at least one question.');
    await expect(dialog.getByRole('button', { name: 'Import as a new quiz' })).toBeDisabled();
    await dialog.getByLabel('Antiquity').check();
    await dialog.getByLabel('Julius Caesar was an emperor.').uncheck();
  });
  await dialog.getByLabel('Quiz title').fill('Rome');
  await dialog.getByRole('button', { name: 'Import as a new quiz' }).click();
  await expect(page.getByLabel('Quiz title')).toHaveValue('Rome');
  await expect(page.getByTestId('question')).toHaveCount(2);
}

async function readReport(host: Host): Promise<void> {
  const { page } = host;
  await host.isSaved();
  const report = page.getByRole('region', { name: 'From the import' });
  await expect(report).toContainText('matching');
  await page.getByLabel('Quiz title').fill('Rome and more');
  await host.isSaved();
  await page.reload();
  await expect(report).toContainText('matching');
  await isAccessible(page, 'host, editor with the report of an import');
  await keepPicture(page, 'report');
  await page.setViewportSize({ width: 360, height: 640 });
  await isAccessible(page, 'host, editor with the report of an import at 360 px');
  await keepPicture(page, 'report-360');
  await page.setViewportSize(LAPTOP);
  await report.getByRole('button', { name: 'Dismiss notes' }).click();
  await expect(report).toHaveCount(0);
  await expect(page.locator('main h1')).toBeFocused();
  await host.isSaved();
  await page.reload();
  await expect(page.getByTestId('question')).toHaveCount(2);
  await expect(report).toHaveCount(0);
}

test('a quiz is printed, and comes back from every file it is exported to with questions of two more formats', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await page.goto(`${live.server.url}/host`);
  await test.step('it is printed as questions, with answers and as an answer sheet', () => print(page, live.game.title));
  await test.step('questions of two more formats are added', () => addFiles(page));
  await host.isSaved();
  await test.step('it comes back from every file it is exported to', async () => {
    const files = await exportEach(page);
    await page.goto(`${live.server.url}/host`);
    const dialog = await openImport(page);
    for (const { name, content, count } of files) {
      await drop(page, name, content);
      await expect(dialog.getByRole('status'), name).toContainText(`${String(count)} questions will be imported`);
      await expect(dialog.locator('summary'), name).toHaveCount(0);
      await dialog.getByRole('button', { name: 'Choose another file' }).click();
    }
  });
  host.watch.verify();
});

async function print(page: Page, title: string): Promise<void> {
  await page.getByTestId('quiz').getByRole('button', { name: `More options for ${title}` }).click();
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('Jupiter')).toBeVisible();
  await expect(page.getByText('Reykjavík')).toHaveCount(0);
  await isAccessible(page, 'host, print');
  await page.getByLabel('Questions with answers').check();
  await expect(page.getByText('Reykjavík')).toBeVisible();
  await keepPicture(page, 'print-answers');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('What to print')).toBeHidden();
  await keepPicture(page, 'print-paper');
  await page.emulateMedia({ media: 'screen' });
  await page.getByLabel('Answer sheet').check();
  await expect(page.getByText('Which city is the capital of Iceland?')).toHaveCount(0);
  await isAccessible(page, 'host, print an answer sheet');
  await page.setViewportSize({ width: 320, height: 640 });
  await isAccessible(page, 'host, print at 320 px');
  await keepPicture(page, 'print-sheet-320');
  await page.getByRole('link', { name: 'Back to the quiz' }).click();
  await expect(page.getByLabel('Quiz title')).toHaveValue(title);
  await page.setViewportSize(LAPTOP);
}

async function addFiles(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const [name, count] of [
    ['friday.kahoot.xlsx', 9],
    ['geography.aiken.txt', 12],
  ] as const) {
    await page.getByRole('button', { name: 'Import and export' }).click();
    await page.getByRole('button', { name: 'Import questions' }).click();
    await expect(dialog.getByLabel('Or paste the text')).toBeVisible();
    await dropSample(page, name);
    await dialog.getByRole('button', { name: 'Add to this quiz' }).click();
    await expect(page.getByTestId('question')).toHaveCount(count);
  }
}

async function exportEach(page: Page): Promise<{ name: string; content: Buffer; count: number }[]> {
  const files: { name: string; content: Buffer; count: number }[] = [];
  for (const [kind, ending, count] of [
    ['Excel (xlsx)', 'xlsx', 12],
    ['GIFT', 'gift.txt', 12],
    ['Aiken', 'aiken.txt', 7],
    ['JSON', 'json', 12],
    ['CSV', 'csv', 12],
  ] as const) {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Import and export' }).click();
    await page.getByRole('button', { name: `Export as ${kind}` }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`An-evening-in-the-hall.${ending}`);
    files.push({ name: download.suggestedFilename(), content: await readFile(await download.path()), count });
    if (kind === 'Aiken') await expect(page.getByRole('region', { name: 'Message' })).toContainText('5 questions don’t fit this format');
  }
  return files;
}
