// Questions of several lines, such as programs: every page keeps their lines and indentation.

import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

/** A question about a program, as an import creates it. */
const PROGRAM = 'What does this print?\n\nif x > 2:\n    x = x * 2\n    print(x)';

test.describe('code', () => {
  test.use({ quiz: { title: 'Programs', rounds: [{ title: '', questions: [{ text: PROGRAM, type: 'text', correctAnswers: ['6'] }] }] } });

  test('keeps its lines and their indentation on the phone, the screen and the page of the host', async ({ live }) => {
    const host = await live.host();
    const ann = await live.guest('Ann');
    const screen = await live.screen(host);
    await host.start();
    await host.release();
    for (const [name, place] of [
      ['phone', ann.question(1).locator('h2')],
      ['screen', screen.page.locator('h1')],
      ['host', host.openQuestions().first().locator('#question-now')],
    ] as const) {
      await expect.poll(() => place.innerText(), name).toBe(PROGRAM);
      await keepPicture(place.page(), `code-${name}`);
    }
  });
});
