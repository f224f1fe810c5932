// Quizzes in other formats, in the browser that reads them: files are previewed, imported, exported again and printed.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Download, Locator, Page } from '@playwright/test';

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

/** Samples whose reading leans on the browser: its archives, its XML, and its character sets. Each with its name in the preview, the number
 * of imported questions, and a line of the report. All formats and reports are those of the tests in host/src/formats. */
const EACH = [
  ['friday.kahoot.xlsx', 'Kahoot', 4, 'Row 13 (“Is this question without a right answer?”): There is no accepted answer.'],
  ['sea.qti.zip', 'QTI', 6, '“items/lost.xml” is missing from the package.'],
  ['drinks.csv', 'CSV', 3, 'The file isn’t in Unicode and was read as windows-1252.'],
] as const;

/** Those that are damaged when they end early. */
const CUT = ['friday.kahoot.xlsx', 'bank.moodle.xml'] as const;

async function openImport(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Or paste the text')).toBeVisible();
  return dialog;
}

test('files are recognised, shown and reported before anything is sent; pictures come in all or not at all; a quiz is printed and exported', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await page.goto(`${live.server.url}/host`);
  await test.step('it is printed as questions, with answers and as an answer sheet', () => print(page, live.game.title));
  await test.step('it is exported as a file that can be imported', () => exports(page));
  await host.isSaved();
  await page.getByRole('link', { name: 'Quizzes' }).click();
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
  await host.isSaved();
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await test.step('pictures of a Moodle file are shown before they are sent, and come in all or not at all', () => bringPictures(host));
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await test.step('some questions of a file are unchecked', () => leaveOut(page));
  await test.step('the report stays with the quiz until it is dismissed', () => readReport(host));
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
}

async function chooseCharacters(page: Page, dialog: Locator): Promise<void> {
  await dropSample(page, 'latin2.aiken.txt');
  const sets = dialog.getByLabel('Character set');
  const questions = dialog.getByRole('group', { name: 'Questions to import' });
  await expect(sets).toHaveValue('windows-1250');
  await expect(questions).toContainText('Łódź');
  await expect(dialog).toContainText('The file isn’t in Unicode and was read as windows-1250.');
  await dialog.getByLabel('Quiz title').fill('Poland');
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
  await page.setViewportSize({ width: 320, height: 800 });
  await isAccessible(page, 'host, preview of pictures at 320 px');
  await keepPicture(page, 'pictures-320');
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
  await page.setViewportSize({ width: 320, height: 640 });
  await isNotTooWide(page, 'host, preview of an import at 320 px');
  await keepPicture(page, 'preview-320');
  await page.setViewportSize(LAPTOP);
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
  await page.setViewportSize({ width: 320, height: 640 });
  await isNotTooWide(page, 'host, editor with the report of an import at 320 px');
  await page.setViewportSize(LAPTOP);
  await report.getByRole('button', { name: 'Dismiss notes' }).click();
  await expect(report).toHaveCount(0);
  await expect(page.locator('main h1')).toBeFocused();
  await host.isSaved();
}

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
  await page.setViewportSize({ width: 320, height: 640 });
  await isAccessible(page, 'host, print at 320 px');
  await keepPicture(page, 'print-sheet-320');
  await page.getByRole('link', { name: 'Back to the quiz' }).click();
  await expect(page.getByLabel('Quiz title')).toHaveValue(title);
  await page.setViewportSize(LAPTOP);
}

/** A workbook, which is read back; and a format that lacks some kinds. What each format keeps: host/src/formats/writing.test.ts. */
async function exports(page: Page): Promise<void> {
  const workbook = await exported(page, 'Excel (xlsx)');
  expect(workbook.suggestedFilename()).toBe('An-evening-in-the-hall.xlsx');
  const aiken = await exported(page, 'Aiken');
  expect(aiken.suggestedFilename()).toBe('An-evening-in-the-hall.aiken.txt');
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('questions don’t fit this format');
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('button', { name: 'Import questions' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Or paste the text')).toBeVisible();
  await drop(page, workbook.suggestedFilename(), await readFile(await workbook.path()));
  await expect(dialog.getByRole('status')).toContainText('5 questions will be imported');
  await expect(dialog.locator('summary')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  await dialog.getByLabel('Or paste the text').fill('question,answers\nWhich is the longest river?,Nile\nNo one knows,');
  await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(dialog).toContainText('1 question will be imported');
  await expect(dialog).toContainText('There is no accepted answer.');
  await dialog.getByRole('button', { name: 'Add to this quiz' }).click();
  await expect(page.getByTestId('question')).toHaveCount(6);
}

async function exported(page: Page, kind: string): Promise<Download> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('button', { name: `Export as ${kind}` }).click();
  return coming;
}
