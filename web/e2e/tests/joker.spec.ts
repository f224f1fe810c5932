// Jokers: the editor enables them for a round, a phone plays one between two rounds, the host and the screen see how many were played,
// and the round counts twice.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const asked = (text: string, answer: string) => ({ text, type: 'text', correctAnswers: [answer], points: 10 });

const QUIZ: QuizBody = {
  title: 'Doubled',
  rounds: [
    { title: 'Insects', questions: [asked('How many legs has an ant?', '6')] },
    { title: 'Spiders', questions: [asked('How many legs has a spider?', '8')], joker: true },
  ],
};

test.use({ quiz: QUIZ });

/** A colour of the design, as the page computes it. */
async function colourOf(page: Page, name: string): Promise<string> {
  return page.evaluate((property) => {
    const probe = document.createElement('i');
    probe.style.color = `var(${property})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

test('a joker is played between two rounds, and doubles the second one; the editor switches it on for another', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await live.guests({ Bob: { 'How many legs has an ant?': '6', 'How many legs has a spider?': '8' } });
  await expect(screen.page.getByText(/jokers? for round/), 'the wall says nothing while there are none').toHaveCount(0);
  await expect(ann.page.getByTestId('joker'), 'the first round has none').toHaveCount(0);
  await host.start();
  await host.release(1);
  await expect(screen.page.locator('article .number'), 'a round without jokers has no golden number').toHaveCSS('box-shadow', 'none');
  await ann.write(1, '6');
  await ann.hasStored(1);
  await host.endRound();
  await host.releaseScores();
  const play = ann.page.getByRole('button', { name: 'Play your joker for round 2' });
  await expect(play).toBeVisible();
  await isAccessible(ann.page, 'phone, a joker can be played');
  await play.click();
  const ask = ann.page.getByRole('dialog', { name: 'Play your joker for round 2?' });
  await expect(ann.page.getByTestId('joker')).toContainText('It doubles your points in this round.');
  await expect(ask).toContainText('You have only one for the whole game, and you can’t take it back.');
  await isAccessible(ann.page, 'phone, asks before the joker is played');
  await ask.getByRole('button', { name: 'Not now' }).click();
  await expect(ask).toHaveCount(0);
  await host.open('players');
  await expect(host.page.getByTestId('jokers'), 'nothing is said of none').toHaveCount(0);
  await host.close();
  await play.click();
  await ask.getByRole('button', { name: 'Play the joker' }).click();
  await ann.sees('Joker played: round 2 counts double.');
  await expect(play).toHaveCount(0);
  await isAccessible(ann.page, 'phone, the joker is played');
  await host.open('players');
  await expect(host.page.getByTestId('jokers')).toHaveText('1 joker for round 2');
  await host.close();
  await isAccessible(host.page, 'host, a joker is played');
  await ann.page.reload();
  await ann.sees('Joker played: round 2 counts double.');
  await host.nextRound();
  await expect(screen.page.getByText('1 joker for round 2')).toBeVisible();
  await isAccessible(screen.page, 'screen, a round with a joker');
  await host.release(1);
  const lamp = await colourOf(screen.page, '--lamp');
  const number = screen.page.locator('article .number');
  await expect(screen.page.locator('article').getByText('1 joker for round 2'), 'the wall counts them beside the question').toBeVisible();
  await expect(number).toHaveCSS('box-shadow', new RegExp(lamp.replace(/[()]/g, '\\$&')));
  await isAccessible(screen.page, 'screen, a question with jokers');
  await expect(ann.question(1)).toHaveCSS('border-inline-start', `6px solid ${lamp}`);
  await ann.sees('Joker played: round 2 counts double.');
  await ann.write(1, '8');
  await ann.hasStored(1);
  await host.endRound();
  await host.releaseScores();
  await host.showWinner();
  await ann.sees('including 10 for your joker');
  await isAccessible(ann.page, 'phone, points for the joker');
  await test.step('the editor switches jokers on for a round', async () => {
    await host.page.goto(`${live.server.url}/host`);
    await host.openQuiz('Doubled');
    await expect(host.page.getByRole('button', { name: 'Settings of round 2' })).toContainText('Joker');
    const first = (await host.settings(1)).getByRole('switch', { name: 'Joker' });
    await expect(first).not.toBeChecked();
    await first.check();
    await host.isSaved();
    await isAccessible(host.page, 'editor, rounds with jokers');
    await host.page.reload();
    await host.settings(1);
    await expect(first).toBeChecked();
  });
});
