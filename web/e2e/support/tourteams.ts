// The second game of the tour: teams, question by question, with a picture and a timer.

import { type Browser, expect, type Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { newGame } from './api.ts';
import { Host } from './host.ts';
import type { LiveGame } from './livegame.ts';
import { Phone } from './phone.ts';
import type { Camera } from './pictures.ts';
import { Screen } from './screen.ts';

const FLAG = 'Which country has this flag?';

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

/** Three phones that are one team, and two players of their own. */
async function sit(browser: Browser, url: string, code: string): Promise<readonly [Phone, Phone, Phone, Phone, Phone]> {
  const larks = await Phone.open(browser, url, { code });
  await larks.startTeam('The Larks');
  const team = await larks.teamCode();
  const others = ['Ben', 'Cleo'].map(async (name) => {
    const phone = await Phone.open(browser, `${url}/?code=${code}#team=${team}`);
    await phone.sit(name);
    return phone;
  });
  const alone = ['Mira', 'Jonas'].map(async (name) => {
    const phone = await Phone.open(browser, url, { code });
    await phone.page.getByRole('radio', { name: 'Play on your own' }).check();
    await phone.sit(name);
    return phone;
  });
  return [larks, ...(await Promise.all([...others, ...alone]))] as [Phone, Phone, Phone, Phone, Phone];
}

/** Plays it and takes its pictures. */
export async function playTeams(browser: Browser, live: LiveGame, camera: Camera): Promise<void> {
  const { url } = live.server;
  await using maker = await Host.open(browser, `${url}/host`, { session: live.session });
  const options = { pace: 'question', answerSeconds: 60, teams: { devices: 3 } } as const;
  const game = await newGame(url, live.token, await quizOf(live, maker.page), options);
  await using host = await Host.at(browser, url, game.id, { session: live.session });
  const screen = await Screen.from(host);
  const [larks, ben, cleo, mira, jonas] = await sit(browser, url, game.gameCode);
  await larks.sees('Cleo');
  await camera.take(larks.page, 'phone-team');

  await host.start();
  await host.release();
  await ben.choose(1, 'Estonia');
  await ben.hasStored(1);
  await mira.choose(1, 'Estonia');
  await mira.hasStored(1);
  await expect(screen.page.getByRole('img', { name: /Three stripes/ })).toBeVisible();
  await camera.take(screen.page, 'screen-picture');
  await expect(larks.question(1)).toContainText('Ben');
  await camera.take(larks.page, 'phone-picture');
  await camera.take(host.page, 'host-question');
  for (const phone of [larks, ben, cleo, mira, jonas]) await phone[Symbol.asyncDispose]();
}
