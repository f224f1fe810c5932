// Plays one game, and stops at every main state: `make tour` takes its picture there, which docs/tour.md shows.

import { readdirSync } from 'node:fs';

import type { Cable } from '../support/cable.ts';
import { CONNECTION_LOST, isAccessible } from '../support/checks.ts';
import type { Answers } from '../support/guests.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { Phone, SMALL_PHONE } from '../support/phone.ts';
import { Camera, KEPT } from '../support/pictures.ts';
import { WHOLE_QUIZ } from '../support/quizzes.ts';
import type { Screen } from '../support/screen.ts';
import { playTeams } from '../support/tourteams.ts';

const [ICELAND, PLANET, VIOLIN, LOBSTER, NOVEL] = WHOLE_QUIZ.rounds.flatMap((round) =>
  round.questions.map((question) => question.text),
) as [string, string, string, string, string];

const OTHERS: Answers = {
  Mira: { [ICELAND]: 'reykjavik', [PLANET]: 'Jupiter', [VIOLIN]: '4', [LOBSTER]: 'False', [NOVEL]: 'Huxley' },
  Jonas: { [ICELAND]: 'Akureyri', [PLANET]: 'Saturn', [VIOLIN]: '4', [LOBSTER]: 'True', [NOVEL]: 'Huxley' },
  'Table 4': { [ICELAND]: 'Reykjavik', [PLANET]: 'Jupiter', [LOBSTER]: 'False', [NOVEL]: 'George Orwel' },
  Søren: { [ICELAND]: 'REYKJAVIK!', [PLANET]: 'Jupiter', [VIOLIN]: '4', [LOBSTER]: 'False' },
  Aïcha: { [ICELAND]: 'Reikjavik', [PLANET]: 'Mars', [VIOLIN]: '6', [LOBSTER]: 'False', [NOVEL]: 'Orwell' },
  'The Owls': { [ICELAND]: 'Akureyri', [PLANET]: 'Jupiter', [VIOLIN]: '5', [LOBSTER]: 'True' },
  Nikolai: { [ICELAND]: 'Stockholm', [VIOLIN]: '4', [NOVEL]: 'Animal Farm' },
  Zoë: { [ICELAND]: 'Reykjavik', [PLANET]: 'Venus', [VIOLIN]: '4', [LOBSTER]: 'False', [NOVEL]: 'orwell' },
  Quentin: { [PLANET]: 'Jupiter', [LOBSTER]: 'False' },
};

/** The pages of the first game. */
interface Scene {
  readonly host: Host;
  readonly screen: Screen;
  readonly ann: Phone;
  readonly ben: Phone;
  readonly camera: Camera;
}

test('the tour', async ({ browser, live }) => {
  const camera = new Camera();
  const host = await live.host();
  const screen = await live.screen(host);
  const cable = await live.cable();
  await using ann = await Phone.open(browser, cable.url, { code: live.game.gameCode });
  await test.step('coming in', () => comesIn(live, host, ann, camera));
  await live.guests(OTHERS);
  await ann.sit('Ann');
  const ben = await live.guest('Ben', { size: SMALL_PHONE, dark: true });
  ann.watch.allow(CONNECTION_LOST);
  const scene = { host, screen, ann, ben, camera };
  await test.step('lobby', () => gathers(scene));
  await test.step('questions', () => asks(scene));
  await test.step('a lost line', () => losesLine(scene, cable));
  await test.step('marking and board', () => marks(scene));
  await test.step('the end', () => ends(scene, `${live.server.url}/host/games/${live.game.id}/results`));
  await test.step('the editor', () => edits(live, host, camera));
  await screen.page.close();
  await test.step('teams, question by question', () => playTeams(browser, live, host, camera));

  const kept = readdirSync(KEPT).filter((name) => name.endsWith('.png'));
  expect(kept.sort(), 'the kept pictures are those of this tour (make tour)').toEqual(
    camera.taken.map((name) => `${name}.png`).sort(),
  );
  for (const each of [host, ann, ben]) each.watch.verify();
});

async function comesIn(live: LiveGame, host: Host, ann: Phone, camera: Camera): Promise<void> {
  await host.page.goto(`${live.server.url}/host`);
  await expect(host.page.getByRole('heading', { name: live.game.title }).first()).toBeVisible();
  await camera.take(host.page, 'host-home');
  await host.page.getByRole('button', { name: `Play: ${live.game.title}` }).first().click();
  await expect(host.page.getByRole('button', { name: 'Open the lobby' })).toBeVisible();
  await camera.take(host.page, 'host-start');
  await host.page.keyboard.press('Escape');
  await host.page.goto(`${live.server.url}/host/games/${live.game.id}`);
  await host.isConnected();
  await camera.take(ann.page, 'phone-join');
}

async function gathers({ host, screen, ann, ben, camera }: Scene): Promise<void> {
  await screen.sees('Ben');
  await camera.take(screen.page, 'screen-lobby');
  await camera.takeDark(screen.page, 'screen-lobby');
  await camera.take(host.page, 'host-lobby');
  await camera.take(ann.page, 'phone-lobby');
  await isAccessible(ben.page, 'phone, lobby, small and dark');
  await camera.take(ben.page, 'phone-lobby-small-dark');
}

async function asks({ host, screen, ann, ben, camera }: Scene): Promise<void> {
  await host.start();
  await host.release(1);
  await screen.sees('Which city is the capital of Iceland?');
  await camera.take(screen.page, 'screen-question');
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await ben.write(1, 'Reikjavik');
  await ben.hasStored(1);
  await host.release(1);
  await screen.sees('Which planet is the largest?');
  await camera.take(screen.page, 'screen-choices');
  await host.release(1);
  await ann.choose(2, 'Jupiter');
  await ann.hasStored(2);
  await ann.question(3).getByRole('textbox').fill('4');
  await ben.question(2).scrollIntoViewIfNeeded();
  await camera.take(ann.page, 'phone-questions');
  await isAccessible(ben.page, 'phone, questions, small and dark');
  await camera.take(ben.page, 'phone-questions-small-dark');
  await camera.take(screen.page, 'screen-questions');
  await camera.takeDark(screen.page, 'screen-questions');
  await camera.take(host.page, 'host-run');
  await camera.takeDark(host.page, 'host-run');
}

async function losesLine({ ann, camera }: Scene, cable: Cable): Promise<void> {
  cable.cut();
  await ann.sees('Your answers are safe on this phone');
  await camera.take(ann.page, 'phone-offline');
  cable.mend();
  await ann.seesNoMore('Your answers are safe on this phone');
  await ann.question(3).getByRole('button', { name: 'Send' }).click();
  await ann.hasStored(3);
}

async function marks({ host, screen, ann, ben, camera }: Scene): Promise<void> {
  await host.endRound();
  await ann.sees('Round over');
  await camera.take(ann.page, 'phone-marking');
  await camera.take(screen.page, 'screen-marking');
  await expect(host.page.getByText(/^Accepting .* gives 2 players/)).toBeVisible();
  await camera.take(host.page, 'host-marking');
  await host.mark('Reikjavik', 'Right');
  await host.releaseScores();
  await ann.sees('This round');
  await camera.take(ann.page, 'phone-board');
  await isAccessible(ben.page, 'phone, board, small and dark');
  await camera.take(ben.page, 'phone-board-small-dark');
  await screen.sees('Reykjavík');
  await camera.take(screen.page, 'screen-answer');
  await camera.take(host.page, 'host-board');
  await host.showNext();
  await screen.sees('Jupiter');
  await camera.take(screen.page, 'screen-answer-choices');
  await camera.takeDark(screen.page, 'screen-answer-choices');
  await host.skipQuestions();
  await screen.sees('Ann');
  await camera.take(screen.page, 'screen-board');
  await camera.takeDark(screen.page, 'screen-board');
}

async function ends({ host, screen, ann, ben, camera }: Scene, results: string): Promise<void> {
  await host.nextRound();
  await screen.sees('By the lamp');
  await host.release(2);
  await ben.choose(1, 'False');
  await ann.choose(1, 'False');
  await ann.write(2, 'Orwell');
  await ben.hasStored(1);
  await ann.hasStored(1, 2);
  await host.endRound();
  await host.releaseScores();
  await ann.sees('Your points are in');
  await camera.take(ann.page, 'phone-held');
  await host.skipQuestions();
  await host.showNext();
  await camera.take(host.page, 'host-podium');
  await camera.take(screen.page, 'screen-places');
  await host.showWinner();
  await screen.sees('The winner is');
  await camera.take(screen.page, 'screen-winner');
  await camera.takeDark(screen.page, 'screen-winner');
  await host.showNext();
  await host.endGame();
  await ann.sees('You won, Ann');
  await camera.take(ann.page, 'phone-won');
  await ben.sees('The game is over');
  await isAccessible(ben.page, 'phone, end, small and dark');
  await camera.take(ben.page, 'phone-end-small-dark');
  await camera.take(screen.page, 'screen-podium');
  await host.page.goto(results);
  await expect(host.page.getByRole('button', { name: 'Download' })).toBeVisible();
  await camera.take(host.page, 'host-results');
}

async function edits(live: LiveGame, host: Host, camera: Camera): Promise<void> {
  await host.page.goto(`${live.server.url}/host`);
  await host.openQuiz(live.game.title);
  await expect(host.page.getByText('Which city is the capital of Iceland?').first()).toBeVisible();
  await host.page.getByTestId('question').nth(1).getByRole('button').first().click();
  await camera.take(host.page, 'host-editor');
  await host.page.goto(`${host.page.url()}?dir=rtl`);
  await expect(host.page.getByText('Which city is the capital of Iceland?').first()).toBeVisible();
  await camera.take(host.page, 'host-editor-right-to-left');
}
