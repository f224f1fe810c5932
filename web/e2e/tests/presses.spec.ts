// What an evening costs a new host in presses, from the set-up link to the winner of two rounds, with a TV and without one, and what writing
// such a quiz costs. What counts as a press: support/presses.ts. Waiting for pages, players and answers costs none.

import { expect, type Locator, test } from '@playwright/test';

import type { QuizBody, Session } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { HOST } from '../support/api.ts';
import { Guests } from '../support/guests.ts';
import { Host } from '../support/host.ts';
import { Presses } from '../support/presses.ts';
import { PROJECTOR } from '../support/screen.ts';
import { Server } from '../support/server.ts';

/** The most presses from the set-up link to the winner, and how many of them may be another key or a click. */
const MOST = { presses: 20, others: 2 } as const;

/** Two rounds, each of this many questions with the answer "yes". */
function quizOf(questions: number): QuizBody {
  const asked = (round: number) => (_: unknown, at: number) => ({
    text: `Round ${String(round)}, question ${String(at + 1)}: yes or no?`,
    type: 'text' as const,
    correctAnswers: ['yes'],
  });
  return {
    title: 'Two rounds',
    rounds: [1, 2].map((round) => ({ title: '', questions: Array.from({ length: questions }, asked(round)) })),
  };
}

/** A new host on a new server. */
class Evening {
  readonly server: Server;
  readonly host: Host;
  readonly presses: Presses;

  constructor(server: Server, host: Host) {
    this.server = server;
    this.host = host;
    this.presses = new Presses(host.page);
  }

  /** Fills in the form of the set-up link, and sends it. */
  async setUp(): Promise<void> {
    const { page } = this.host;
    await this.presses.type(HOST.name, page.getByLabel('Name'));
    await this.presses.tab();
    await this.presses.type(HOST.password, page.getByLabel('Password', { exact: true }));
    await this.presses.key('Enter');
    await expect(page.getByRole('heading', { name: `Good to see you, ${HOST.name}` })).toBeVisible();
  }

  /** Writes a quiz of two rounds with three questions each; the presses that it took. */
  async write(): Promise<readonly string[]> {
    const { presses } = this;
    const { page } = this.host;
    const before = presses.all.length;
    await presses.click(page.getByRole('button', { name: 'New quiz' }));
    await presses.type('By hand', page.getByLabel('Quiz title'));
    await presses.key('Enter');
    for (const round of [1, 2]) {
      for (const number of [1, 2, 3]) {
        await presses.type(`Round ${String(round)}, question ${String(number)}: yes or no?`, page.getByLabel(`Text of question ${String(number)}`));
        await presses.key('Enter');
        await presses.type('yes', page.getByLabel('Accepted answer 1'));
        if (number < 3) await presses.key('Enter');
      }
      if (round === 1) await presses.click(page.getByRole('button', { name: 'Add round' }));
    }
    await this.host.isSaved();
    await expect(page.getByTestId('question')).toHaveCount(6);
    return presses.all.splice(before);
  }

  async api(): Promise<HostApi> {
    const session = await this.host.page.evaluate(() => localStorage.getItem('quizhall.host'));
    return new HostApi(this.server.url, (JSON.parse(session ?? '') as Session).token);
  }

  /** The lobby; three players with different points, who fill the podium: each place is a step on a screen. */
  async openLobby(quiz: QuizBody): Promise<Guests> {
    const { page } = this.host;
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Open the lobby' })).toBeFocused();
    await this.presses.key('Space');
    await this.host.isConnected();
    const games = await (await this.api()).games();
    const code = games.find(({ phase }) => phase === 'lobby')?.gameCode ?? '';
    const texts = quiz.rounds.flatMap(({ questions }) => questions.map(({ text }) => text));
    const right = (count: number) => Object.fromEntries(texts.map((text, at) => [text, at < count ? 'yes' : 'no']));
    return Guests.join(this.server.url, code, { Ben: right(texts.length), Cleo: right(2), Dora: right(1) });
  }

  /** Takes the next step with Space, until this is there. */
  async goOnUntil(sight: Locator): Promise<void> {
    const step = this.host.page.locator('[data-step]');
    while (this.presses.all.length < 2 * MOST.presses) {
      await expect(step.getByRole('button')).toBeEnabled();
      const label = await step.innerText();
      await this.presses.key('Space');
      await expect(sight.or(step.filter({ hasNotText: label })).first()).toBeVisible();
      if (await sight.isVisible()) return;
    }
  }

  isWithinLimits(): void {
    const { all, others } = this.presses;
    const description = `from the set-up link to the winner of two rounds: ${String(all.length)} presses, ${String(others.length)} of them not Space`;
    test.info().annotations.push({ type: 'figures', description });
    expect(others.length, others.join(', ')).toBeLessThanOrEqual(MOST.others);
    expect(all.length, all.join(', ')).toBeLessThanOrEqual(MOST.presses);
  }
}

test('a quiz is written with few keys; one is played with a TV up to the winner on it, and one without up to the podium', async ({ browser }) => {
  await using server = await Server.start();
  await using host = await Host.open(browser, server.setUpLink);
  const evening = new Evening(server, host);
  const { presses } = evening;
  const { page } = host;
  await evening.setUp();
  const setUp = [...presses.all];
  const written = await evening.write();
  // One for the quiz, one after its title, one after each text, one after each answer but the last of a round, one for the second round.
  expect(written.length, written.join(', ')).toBeLessThanOrEqual(13);
  const sheet = page.url();
  await test.step('with a TV that is opened on this machine, from home', async () => {
    const quiz = quizOf(2);
    await (await evening.api()).createQuiz(quiz);
    await page.goto(`${server.url}/host`);
    await expect(page.getByRole('button', { name: /^Play/ }).first()).toBeFocused();
    await presses.key('Space');
    await using _ = await evening.openLobby(quiz);
    const opened = host.context.waitForEvent('page');
    await presses.click(page.getByRole('link', { name: 'Open on this machine' }));
    const tv = await opened;
    await tv.setViewportSize(PROJECTOR);
    await page.bringToFront();
    await evening.goOnUntil(page.locator('[data-shows=winner]'));
    await expect(tv.getByRole('heading', { name: 'Ben' })).toBeVisible();
    evening.isWithinLimits();
    await tv.close();
  });
  await test.step('without a TV, from the sheet of the quiz', async () => {
    await page.goto(sheet);
    presses.all.splice(0, presses.all.length, ...setUp);
    await presses.click(page.getByRole('button', { name: 'Play', exact: true }));
    await using _ = await evening.openLobby(quizOf(3));
    await evening.goOnUntil(page.getByRole('dialog', { name: 'End the game?' }));
    await presses.key('Space');
    await expect(page.getByRole('list', { name: 'Top three' })).toContainText('Ben');
    evening.isWithinLimits();
  });
  host.watch.verify();
});
