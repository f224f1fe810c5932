// A phone in a game that goes question by question: what it says of costs and of the autopilot, in moments made by the test, and a whole
// lesson with ten of them.

import type { Page } from '@playwright/test';

import { bodyOf, PRESETS } from '../../host/src/start/options.ts';
import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide, within } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { MadePhone, type Said } from '../support/madephone.ts';
import type { Phone } from '../support/phone.ts';

const QUESTION = { id: 'q3', text: 'Which of these is a planet?', type: 'multiple_choice', choices: ['Sirius', 'Venus', 'Vega'], points: 1_000 };
const ROUND = { round: 3, rounds: 12, title: '', questionCount: 1 };
const SECTION = { index: 0, title: 'Science', questionIndex: 2, questionCount: 10 };
const started = (more: object = {}): Said => ({ type: 'round_started', payload: { ...ROUND, ...more } });
const BY_QUESTION: readonly Said[] = [{ type: 'host_status', payload: { connected: true } }, { type: 'game_started' }, started({ section: SECTION })];
const RELEASED: Said = { type: 'question_released', payload: { question: QUESTION } };
const REVEALED: Said = { type: 'answer_revealed', payload: { questionId: 'q3', correctAnswer: 'Venus', explanation: 'The others are stars.' } };
const row = (playerId: string, displayName: string, score: number, rank: number) => ({ playerId, displayName, score, rank });
const BOARD = { leaderboard: [row('ben', 'Ben', 3_000, 1), row(MadePhone.me, 'Ann', 2_000, 2)] };
const scores = (yourAnswer: string, correct: boolean, points: number): Said => ({
  type: 'round_scores',
  payload: { results: [{ questionId: 'q3', question: QUESTION.text, yourAnswer, correctAnswer: 'Venus', correct, points }], roundTotal: points },
});

/** The page is sound on the smallest phone, and on an ordinary one also with letters of 200 %. */
async function isSound({ page }: MadePhone, state: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 844 });
  await isNotTooWide(page, `${state} at 320 px`);
  await page.setViewportSize({ width: 390, height: 844 });
  await isAccessible(page, state);
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  await isNotTooWide(page, `${state} at 200 %`);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
}

test('one question at a time: what is asked, what is saved, what it earned, and nothing else', async ({ live, page }) => {
  const phone = await MadePhone.open(page, live.server.url, ...BY_QUESTION);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Science · question 3 of 10');
  await expect(page.getByText('The game continues soon.')).toBeVisible();
  await expect(page.getByText('Round 3'), 'no round that the quiz does not have').toHaveCount(0);
  await isSound(phone, 'before the question');

  phone.says(RELEASED);
  const card = page.getByRole('article', { name: 'Question 3' });
  await expect(card).toBeVisible();
  await expect(page.getByRole('button', { name: /is here/ }), 'it is in sight').toHaveCount(0);
  await expect(page.getByText('of 1 saved')).toHaveCount(0);
  await card.getByText('Venus').click();
  await expect(card.getByText('Saved', { exact: true })).toBeVisible();
  await isSound(phone, 'a saved answer');
  phone.says({ type: 'question_closed', payload: { questionId: 'q3' } });
  await expect(card.getByText('Closed', { exact: true })).toBeVisible();
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(page.locator('[aria-live]').filter({ hasText: 'Question 3: Closed.' })).toHaveCount(1);
  await expect(page.getByText('No question is open right now.')).toBeVisible();

  phone.says({ type: 'round_ended' }, REVEALED);
  await expect(title).toHaveText('Science · question 3 of 10');
  await expect(page.getByText('Your points come next.')).toBeVisible();
  await expect(page.getByText('Round over')).toHaveCount(0);
  await expect(page.getByTestId('revealed').getByText('The others are stars.')).toBeInViewport();
  await isSound(phone, 'revealed');

  phone.says(scores('Venus', true, 1_000), { type: 'standings_status', payload: { held: true } });
  await expect(page.getByTestId('verdict')).toHaveText(/^\s*right\s*1,000 points$/);
  await expect(title).toHaveText('Science · question 3 of 10');
  await expect(page.getByRole('listitem').filter({ hasText: QUESTION.text }), 'at its question').toContainText('The others are stars.');
  await expect(page.locator('[aria-live]').filter({ hasText: 'right: 1,000 points.' })).toHaveCount(1);
  await expect(page.getByText('Your host decides what comes next.', { exact: true }), 'the host may end the game here').toBeVisible();
  await expect(page.getByText('1,000 points', { exact: true }), 'said once').toHaveCount(1);
  for (const noise of ['1 of 1 right', 'Your answers', 'Standings']) await expect(page.getByText(noise)).toHaveCount(0);
  await isSound(phone, 'own result');

  phone.says({ type: 'round_leaderboard', payload: BOARD }, { type: 'standings_status', payload: { held: false } });
  await expect(title).toHaveText('2nd of 2');
  await expect(page.getByRole('heading', { name: 'Standings' })).toBeVisible();
  await expect(page.getByText('Next round')).toHaveCount(0);
  await isSound(phone, 'standings');
  await page.setViewportSize({ width: 1_440, height: 900 });
  await isNotTooWide(page, 'standings on a wide window');

  phone.says({ ...started({ round: 4, section: { ...SECTION, title: '', questionIndex: 3 } }) });
  await expect(title).toHaveText('question 4 of 10');
  await expect(page.getByTestId('verdict')).toHaveCount(0);
});

/** A wrong answer, none, and the last question say what they are. */
async function lastQuestion(page: Page, url: string): Promise<void> {
  const last = started({ round: 12, section: { ...SECTION, questionIndex: 9 } });
  const phone = await MadePhone.open(page, url, ...BY_QUESTION.slice(0, 2), last, RELEASED);
  await expect(page.getByRole('article', { name: 'Question 10' })).toBeVisible();
  phone.says({ type: 'round_ended' }, REVEALED, scores('Vega', false, -5), { type: 'standings_status', payload: { held: true } });
  await expect(page.getByTestId('verdict')).toHaveText(/^\s*wrong\s*-5 points$/);
  await expect(page.getByText('That was the last question.')).toBeVisible();
  phone.says(scores('', false, 0));
  await expect(page.getByTestId('verdict')).toHaveText(/^\s*No answer\s*0 points$/);
  await isAccessible(page, 'phone, no answer to the last question');
}

/** What a wrong answer costs is said when the round starts, and then at each question that can cost. */
async function costs(page: Page, url: string): Promise<void> {
  const before: Said[] = [{ type: 'game_started' }, started({ title: 'Risky', questionCount: 3, wrongPoints: -5 })];
  const phone = await MadePhone.open(page, url, ...before);
  await expect(page.getByTestId('costs')).toHaveText('A wrong answer costs 5 points. Not answering costs nothing.');
  const asked = (id: string, type: string): Said => ({ type: 'question_released', payload: { question: { ...QUESTION, id, type } } });
  phone.says(asked('q1', 'multiple_choice'), asked('q2', 'poll'), { ...asked('q3', 'nearest') });
  await expect(page.getByRole('article', { name: 'Question 1' })).toContainText('1,000 points · wrong: −5 points');
  for (const name of ['Question 2', 'Question 3']) await expect(page.getByRole('article', { name })).not.toContainText('wrong');
  await expect(page.getByTestId('costs'), 'once, at the question itself').toHaveCount(0);
  await expect(page.getByRole('article', { name: 'Question 3' })).toContainText('The closest guess wins.');
  await expect(page.getByText('The closest guess wins.'), 'at no other kind').toHaveCount(1);
  phone.says(started({ round: 4, title: 'Safe' }));
  await expect(page.getByTestId('costs')).toHaveCount(0);
}

/** A joker that was played in the lobby is not shown in a game that goes question by question. */
async function jokerOfLobby(page: Page, url: string): Promise<void> {
  const joker: Said = { type: 'joker_update', payload: { round: 1 } };
  const phone = await MadePhone.open(page, url, { type: 'joker_round', payload: { round: 1 } }, joker);
  await expect(page.getByTestId('joker')).toHaveText('Joker played: round 1 counts double.');
  phone.says({ type: 'joker_round', payload: {} });
  await expect(page.getByTestId('joker'), 'the host has chosen another pace').toHaveCount(0);
  phone.says({ type: 'game_started' }, started({ round: 1, section: { ...SECTION, questionIndex: 0 } }), RELEASED);
  const card = page.getByRole('article', { name: 'Question 1' });
  await expect(card).toHaveCSS('border-inline-start-width', '0px');
  await expect(page.getByTestId('joker')).toHaveCount(0);
}

/** A joker that is not played goes with the first question of its round, and leaves no edge. */
async function jokerMissed(page: Page, url: string): Promise<void> {
  const phone = await MadePhone.open(page, url, { type: 'joker_round', payload: { round: 1 } });
  await expect(page.getByRole('button', { name: 'Play your joker for round 1' })).toBeVisible();
  phone.says({ type: 'game_started' }, started({ round: 1, rounds: 2 }));
  await expect(page.getByRole('button', { name: 'Play your joker for round 1' })).toBeVisible();
  phone.says(RELEASED);
  await expect(page.getByRole('article', { name: 'Question 1' })).toHaveCSS('border-inline-start-width', '0px');
  phone.says({ type: 'joker_round', payload: {} });
  await expect(page.getByTestId('joker'), 'its first question is out').toHaveCount(0);
}

/** Phones that wait, and the end of a game in which no one got a point, say what is true. */
async function noPoint(page: Page, url: string): Promise<void> {
  const sync: Said[] = [{ type: 'host_status', payload: { connected: true } }, { type: 'game_started' }, started({ round: 1, rounds: 2 }), RELEASED];
  const phone = await MadePhone.open(page, url, ...sync);
  await expect(page.getByRole('article', { name: 'Question 1' })).toBeVisible();
  phone.says({ type: 'round_ended' }, { type: 'standings_status', payload: { held: true } });
  await expect(page.getByText('Your host will show your points soon.')).toBeVisible();
  phone.says(scores('Vega', false, 0));
  await expect(page.getByTestId('tally')).toHaveText('0 of 1 right');
  await expect(page.getByRole('heading', { name: 'Your points are in' })).toBeVisible();
  await expect(page.getByText('Your host decides what comes next.', { exact: true })).toBeVisible();
  await expect(page.getByText(/screen/), 'there may be none').toHaveCount(0);
  const board = { leaderboard: [row('ben', 'Ben', 0, 1), row(MadePhone.me, 'Ann', 0, 1)] };
  phone.says({ type: 'round_leaderboard', payload: board }, { type: 'standings_status', payload: { held: false } });
  await expect(page.getByText('Your host decides what comes next.', { exact: true }), 'the host may end the game here').toBeVisible();
  phone.says({ type: 'game_ended', payload: board });
  await expect(page.getByRole('heading', { name: 'The game is over' })).toBeVisible();
  await expect(page.getByText('Thanks for playing!')).toBeVisible();
  await expect(page.getByText(/first place|You won/)).toHaveCount(0);
}

/** The autopilot’s next step has a clock with a name, which says nothing of seconds that it does not have. */
async function autopilot(page: Page, url: string): Promise<void> {
  const plan = { answerFor: 20, revealFor: 8, breakFor: 8, holdWithoutHost: false };
  const phone = await MadePhone.open(page, url, ...BY_QUESTION, { type: 'autopilot_status', payload: { plan } });
  const clock = page.locator('[data-timer=step]');
  await expect(clock).toHaveCount(0);
  for (const [next, words] of [['release', 'Next question in'], ['reveal_answer', 'Answer in'], ['release_scores', 'Points in'], ['later_step', 'Continues in']] as const) {
    phone.says({ type: 'autopilot_step', payload: { next, remainingMs: 8_000, running: true } });
    await expect(clock).toHaveText(new RegExp(`^${words}\\s*0:0\\d`));
    await expect(clock.getByRole('timer', { name: words })).toBeVisible();
  }
  await expect(page.getByText('10 seconds left')).toHaveCount(0);
  await isSound(phone, 'the autopilot waits');
  phone.says(RELEASED, { type: 'timer_update', payload: { questionId: 'q3', remainingMs: 20_000, running: true } });
  await expect(clock).toHaveCount(0);
  await expect(page.locator('[data-timer=q3]')).toHaveText(/^Time for this question\s*0:(20|1\d)/);
}

test('moments of a game that goes question by question, each on a phone of its own: costs, a joker, the autopilot, the last question, no points', async ({ live, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const moment of [costs, jokerOfLobby, jokerMissed, autopilot, lastQuestion, noPoint]) await test.step(moment.name, () => moment(page, live.server.url));
});

const PLANETS = ['Venus', 'Mars', 'Saturn', 'Neptune'] as const;
const LESSON: QuizBody = {
  title: 'A lesson',
  rounds: [
    {
      title: 'Science',
      questions: PLANETS.map((planet) => ({
        ...{ text: `Which of these is a planet: ${planet} or a star?`, type: 'multiple_choice', points: 1_000 },
        ...{ choices: ['Sirius', planet, 'Vega'], correctAnswers: [planet] },
      })),
    },
  ],
};
/** Those of the class whose phones are not looked at: they answer at once. Jon knows the third planet. */
const OTHERS = Object.fromEntries(
  ['Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ida', 'Jon'].map((name) => [
    name,
    Object.fromEntries(LESSON.rounds.flatMap(({ questions }) => questions.map(({ text }, at) => [text, name === 'Jon' && at === 2 ? PLANETS[at] : 'Sirius']))),
  ]),
);
/** How long a class waits at most after its last answer, in milliseconds. */
const WAITS_MS = 1_500;

/** Measures on the phone how long its question stays open after its own answer is stored; returns a function that reads the time. */
async function closing(phone: Phone): Promise<() => Promise<number | null>> {
  await phone.page.evaluate(() => {
    const seen: { stored?: number; waited?: number } = {};
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const card = document.querySelector('article[data-state=stored]');
      if (!card) return;
      seen.stored ??= performance.now();
      if (!card.querySelector('input, button')) seen.waited ??= performance.now() - seen.stored;
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  return () => phone.page.evaluate(() => (globalThis as unknown as { seen: { waited?: number } }).seen.waited ?? null);
}

test.describe('a class of ten', () => {
  test.use({ quiz: LESSON, options: bodyOf(PRESETS.classroom) });

  test('waits for no one after its last answer, and sees each result at once and the standings after the third question', async ({ live }) => {
    const runner = await live.runner();
    const screen = await live.wall();
    await live.guests(OTHERS);
    const ann = await live.guest('Ann');
    await runner.start();
    for (const [at, planet] of PLANETS.entries()) {
      await expect(ann.page.getByRole('heading', { level: 1 })).toHaveText(`Science · question ${String(at + 1)} of 4`);
      await runner.step('release_question');
      const waited = await closing(ann);
      // Only the last is waited for.
      await runner.counts(1, 9);
      await ann.choose(at + 1, planet);
      await expect.poll(waited).not.toBeNull();
      const ms = (await waited()) ?? Infinity;
      test.info().annotations.push({ type: 'figures', description: `question ${String(at + 1)} closed ${ms.toFixed(0)} ms after the last of ten answers` });
      expect(ms).toBeLessThanOrEqual(within(WAITS_MS).timeout);

      await runner.step('reveal_answer');
      await expect(ann.page.getByTestId('revealed')).toContainText(planet);
      await runner.step('release_scores');
      await expect(ann.page.getByTestId('verdict')).toHaveText(/^\s*right\s*1,000 points$/);
      await screen.sees(at === 2 ? '2 of 10 right' : '1 of 10 right');
      const standings = ann.page.getByRole('heading', { name: 'Standings' });
      await expect(standings).toHaveCount(0);
      if (at === 2) {
        await runner.step('show_standings');
        await expect(standings).toHaveCount(1);
        await expect(ann.page.getByRole('heading', { level: 1 })).toHaveText('1st of 10');
        await screen.sees('Standings');
      }
      if (at < 3) await runner.step('start_next_round');
    }
    await runner.step('show');
    await screen.sees('Jon');
    await expect(ann.page.getByRole('heading', { name: 'Standings' }), 'the second place comes before the winner').toHaveCount(0);
    await runner.step('show');
    await screen.sees('The winner is');
    await expect(ann.page.getByRole('heading', { level: 1 })).toHaveText('1st of 10');
    await runner.endGame();
    await ann.sees('You won, Ann');
    ann.watch.verify();
  });
});
