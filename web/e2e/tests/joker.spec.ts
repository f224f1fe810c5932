// Jokers: a phone plays one between two rounds, the host sees how many were played, and the round counts twice. The wall shows them in
// hall.spec.ts, and settings.spec.ts switches them on for a round.

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

test('a joker is played between two rounds, and doubles the second one', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await expect(ann.page.getByTestId('joker'), 'the first round has none').toHaveCount(0);
  await runner.start();
  await runner.release();
  await runner.endRound();
  await runner.releaseScores();
  const play = ann.page.getByRole('button', { name: 'Play your joker for round 2' });
  await expect(play).toBeVisible();
  await play.click();
  const ask = ann.page.getByRole('dialog', { name: 'Play your joker for round 2?' });
  await expect(ann.page.getByTestId('joker')).toContainText('It doubles your points in this round.');
  await expect(ask).toContainText('You have only one for the whole game, and you can’t take it back.');
  await isAccessible(ann.page, 'phone, asks before the joker is played');
  await ask.getByRole('button', { name: 'Not now' }).click();
  await expect(ask).toHaveCount(0);
  // From here on the page of the host leads the game.
  const host = await live.host();
  await host.open('players');
  await expect(host.page.getByTestId('jokers'), 'nothing is said of none').toHaveCount(0);
  await play.click();
  await ask.getByRole('button', { name: 'Play the joker' }).click();
  await ann.sees('Joker played: round 2 counts double.');
  await expect(play).toHaveCount(0);
  await expect(host.page.getByTestId('jokers')).toHaveText('1 joker for round 2');
  await host.close();
  await host.nextRound();
  await host.release(1);
  const [edge, lamp] = await ann.question(1).evaluate((card) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--lamp)';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return [getComputedStyle(card).borderInlineStart, `6px solid ${color}`];
  });
  expect(edge, 'the card of a round with a joker').toBe(lamp);
  await ann.page.reload();
  await ann.sees('Joker played: round 2 counts double.');
  await ann.write(1, '8');
  await ann.hasStored(1);
  await host.endRound();
  await host.releaseScores();
  await host.showWinner();
  await ann.sees('including 10 for your joker');
  await isAccessible(ann.page, 'phone, points for the joker');
  for (const each of [host, ann]) each.watch.verify();
});
