// A game with a screen reader: the texts of live regions and the headings that get the focus on a phone, in order, from the first
// question to the standings, with a tie-break; and that the focus is never lost. Each sentence: play/src/announcement.test.ts.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { aloud, listen } from '../support/aloud.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';

const QUIZ: QuizBody = {
  title: 'By ear',
  rounds: [
    {
      title: 'First',
      questions: [
        { text: 'How many legs has a spider?', type: 'text', correctAnswers: ['8'], points: 10, explanation: 'An ant has six.' },
        { text: 'How many has an ant?', type: 'text', correctAnswers: ['6'], points: 10 },
      ],
    },
  ],
};

test.use({ quiz: QUIZ, options: { phonesAfterScreen: true } });

/** Waits until these sentences are announced after the earlier ones. */
async function announces(page: Parameters<typeof aloud>[0], ...sentences: readonly (string | RegExp)[]): Promise<void> {
  for (const sentence of sentences) {
    const isIt = (said: string) => (typeof sentence === 'string' ? said.includes(sentence) : sentence.test(said));
    await expect(async () => {
      const said = await aloud(page);
      expect(said.some(isIt), `${String(sentence)} in:\n${said.join('\n')}`).toBe(true);
    }).toPass({ timeout: 30_000 });
  }
}

test('a whole evening is said, in order, with a tie-break at its end, and the focus stays on the page', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.visitor();
  await listen(ann.context);
  await ann.page.reload();
  await ann.sit('Ann');
  await live.guests({ Ben: { 'How many legs has a spider?': '8', 'How many has an ant?': '6' }, Cleo: {} });
  await announces(ann.page, '# You’re in, Ann');

  runner.link.startBreak(300, 'Drinks are served.');
  await announces(ann.page, 'Break. Drinks are served.');
  runner.link.endBreak();
  await announces(ann.page, 'The break is over.');

  await runner.start();
  await runner.release(2);
  await announces(ann.page, 'New question 2: How many has an ant?');
  await test.step('a question closes while one types', async () => {
    await ann.question(1).getByRole('textbox').pressSequentially('8');
    // Its time begins now: on a slow machine it would be over before the first key.
    runner.setTime(5, 1);
    await announces(ann.page, 'Question 1: Time is up.');
    await expect(ann.question(1).getByRole('textbox')).toHaveCount(0);
    await expect(ann.question(1).getByRole('heading')).toBeFocused();
    await ann.page.keyboard.press('Tab');
    await expect(ann.question(2).getByRole('textbox'), 'on from there').toBeFocused();
  });
  await ann.write(2, '6');
  await ann.hasStored(1, 2);
  await announces(ann.page, 'Answer 2 saved');
  await runner.endRound();
  await announces(ann.page, '# Round over');

  await runner.releaseScores();
  // The host's page lets the phones have each answer with the screen.
  runner.reveal(1);
  await announces(ann.page, 'How many legs has a spider? The right answer: 8. An ant has six.');
  runner.reveal(2);
  await announces(ann.page, 'How many has an ant? The right answer: 6.');
  await test.step('a tie-break is said, and its end', async () => {
    runner.link.breakTie([await runner.player('Ann'), await runner.player('Ben')], 'How many keys has a piano?', 88);
    await announces(ann.page, 'Tie-break. How many keys has a piano? A whole number.');
    await ann.page.getByLabel('How many keys has a piano?').fill('80');
    runner.link.endTieBreak();
    await announces(ann.page, 'Tie-break. How many keys has a piano? Answer: 88');
    await expect(ann.page.getByTestId('tie-break').getByRole('heading'), 'its field is closed').toBeFocused();
  });
  runner.link.showStandings();
  await announces(ann.page, 'Your place: 1 of 3.');
  await isAccessible(ann.page, 'phone, after an evening by ear');

  const said = (await aloud(ann.page)).join('\n');
  const order = ['Drinks are served', 'break is over', 'New question 2', 'Question 1: Time is up', 'Answer 2 saved', '# Round over', 'An ant has six', 'keys has a piano? A', 'Answer: 88', 'Your place'];
  const places = order.map((each) => said.indexOf(each));
  expect(places, said).toEqual([...places].sort((one, other) => one - other));
  ann.watch.verify();
});
