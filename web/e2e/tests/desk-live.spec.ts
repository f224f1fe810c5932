// The desk while answers arrive: thirty texts with only the keyboard, from one question into the next, and into the review.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';

const CITIES = ['Copenhagen', 'Marrakesh', 'Wellington'];

const THREE_CITIES: QuizBody = {
  title: 'Cities',
  rounds: [
    {
      title: '',
      questions: CITIES.map((city) => ({ text: `How is ${city} spelt?`, type: 'text', correctAnswers: [city], points: 2 })),
    },
  ],
};

const misspelt = (city: string, place: number): string => `${city.slice(0, place)}q${city.slice(place)}`;

test.use({ quiz: THREE_CITIES });

test('thirty texts are decided on in thirty seconds while questions are open, and the focus is never lost', async ({ live }) => {
  const host = await live.host();
  const places = Array.from({ length: 10 }, (_, place) => place);
  const answers = (place: number) =>
    Object.fromEntries(CITIES.map((city) => [`How is ${city} spelt?`, misspelt(city, place)]));
  await live.guests(Object.fromEntries(places.map((place) => [`Guest ${String(place)}`, answers(place)])));
  await host.start();
  await host.release(3);
  const chip = host.page.getByRole('button', { name: '30 to check' });
  await expect(chip).toBeVisible();
  await expect(host.page.getByText('30 to check'), 'said once').toHaveCount(1);
  await host.page.keyboard.press('m');
  await isAccessible(host.page, 'host, marking while answers come');

  const { keyboard } = host.page;
  const drawer = host.page.getByRole('dialog', { name: 'Check answers now' });
  const list = drawer.getByRole('listbox');
  const row = list.getByRole('option', { selected: true });
  const texts = new Set<string>();
  const before = Date.now();
  for (let each = 0; each < 30; each += 1) {
    await expect(list).toBeFocused();
    texts.add(await row.innerText());
    await keyboard.press(each % 3 === 2 ? 'x' : 'a');
  }
  await expect(drawer.getByText('Nothing left to check').first()).toBeVisible();
  expect(Date.now() - before).toBeLessThan(30_000);
  expect(texts.size, 'every text was under the keys once').toBe(30);
  await expect(list).toBeFocused();

  await test.step('U takes the last one back, and lays it under the keys again; H gives half of the points', async () => {
    await keyboard.press('u');
    await expect(drawer.getByText('1 to check')).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Half of the points' })).toBeVisible();
    await keyboard.press('h');
    await expect(host.page.getByText('1 answer given half of the points.')).toBeAttached();
    await expect(drawer.getByText('Nothing left to check').first()).toBeVisible();
  });
  await test.step('a reload shows the same', async () => {
    await host.page.reload();
    await host.page.getByRole('button', { name: 'Check answers now' }).click();
    await expect(drawer.getByText('Nothing left to check').first()).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Undo (30)' })).toBeEnabled();
    await expect(list).toBeFocused();
  });
  await test.step('the drawer closes, and the desk of the review has the focus', async () => {
    await keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await host.space();
    await expect(host.page.locator('[data-row]:focus')).toBeVisible();
    await expect(host.page.getByText('Nothing left to check').first()).toBeVisible();
  });
  const tabs = host.page.getByRole('tab');
  for (const [tab, right] of [7, 7, 6].entries()) await expect(tabs.nth(tab)).toContainText(`${String(right)} of 10 right`);
  host.watch.verify();
});
