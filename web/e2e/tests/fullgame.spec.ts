// A whole game as people play it: a host, a screen, phones and other guests; a late joiner, a misspelt answer that is accepted, a group
// that is marked at once and undone, a guest who is removed, a question of several lines; two rounds, board, podium, results.

import type { QuizBody, Results } from '../../sdk/src/generated/protocol.ts';
import { results } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { WHOLE_QUIZ } from '../support/quizzes.ts';

/** A question about a program, as an import creates it. */
const PROGRAM = 'What does this print?\n\nif x > 2:\n    x = x * 2\n    print(x)';
const QUIZ: QuizBody = {
  ...WHOLE_QUIZ,
  rounds: WHOLE_QUIZ.rounds.map((round, at) => {
    return at === 0 ? round : { ...round, questions: [...round.questions.slice(0, 1), { text: PROGRAM, type: 'text', correctAnswers: ['6'] }] };
  }),
};
const [ICELAND, PLANET, VIOLIN, LOBSTER] = QUIZ.rounds.flatMap(({ questions }) => questions.map(({ text }) => text)) as [string, string, string, string];

test.use({ quiz: QUIZ });

/** The answers that the server has. */
async function answered({ server, token, game }: LiveGame): Promise<number> {
  const { rounds } = (await results(server.url, token, game.id)) as Results;
  return rounds.flatMap(({ questions }) => questions.flatMap(({ answers }) => answers)).length;
}

test('a host, a screen and six guests play a quiz from the lobby to the podium', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const code = live.game.gameCode;

  await test.step('the lobby fills', async () => {
    await screen.sees(`Game code ${[...code].join(' ')}`);
    await screen.sees('Who’ll be first?');
    await isAccessible(screen.page, 'screen, empty lobby');
    await expect(host.button('start_game')).toBeVisible();
  });
  const ann = await live.guest('Ann');
  await live.guests({
    Ben: { [ICELAND]: 'Reikjavik', [PLANET]: 'Jupiter' },
    Cleo: { [ICELAND]: 'Akureyri', [VIOLIN]: '5', [LOBSTER]: 'False', [PROGRAM]: '6' },
  });
  const late = await live.guest('Rude Name');
  await test.step('names arrive everywhere', async () => {
    for (const name of ['Ann', 'Ben', 'Cleo', 'Rude Name']) {
      await screen.sees(name);
      await expect(host.page.getByText(name, { exact: true }).first()).toBeVisible();
    }
    await ann.sees('4 players here');
    await ann.sees('An evening in the hall');
    await isAccessible(host.page, 'host, lobby');
    await isAccessible(ann.page, 'phone, lobby');
  });

  await test.step('one is removed, and joining is locked and unlocked', async () => {
    late.watch.allow(/Failed to load resource/);
    await host.remove('Rude Name');
    await late.sees('Your host has removed you');
    await isAccessible(late.page, 'phone, removed');
    await expect(screen.page.getByText('Rude Name')).toBeHidden();
    await host.lock(true);
    await late.page.getByRole('button', { name: 'Join again' }).click();
    await late.page.getByLabel('Your name').fill('Late Lou');
    await late.page.getByRole('button', { name: 'Join', exact: true }).click();
    await late.sees('Joining is locked');
    await expect(late.page.getByLabel('Game code'), 'nothing is wrong with the code').toHaveCount(0);
    await isAccessible(late.page, 'phone, locked out');
    await host.lock(false);
    await live.guests({ Dora: {} });
    await screen.sees('Dora');
  });

  await test.step('the first round: three questions open at once', async () => {
    await host.start();
    await ann.sees('Warming up');
    await isAccessible(ann.page, 'phone, before the first question');
    await host.release(3);
    await expect(ann.question(3)).toBeVisible();
    await isAccessible(ann.page, 'phone, questions');
    await isAccessible(screen.page, 'screen, questions');
    await ann.write(1, 'Reykjavik');
    await ann.choose(2, 'Mars');
    await ann.choose(2, 'Jupiter');
    await ann.write(3, '4');
    await ann.hasStored(1, 2, 3);
    await isAccessible(ann.page, 'phone, answers stored');
    await isAccessible(host.page, 'host, questions');
  });

  await test.step('a late joiner sees what is open and answers', async () => {
    await late.sit('Late Lou');
    await expect(late.question(3)).toBeVisible();
    await late.write(1, 'Akureyri');
    await late.hasStored(1);
    await expect.poll(() => answered(live), 'with those of the guests').toBe(8);
  });

  await test.step('the key is nowhere but with the host', async () => {
    for (const page of [ann.page, screen.page]) expect(await page.content()).not.toContain('correctAnswer');
    expect(await screen.text()).not.toContain('Reykjav');
  });

  await test.step('marking: a near miss counts, a group counts and is taken back', async () => {
    await host.endRound();
    await ann.sees('Round over');
    await isAccessible(ann.page, 'phone, round over');
    await isAccessible(host.page, 'host, marking desk');
    await host.layOut(1);
    await host.isMarked('Reykjavik', 'Right');
    await host.isUndecided('Reikjavik');
    await host.mark('Reikjavik', 'Right');
    await host.mark('Akureyri', 'Right');
    await host.undo();
    await host.isMarked('Akureyri', 'Wrong');
    await host.isMarked('Reikjavik', 'Right');
    await host.releaseScores();
  });

  await test.step('the board', async () => {
    await ann.sees('Reykjavik');
    await late.sees('Right answer: Reykjavík');
    await isAccessible(ann.page, 'phone, board');
    await isAccessible(host.page, 'host, board');
  });

  await test.step('the screen goes through the questions, to the standings and the next round', async () => {
    await screen.sees('Reykjavík');
    // Dora has not answered, but could have.
    await screen.sees('2 of 5 right');
    await host.showNext();
    await screen.sees('Jupiter');
    await isAccessible(screen.page, 'screen, choices');
    await host.showNext(2);
    await screen.sees(/standing/i);
    await screen.sees('Ann');
    await host.page.keyboard.press('ArrowLeft');
    await screen.sees('How many strings has a violin?');
    await host.showNext();
    await screen.sees(/standing/i);
    await expect(host.button('start_next_round'), 'the title of the next round is no step').toBeVisible();
    await expect(host.page.getByText(/^Next: .?By the lamp.?$/)).toBeVisible();
  });

  await test.step('the second round', async () => {
    await host.nextRound();
    await ann.sees('By the lamp');
    await host.release(2);
    await ann.choose(1, 'True');
    await ann.hasStored(1);
    for (const [name, place] of [
      ['phone', ann.question(2).locator('h2')],
      ['screen', screen.page.locator('article h1').last()],
      ['host', host.openQuestions().first().locator('#question-now')],
    ] as const) {
      await expect.poll(() => place.innerText(), `every line and its indentation: ${name}`).toBe(PROGRAM);
    }
    await expect.poll(() => answered(live)).toBe(11);
    await host.endRound();
    await host.releaseScores();
    await ann.sees('Your points are in');
  });

  await test.step('the podium, and the end', async () => {
    await host.skipQuestions();
    await isAccessible(screen.page, 'screen, one place');
    await isAccessible(host.page, 'host, one place');
    await host.showNext();
    await screen.sees('Cleo');
    await isAccessible(screen.page, 'screen, two places');
    await ann.sees('Your points are in');
    await host.showWinner();
    await screen.sees('The winner is');
    await ann.sees('1st');
    await host.endGame();
    await ann.sees('You won, Ann');
    await late.sees('The game is over');
    await isAccessible(ann.page, 'phone, end');
    await isAccessible(host.page, 'host, end');
  });

  await test.step('after a reload the host goes through it once more: podium, winner, answers, standings', async () => {
    await host.page.reload();
    const panel = host.page.getByRole('region', { name: 'On the screen' });
    await expect(panel).toContainText('top three');
    await screen.sees('Thanks for playing');
    await isAccessible(host.page, 'host, over');
    await host.page.keyboard.press('ArrowLeft');
    await screen.sees('The winner is');
    const back = panel.getByRole('button', { name: 'Back' });
    while (await back.isEnabled()) await back.click();
    await screen.sees('A lobster is a fish.');
    await screen.sees('1 of 5 right');
    await expect(panel).toContainText('1 of 5 right');
    const on = panel.getByRole('button', { name: 'Next', exact: true });
    while (await on.isEnabled()) await on.click();
    await screen.sees('Standings');
    await screen.sees('Late Lou');
    await host.page.reload();
    await expect(panel, 'where the screen was').toContainText('On the screen now: standings');
  });

  await test.step('the results say the same', async () => {
    await host.page.getByRole('link', { name: 'See all results' }).click();
    await host.page.getByRole('tab', { name: 'Questions' }).click();
    await expect(host.page.getByText('2 of 5 right').first()).toBeVisible();
    await expect(host.page.getByText('1 of 5 right').first()).toBeVisible();
    expect(await results(live.server.url, live.token, live.game.id)).toMatchObject({
      leaderboard: [
        { displayName: 'Ann', score: 2500, rank: 1 },
        { displayName: 'Cleo', score: 2000, rank: 2 },
        { displayName: 'Ben', score: 1500, rank: 3 },
        { displayName: 'Dora', score: 0, rank: 4 },
        { displayName: 'Late Lou', score: 0, rank: 4 },
      ],
    });
  });
  for (const each of [host, ann, late]) each.watch.verify();
});
