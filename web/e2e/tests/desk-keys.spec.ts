// The marking desk must be fast and forgiving: thirty near misses with only the keyboard, undo, and answers to a number question
// that are not numbers.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { join } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { heldLine } from '../support/heldline.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

const CITIES = ['Copenhagen', 'Marrakesh', 'Wellington'];

const asks = (city: string): string => `How is ${city} spelt?`;

const THREE_CITIES: QuizBody = {
  title: 'Cities',
  rounds: [
    {
      title: '',
      questions: CITIES.map((city) => ({ text: asks(city), type: 'text', correctAnswers: [city] })),
    },
  ],
};

/** The city with one additional letter, at another place for each player. */
const misspelt = (city: string, place: number): string => `${city.slice(0, place)}q${city.slice(place)}`;

test.describe('thirty near misses', () => {
  test.use({ quiz: THREE_CITIES });

  test('are marked by the keyboard alone in less than half a minute; an undo leads back to what it undid', async ({
    live,
  }) => {
    const host = await live.host();
    const places = Array.from({ length: 10 }, (_, place) => place);
    const answers = (place: number) =>
      Object.fromEntries(CITIES.map((city) => [asks(city), misspelt(city, place)]));
    await live.guests(Object.fromEntries(places.map((place) => [`Guest ${String(place)}`, answers(place)])));
    await host.start();
    await host.release(3);
    await host.unfold();
    for (const row of await host.openQuestions().all()) await expect(row).toContainText('10 of 10');
    await host.endRound();
    await expect(host.page.getByText('30 to check').first()).toBeVisible();

    const { keyboard } = host.page;
    const focused = host.page.locator('[data-row]:focus');
    const texts = new Set<string>();
    const before = Date.now();
    await expect(focused, 'the list has the focus from the start').toBeVisible();
    for (let each = 0; each < 30; each += 1) {
      texts.add(await focused.innerText());
      await keyboard.press(each % 3 === 2 ? 'x' : 'a');
    }
    await expect(host.page.getByText('Nothing left to check').first()).toBeVisible();
    expect(Date.now() - before).toBeLessThan(30_000);
    expect(texts.size, 'every text was under the keys once').toBe(30);
    const tabs = host.page.getByRole('tab');
    await expect(tabs.nth(2)).toHaveAttribute('aria-selected', 'true');
    for (const [tab, right] of [7, 7, 6].entries()) await expect(tabs.nth(tab)).toContainText(`${String(right)} of 10 right`);

    await test.step('an answer left wrong is taken back like a mark, and is left again', async () => {
      await keyboard.press('u');
      await expect(host.page.getByText('1 to check').first()).toBeVisible();
    });
    await test.step('what is under the keys is what was undone, also in the question before', async () => {
      for (let left = 2; left <= 11; left += 1) {
        await keyboard.press('u');
        await expect(host.page.getByText(`${String(left)} to check`).first()).toBeVisible();
      }
      await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
      const last = await focused.locator('bdi').first().innerText();
      await keyboard.press('a');
      await host.layOut(2);
      await host.isMarked(last, 'Right');
    });
    await test.step('so it is after a reload, when only the server knows what it was', async () => {
      await host.page.reload();
      await expect(host.page.getByText('10 to check').first()).toBeVisible();
      await host.layOut(1);
      await keyboard.press('u');
      await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
      await expect(focused).toBeVisible();
      await expect(host.page.getByText('11 to check').first()).toBeVisible();
    });
    host.watch.verify();
  });

  test('an undo that is given before the one before is confirmed leads to its own row', async ({ live }) => {
    const host = await live.host();
    const line = await heldLine(host.page);
    await host.page.reload();
    await live.guests({ Ben: { [asks('Copenhagen')]: 'Copenhagn', [asks('Marrakesh')]: 'Marakesh' } });
    await host.start();
    await host.release(2);
    await host.endRound();
    await expect(host.page.getByText('2 to check').first()).toBeVisible();
    const { keyboard } = host.page;
    await keyboard.press('a');
    await keyboard.press('a');
    const undo = host.page.getByRole('button', { name: /^Undo/ });
    await expect(undo).toContainText('(2)');

    line.hold('marking_update');
    await keyboard.press('u');
    await expect(host.page.getByText('1 to check').first()).toBeVisible();
    await keyboard.press('u');
    line.pass();
    await expect(host.page.getByText('2 to check').first()).toBeVisible();
    await expect(undo, 'both are confirmed').not.toContainText('(');
    await expect(host.page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true');
    await expect(host.page.locator('[data-row]:focus')).toContainText('Copenhagn');
    await test.step('after the last question comes the first answer that is not decided, and nothing once all are', async () => {
      await host.layOut(2);
      await keyboard.press('a');
      await expect(host.page.locator('[data-row]:focus')).toContainText('Copenhagn');
      await keyboard.press('a');
      await host.isMarked('Copenhagn', 'Right');
      await expect(host.page.getByText('1 answer marked right. Nothing left to check')).toBeAttached();
      await expect(host.page.locator('[data-row]:focus')).toContainText('Copenhagn');
    });
    host.watch.verify();
  });
});

const A_NUMBER: QuizBody = {
  title: 'Years',
  rounds: [
    {
      title: '',
      questions: [{ text: 'When did London burn?', type: 'numeric', correctAnswers: ['1665'], tolerance: 50 }],
    },
  ],
};

test.describe('a number', () => {
  test.use({ quiz: A_NUMBER });

  test('counts however it is written; what is none is said before it is sent, and lies first on the desk', async ({
    live,
  }) => {
    const host = await live.host();
    const asked = 'When did London burn?';
    await live.guests({ Ben: { [asked]: '1.700' }, Cleo: { [asked]: '1 665' }, Dora: { [asked]: '1,800' } });
    const ann = await live.guest('Ann');
    await host.start();
    await host.release();
    const field = ann.question(1).getByRole('textbox');
    const hint = ann.question(1).getByText('Type digits, or it may count as wrong');
    await field.fill('sixteen hundred');
    await expect(hint).toBeVisible();
    await field.fill('1,66');
    await expect(hint).toBeHidden();
    await isAccessible(ann.page, 'phone, a number');
    await field.fill('sixteen hundred');
    await keepPicture(ann.page, 'digits');
    await ann.question(1).getByRole('button', { name: 'Send' }).click();
    await ann.hasStored(1);
    await ann.sees('Saved as “sixteen hundred”. Type digits, or it counts only if your host says so.');
    await expect(hint, 'said once').toBeHidden();
    await ann.seesNoMore(/^Saved$/);
    await expect(host.openQuestions().first()).toContainText('4 of 4');
    await host.endRound();
    await join(live.server.url, live.game.gameCode, 'Late');
    await expect(host.page.getByRole('button', { name: '5 players' })).toBeVisible();
    await expect(host.page.getByText('without an answer')).toHaveCount(0);
    await host.isMarked('1.700', 'Right');
    await host.isMarked('1 665', 'Right');
    await host.isMarked('1,800', 'Wrong');
    await expect(host.page.getByText('1 to check').first()).toBeVisible();
    const first = host.page.getByRole('tabpanel').getByRole('listitem').first();
    await expect(first).toContainText('sixteen hundred');
    await expect(first).toContainText('not a number');
    await isAccessible(host.page, 'host, an answer that is no number');
    await keepPicture(host.page, 'desk');
    await host.page.keyboard.press('a');
    await host.isMarked('sixteen hundred', 'Right');
    await expect(host.page.getByText('Nothing left to check').first()).toBeVisible();
    await host.releaseScores();
    await host.page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
    await host.page.getByRole('tab', { name: 'Questions' }).click();
    await expect(host.page.getByText('3 of 4 right'), 'who came after the round is not counted').toBeVisible();
    for (const each of [host, ann]) each.watch.verify();
  });
});
