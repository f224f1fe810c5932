// The seat survives: reload in every phase on every page, a closed tab, a second tab, the back button, the next evening.

import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/evening.ts';

test('a reload in any phase, on any page, comes back to the same place', async ({ evening }) => {
  const host = await evening.host();
  const screen = await evening.screen(host);
  const ann = await evening.guest('Ann');
  const reloadAll = async (seen: { phone: string | RegExp; screen: string | RegExp }) => {
    await ann.page.reload();
    await ann.sees(seen.phone);
    await screen.page.reload();
    await screen.sees(seen.screen);
    await host.page.reload();
    await host.isConnected();
    await screen.sees(seen.screen);
  };
  await test.step('lobby', () => reloadAll({ phone: 'Welcome back, Ann', screen: 'Ann' }));
  await host.start();
  await test.step('before the first question', () => reloadAll({ phone: 'Warming up', screen: 'Warming up' }));
  await host.release(2);
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await ann.question(2).scrollIntoViewIfNeeded();
  await test.step('open questions', () =>
    reloadAll({ phone: 'Which planet is the largest?', screen: 'Which planet is the largest?' }));
  await ann.hasStored(1);
  await expect(ann.question(1).getByRole('textbox')).toHaveValue('Reykjavik');
  await host.endRound();
  await test.step('marking', () => reloadAll({ phone: 'Round over', screen: /Marking/ }));
  await host.releaseScores();
  await test.step('board', () => reloadAll({ phone: 'This round', screen: 'Ann' }));
  await host.nextRound();
  await test.step('next round', () => reloadAll({ phone: 'By the lamp', screen: 'By the lamp' }));
  await host.release(1);
  await host.endRound();
  await host.releaseScores();
  await host.endGame();
  await test.step('the end', async () => {
    await ann.page.reload();
    await ann.sees('You won, Ann');
    await host.page.reload();
    await expect(host.page.getByText('Final standings')).toBeVisible();
    await screen.page.reload();
    await screen.sees('Ann');
  });
  for (const each of [host, ann]) each.watch.verify();
});

test('a draft that was never sent survives a reload', async ({ evening }) => {
  const host = await evening.host();
  const ann = await evening.guest('Ann');
  await host.start();
  await host.release(1);
  await ann.question(1).getByRole('textbox').pressSequentially('Reyk');
  await ann.page.reload();
  await expect(ann.question(1).getByRole('textbox')).toHaveValue('Reyk');
  ann.watch.verify();
});

test('two tabs: the newer has the seat, the older says so and can take it back', async ({ evening }) => {
  const host = await evening.host();
  const ann = await evening.guest('Ann');
  await host.start();
  await host.release(1);
  const second = await ann.context.newPage();
  await second.goto(`${evening.server.url}/`);
  await expect(second.getByText('Which city is the capital of Iceland?')).toBeVisible();
  await ann.sees('You’re playing in another tab');
  await isAccessible(ann.page, 'phone, seat elsewhere');
  await ann.page.getByRole('button', { name: 'Play here' }).click();
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await expect(second.getByText('You’re playing in another tab')).toBeVisible();
  ann.watch.verify();
});

test('a closed tab: opening the page again is enough, without code or name', async ({ evening }) => {
  const host = await evening.host();
  const ann = await evening.guest('Ann');
  await host.start();
  await host.release(1);
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await ann.page.close();
  const again = await ann.context.newPage();
  await again.goto(`${evening.server.url}/`);
  await expect(again.locator('article[data-question="1"]')).toHaveAttribute('data-state', 'stored');
  ann.watch.verify();
});

test('the code in the link leaves the address bar, and a wrong one is said plainly', async ({ evening }) => {
  const visitor = await evening.visitor();
  visitor.watch.allow(/status of 404/);
  await expect(visitor.page).toHaveURL(`${evening.server.url}/`);
  await visitor.page.goto(`${evening.server.url}/?code=ZZZZZZ`);
  await visitor.page.getByLabel('Your name').fill('Ann');
  await visitor.page.getByRole('button', { name: 'Join', exact: true }).click();
  await visitor.sees('No game found with that code.');
  await isAccessible(visitor.page, 'phone, unknown code');
  visitor.watch.verify();
});

test('a name that is taken is said beside the field, and another one works', async ({ evening }) => {
  await evening.guest('Ann');
  const other = await evening.visitor();
  other.watch.allow(/status of 409/);
  await other.page.getByLabel('Your name').fill('ann');
  await other.page.getByRole('button', { name: 'Join', exact: true }).click();
  await other.sees('Someone already has that name.');
  await isAccessible(other.page, 'phone, name taken');
  await other.sit('Anna');
  await other.sees('You’re in, Anna');
  other.watch.verify();
});
