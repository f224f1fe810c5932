// The marking desk: near misses first, one key for a whole group, every action undone. Also the players who are counted, a reload, a lost
// line, and a phone as the host's device.

import type { Locator } from '@playwright/test';

import type { QuizBody, Results } from '../../sdk/src/generated/protocol.ts';
import { join, results } from '../support/api.ts';
import type { Cable } from '../support/cable.ts';
import { CONNECTION_LOST, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

const [PAINTED, CITY] = ['Who painted Guernica?', 'Which city is the capital of Iceland?'] as const;
const QUIZ: QuizBody = {
  title: 'Spelling',
  rounds: [
    {
      title: '',
      questions: [
        { text: PAINTED, type: 'text', correctAnswers: ['Picasso', 'Pablo Picasso'] },
        { text: CITY, type: 'text', correctAnswers: ['Reykjavík'] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

test('a round is marked with the keyboard alone, every mark is taken back, and the last one given holds, also when the line was away', async ({ live }) => {
  const cable = await live.cable();
  const host = await live.host({ cable });
  host.watch.allow(CONNECTION_LOST);
  const { url } = live.server;
  const code = live.game.gameCode;
  await host.start();
  await host.release();
  await expect(host.page.getByText('Everyone has answered'), 'in an empty room').toHaveCount(0);
  const answers = { Ann: 'Picasso', Ben: 'Picaso', Cleo: 'picaso ', Dora: 'Dalí', Emil: 'Dali', Fay: 'Miró' };
  await live.guests(Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, { [PAINTED]: answer, [CITY]: name < 'D' ? 'Oslo' : 'Bergen' }])));
  await join(url, code, 'Gus');
  await host.release();
  await host.unfold();
  for (const each of [PAINTED, CITY]) await expect(host.openQuestions().filter({ hasText: each })).toContainText('6 of ');
  await host.endRound();
  await join(url, code, 'Late Lou');
  await test.step('who came after the round is not among those without an answer, also after a reload', () => countsInTime(host));
  await test.step('by keyboard', () => markByKeys(host));
  await test.step('one answer of a group, and one of a player who gave none', () => markSingles(host));
  await host.layOut(2);
  await test.step('a player who is removed while marked is not counted', async () => {
    await expect(host.group('Oslo')).toContainText('3 answers');
    await host.remove('Cleo');
    await expect(host.group('Oslo')).toContainText('2 answers');
    await host.mark('Oslo', 'Right');
    await expect(host.group('Oslo')).not.toContainText('mixed');
  });
  await test.step('the last mark holds, also when the line was away', () => markAway(host, cable));
  await test.step('on a phone the marking begins right below the head, with the first mark at hand', () => markOnPhone(host));
  await host.releaseScores();
  await hasScores(live, host);
  host.watch.verify();
});

async function countsInTime(host: Host): Promise<void> {
  await expect(host.page.getByRole('button', { name: '8 players' })).toBeVisible();
  await host.page.reload();
  await host.page.getByText('1 without an answer').click();
  await expect(host.page.getByRole('button', { name: 'Mark as right for Gus' })).toBeVisible();
  await expect(host.page.getByRole('button', { name: 'Mark as right for Late Lou' })).toHaveCount(0);
}

async function markByKeys(host: Host): Promise<void> {
  const keys = host.page.keyboard;
  await test.step('the near miss is first, and A lets it count for all who wrote it', async () => {
    await expect(host.group('Picaso')).toContainText('2 answers');
    await host.page.locator('[data-row]').first().focus();
    await keys.press('a');
    await host.isMarked('Picaso', 'Right');
  });
  // After a mark, the next group is selected automatically.
  await test.step('X says no again, U takes that back, U once more the first mark', async () => {
    await keys.press('ArrowUp');
    await keys.press('x');
    await host.isMarked('Picaso', 'Wrong');
    await keys.press('u');
    await host.isMarked('Picaso', 'Right');
    await keys.press('Control+z');
    await host.isUndecided('Picaso');
    await expect(host.page.getByRole('button', { name: /^Undo/ })).toBeDisabled();
  });
  await host.mark('Picaso', 'Right');
}

/** Dora's answer is marked by its button and by its key; Gus gets a credit, which leaves the focus. */
async function markSingles(host: Host): Promise<void> {
  await host.group('Dalí').getByRole('button', { expanded: false }).click();
  const dora = host.page.getByRole('group', { name: 'Mark “Dora”' });
  await dora.getByRole('button', { name: 'Right', exact: true }).click();
  await expect(host.group('Dalí')).toContainText('mixed');
  await host.undo();
  await expect(host.group('Dalí')).not.toContainText('mixed');
  await dora.getByRole('button', { name: 'Wrong' }).focus();
  await host.page.keyboard.press('a');
  await expect(host.group('Dalí'), 'a key on one answer is about that one').toContainText('mixed');
  await host.page.getByRole('button', { name: 'Mark as right for Gus' }).focus();
  await host.page.keyboard.press('Enter');
  await expect(host.page.getByText('no answer, marked right by you')).toBeVisible();
  await expect(host.page.getByText('1 without an answer')).toBeHidden();
}

async function markAway(host: Host, cable: Cable): Promise<void> {
  const marks = host.group('Oslo');
  cable.cut();
  await expect(host.page.getByText('Connection lost').first()).toBeVisible();
  for (const mark of ['Wrong', 'Right', 'Wrong'] as const) await marks.getByRole('button', { name: mark, exact: true }).click();
  await expect(host.button('release_scores')).toBeDisabled();
  cable.mend();
  await expect(host.button('release_scores')).toBeEnabled();
  // Marks are applied in order: once this one is stored, so are those given before the connection returned.
  await host.page.getByText('1 without an answer').click();
  await host.page.getByRole('button', { name: 'Mark as right for Gus' }).click();
  await expect(host.page.getByText('no answer, marked right by you')).toBeVisible();
  await host.isMarked('Oslo', 'Wrong');
}

async function markOnPhone(host: Host): Promise<void> {
  const { page } = host;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  const topOf = async (part: Locator): Promise<number> => Math.round((await part.boundingBox())?.y ?? Infinity);
  const tabs = page.getByRole('tablist');
  const touch = await host.context.newCDPSession(page);
  for (const pointer of ['mouse', 'finger']) {
    if (pointer === 'finger') await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
    await expect.poll(() => page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(pointer === 'finger');
    expect(await topOf(tabs), `the marking, ${pointer}`).toBeLessThan(140);
    expect(await topOf(page.getByRole('button', { name: /^Undo/ })), 'Undo is beside the tabs').toBeLessThan((await topOf(tabs)) + 40);
    const first = page.getByRole('tabpanel').getByRole('button', { name: 'Right', exact: true }).first();
    expect(await topOf(first), `the first mark, ${pointer}`).toBeLessThan(400);
    await keepPicture(page, `marking-390-${pointer}`);
  }
  await host.ofQuestion('Reveal the answer');
  await expect(page.getByRole('tabpanel').getByRole('status')).toBeVisible();
  await isNotTooWide(page, 'host, marking on a phone');
  await keepPicture(page, 'marking-390');
}

/** The board and the results have every mark; Cleo was removed. */
async function hasScores({ server, token, game }: LiveGame, host: Host): Promise<void> {
  const board = host.page.getByRole('listitem');
  const right = ['Ann', 'Ben', 'Dora', 'Gus'];
  for (const name of ['Ann', 'Ben', 'Dora']) await expect(board.filter({ hasText: name }).first()).toContainText('1,000');
  await expect(board.filter({ hasText: 'Gus' }).first()).toContainText('2,000');
  const found = (await results(server.url, token, game.id)) as Results;
  const rights = found.rounds[0]?.questions.map(({ answers }) => answers.filter(({ correct }) => correct).map(({ displayName }) => displayName).sort());
  expect(rights).toEqual([right, ['Gus']]);
}
