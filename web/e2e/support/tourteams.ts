// The second game of the tour: teams, question by question, with a picture and a timer, an appeal and a tie-break.

import { type Browser, expect, type Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { newGame } from './api.ts';
import type { Host } from './host.ts';
import type { LiveGame } from './livegame.ts';
import { Phone } from './phone.ts';
import type { Camera } from './pictures.ts';
import { Screen } from './screen.ts';
import { Seat } from './seat.ts';

const FLAG = 'Which country has this flag?';
const ISLANDS = 'How many islands does Estonia have?';

/** The flag of Estonia, as a file. */
async function flag(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [660, 420];
    const pen = canvas.getContext('2d');
    ['#0072ce', '#000', '#fff'].forEach((colour, stripe) => {
      if (!pen) return;
      pen.fillStyle = colour;
      pen.fillRect(0, stripe * 140, 660, 140);
    });
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

async function quizOf({ server, token }: LiveGame, page: Page): Promise<QuizBody> {
  const body = new Uint8Array(await flag(page));
  const stored = await fetch(`${server.url}/api/v1/media`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body });
  const { id } = (await stored.json()) as { id: string };
  const media = { id, kind: 'picture', alt: 'Three stripes: blue, black, white' } as const;
  const choices = ['Estonia', 'Latvia', 'Finland', 'Iceland'];
  return {
    title: 'Around the Baltic',
    rounds: [
      {
        title: 'Flags and water',
        questions: [
          { text: FLAG, type: 'multiple_choice', choices, correctAnswers: ['Estonia'], points: 10, media },
          { text: 'Which sea is north of Poland?', type: 'text', correctAnswers: ['Baltic Sea', 'Baltic'], points: 10 },
        ],
      },
      { title: 'Cities', questions: [{ text: 'Of which country is Riga the capital?', type: 'text', correctAnswers: ['Latvia'], points: 10 }] },
    ],
  };
}

/** A phone and two more of its team, and two players of their own. */
async function sit(browser: Browser, url: string, code: string): Promise<readonly [Phone, Phone, Phone]> {
  const larks = await Phone.open(browser, url, { code });
  await larks.startTeam('The Larks');
  const team = await larks.teamCode();
  await Seat.take(url, code, 'Ben', { [FLAG]: 'Estonia' }, { teamCode: team });
  await Seat.take(url, code, 'Cleo', {}, { teamCode: team });
  const alone = ['Mira', 'Jonas'].map(async (name) => {
    const phone = await Phone.open(browser, url, { code });
    await phone.page.getByRole('radio', { name: 'Play on your own' }).check();
    await phone.sit(name);
    return phone;
  });
  return [larks, ...(await Promise.all(alone))] as [Phone, Phone, Phone];
}

type Team = Awaited<ReturnType<typeof sit>>;

/** What a scene of this game needs. */
interface Scene {
  host: Host;
  screen: Screen;
  team: Team;
  camera: Camera;
}

/** Plays it on the page of this host and takes its pictures. */
export async function playTeams(browser: Browser, live: LiveGame, host: Host, camera: Camera): Promise<void> {
  const { url } = live.server;
  const options = { pace: 'question', answerSeconds: 60, teams: { devices: 3 } } as const;
  const game = await newGame(url, live.token, await quizOf(live, host.page), options);
  await host.page.goto(`${url}/host/games/${game.id}`);
  await host.isConnected();
  const screen = await Screen.from(host);
  const team = await sit(browser, url, game.gameCode);
  const scene = { host, screen, team, camera };
  await team[0].sees('Cleo');
  await expect(screen.page.getByText('3 teams', { exact: true })).toBeVisible();
  await camera.take(team[0].page, 'phone-team');
  await host.start();
  await showPicture(scene);
  await appeal(scene);
  await breakTie(scene);
  for (const phone of team) await phone[Symbol.asyncDispose]();
}

/** A picture question while its time runs, and its answer with the shares of the choices. */
async function showPicture({ host, screen, team, camera }: Scene): Promise<void> {
  const [larks, mira, jonas] = team;
  await host.release();
  await mira.choose(1, 'Estonia');
  await mira.hasStored(1);
  await expect(screen.page.getByRole('img', { name: /Three stripes/ })).toBeVisible();
  await expect(screen.page.getByText('2 of 3 answered')).toBeVisible();
  // Its button lies over the bar until the pointer has rested.
  await expect(screen.page.locator('html')).toHaveClass(/pointer-idle/);
  await camera.take(screen.page, 'screen-picture');
  await expect(larks.question(1)).toContainText('Ben');
  await camera.take(larks.page, 'phone-picture');
  await camera.take(host.page, 'host-question');
  await jonas.choose(1, 'Latvia');
  await jonas.hasStored(1);
  await host.step('close_question');
  await host.step('reveal_answer');
  await expect(host.page.getByText('2 of 3 right')).toBeVisible();
  await expect(screen.page.getByRole('listitem').filter({ hasText: 'Estonia' })).toContainText('2');
  await mira.sees('The right answer');
  await camera.take(host.page, 'host-revealed');
  await camera.take(screen.page, 'screen-revealed');
  await camera.take(mira.page, 'phone-revealed');
  await host.releaseScores();
  await host.nextRound();
}

/** All answer a question, which is then closed and shown with its points. */
async function playQuestion({ host, team: [larks, mira, jonas] }: Scene, number: number, answers: readonly [string, string, string]): Promise<void> {
  await host.release();
  for (const [at, phone] of [larks, mira, jonas].entries()) {
    await phone.write(number, answers[at] ?? '');
    await phone.hasStored(number);
  }
  await host.step('close_question');
  await host.step('reveal_answer');
  await host.releaseScores();
}

/** A player asks the host to look at an answer again; its points move the standings on every page. */
async function appeal(scene: Scene): Promise<void> {
  const { host, screen, team, camera } = scene;
  const [, , jonas] = team;
  await playQuestion(scene, 2, ['Baltic Sea', 'The North Sea', 'Ostsee']);
  await host.showWinner();
  await jonas.page.getByText('Appeal', { exact: true }).click();
  await jonas.page.getByLabel('Why? (optional)').fill('It is called so in German');
  await camera.take(jonas.page, 'phone-appeal');
  await jonas.page.getByRole('button', { name: 'Ask the host' }).click();
  const card = host.page.getByRole('group', { name: 'Appeal by Jonas' });
  await expect(card).toBeVisible();
  await expect(host.page.getByText(/^Right: 1 team gains/)).toBeVisible();
  await expect(host.page.getByText('1 of 3 right')).toBeVisible();
  await camera.take(host.page, 'host-appeal');
  await card.getByRole('button', { name: 'Right' }).click();
  await jonas.sees('Right, after your appeal');
  await expect(host.page.getByText('2 of 3 right'), 'the page counts again').toBeVisible();
  await camera.take(jonas.page, 'phone-appeal-right');
  await expect(screen.page.getByRole('listitem').filter({ hasText: 'Jonas' })).toContainText('+10');
  await camera.take(screen.page, 'screen-appeal-right');
  await host.nextRound();
}

/** Two players share the first place after the last question, and a number decides. */
async function breakTie(scene: Scene): Promise<void> {
  const { host, screen, team, camera } = scene;
  const [larks, mira] = team;
  await playQuestion(scene, 1, ['Estonia', 'Latvia', 'Estonia']);
  const panel = host.page.getByTestId('tie-break');
  await host.page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(panel).toContainText('Tie for place 1');
  await camera.take(host.page, 'host-tie');
  await panel.getByRole('button', { name: 'Ask a tie-break' }).click();
  const dialog = host.page.getByRole('dialog');
  await dialog.getByLabel('Question').fill(ISLANDS);
  await dialog.getByLabel('Right answer (whole number)').fill('2222');
  await dialog.getByRole('button', { name: 'Start tie-break' }).click();
  await mira.page.getByLabel(ISLANDS).fill('1800');
  await camera.take(mira.page, 'phone-tie');
  await mira.page.getByRole('button', { name: 'Send' }).click();
  await larks.page.getByLabel(ISLANDS).fill('300');
  await larks.page.getByRole('button', { name: 'Send' }).click();
  await expect(panel).toContainText('2 of 2 answered');
  await host.page.getByRole('button', { name: 'End the tie-break' }).click();
  await expect(screen.page.getByTestId('tie-break')).toContainText('Answer: 2222');
  await camera.take(screen.page, 'screen-tie-over');
}
