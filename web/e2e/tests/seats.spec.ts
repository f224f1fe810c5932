// A seat survives: a reload in every phase on every page, a closed tab, a second tab, the back button, the next game.

import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

test('a reload in any phase, on any page, comes back to the same place', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann');
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
  await test.step('board', () => reloadAll({ phone: 'This round', screen: 'Reykjavík' }));
  await host.nextRound();
  await test.step('next round', () => reloadAll({ phone: 'By the lamp', screen: 'By the lamp' }));
  await host.release(1);
  await host.endRound();
  await host.releaseScores();
  await test.step('standings held', () => reloadAll({ phone: 'Your points are in', screen: 'A lobster is a fish.' }));
  await host.showWinner();
  await test.step('standings shown', () => reloadAll({ phone: '1st of 1', screen: 'The winner is' }));
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

test('a phone that was removed joins again; one that was banned is not offered it, and cannot', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  ann.watch.allow(/status of 403/);
  const again = ann.page.getByRole('button', { name: 'Join again' });
  const joinAs = async (name: string) => {
    await ann.page.getByLabel('Your name').fill(name);
    await ann.page.getByRole('button', { name: 'Join', exact: true }).click();
  };
  await host.remove('Ann');
  await ann.sees('Your host has removed you');
  await again.click();
  await joinAs('Anna');
  await ann.sees('Anna');
  await host.remove('Anna', { ban: true });
  await ann.sees('Your host has removed you');
  await ann.sees('Your host doesn’t let this phone join again.');
  await expect(again).toHaveCount(0);
  await isAccessible(ann.page, 'phone, banned');
  await ann.page.getByRole('button', { name: 'Join another game' }).click();
  await ann.page.getByLabel('Game code').fill(live.game.gameCode);
  await joinAs('Another');
  await ann.sees('Your host doesn’t let this phone join again.');
  await expect(host.page.getByText('Another', { exact: true })).toHaveCount(0);
});

test('a phone that was removed and gets no answer offers another game, never the same one', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  ann.watch.allow(/Failed to load resource|ERR_FAILED/);
  let answer: () => void = () => undefined;
  const wait = new Promise<void>((done) => {
    answer = done;
  });
  await ann.page.route('**/api/v1/join/*', async (route) => {
    await wait;
    await route.abort();
  });
  await host.remove('Ann');
  await ann.sees('If that was a mistake, talk to your host.');
  await expect(ann.page.locator('main').getByRole('button'), 'nothing is offered before the answer').toHaveCount(0);
  answer();
  await expect(ann.page.getByRole('button', { name: 'Join another game' })).toBeVisible();
  await expect(ann.page.getByRole('button', { name: 'Join again' })).toHaveCount(0);
});

test('a draft survives a reload; of two tabs the newer has the seat, and the older can take it back; closed tabs lose nothing', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  await host.start();
  await host.release(1);
  await ann.question(1).getByRole('textbox').pressSequentially('Reyk');
  await ann.page.reload();
  await expect(ann.question(1).getByRole('textbox')).toHaveValue('Reyk');

  const second = await ann.context.newPage();
  await second.goto(`${live.server.url}/`);
  await expect(second.getByText('Which city is the capital of Iceland?')).toBeVisible();
  await ann.sees('You’re playing in another tab');
  await isAccessible(ann.page, 'phone, seat elsewhere');
  await ann.page.getByRole('button', { name: 'Play here' }).click();
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await expect(second.getByText('You’re playing in another tab')).toBeVisible();

  // Opening the page again is enough, without code or name.
  for (const tab of [second, ann.page]) await tab.close();
  const again = await ann.context.newPage();
  await again.goto(`${live.server.url}/`);
  await expect(again.locator('article[data-question="1"]')).toHaveAttribute('data-state', 'stored');
  ann.watch.verify();
});

test('the code stays in the address until there is a seat, and a token never comes into it', async ({ live }) => {
  const { url } = live.server;
  const code = live.game.gameCode;
  const visitor = await live.visitor();
  const { page } = visitor;
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await expect(page).toHaveURL(`${url}/?code=${code}`);
  await page.reload();
  await visitor.sees(`Game code ${[...code].join(' ')}`);
  await visitor.sit('Ann');
  await expect(page).toHaveURL(`${url}/`);
  await page.reload();
  await visitor.sees('Welcome back, Ann');
  expect(addresses).toContain(`${url}/`);
  expect(addresses.join()).not.toContain('qp_');

  await test.step('a code that is typed is in the address as well', async () => {
    await page.getByRole('button', { name: 'Leave game' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByLabel('Game code').fill(code.toLowerCase());
    await page.getByLabel('Your name').focus();
    await expect(page).toHaveURL(`${url}/?code=${code}`);
    await page.reload();
    await visitor.sees(`Game code ${[...code].join(' ')}`);
    await page.getByRole('button', { name: 'Change code' }).click();
    await expect(page).toHaveURL(`${url}/`);
  });
  visitor.watch.verify();
});

test('a wrong code is said plainly', async ({ live }) => {
  const visitor = await live.visitor({ code: 'ZZZZZZ' });
  visitor.watch.allow(/status of 404/);
  await visitor.page.getByLabel('Your name').fill('Ann');
  await visitor.page.getByRole('button', { name: 'Join', exact: true }).click();
  await visitor.sees('No game found with that code.');
  await isAccessible(visitor.page, 'phone, unknown code');
  visitor.watch.verify();
});

test('a name of 40 characters is counted, taken and shown whole', async ({ live }) => {
  const long = 'The Seven & a Half Dwarfs of Table 42 Ω!';
  const visitor = await live.visitor({ size: SMALL_PHONE });
  const name = visitor.page.getByLabel('Your name');
  await name.fill(`  ${long}`);
  await visitor.sees('40/40');
  await name.fill(`${long}?`);
  await visitor.sees('41/40');
  await visitor.sees('That name is too long. Use at most 40 characters.');
  await isAccessible(visitor.page, 'phone, name too long');
  await visitor.page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(name, 'nothing was sent').toBeFocused();
  await name.fill(long);
  await visitor.sit(long);
  await visitor.sees(`You’re in, ${long}`);
  await isAccessible(visitor.page, 'phone, lobby with a long name');
  visitor.watch.verify();
});

/** Names that only the server can refuse. */
const REFUSED_NAMES = [
  ['аdmin', 'That name is reserved for the host.'],
  ['An\u200bn', 'That name has a character that can’t be shown.'],
  ['Ann\u3164', 'That name has a character that can’t be shown.'],
  ['Q\u0301\u0302\u0303', 'That name has too many accents on one letter. Use fewer of them.'],
  ['...', 'A name needs at least one letter or digit.'],
] as const;

test('a name that is refused is refused for the true reason, beside the field', async ({ live }) => {
  await live.guest('Paul');
  const other = await live.visitor();
  other.watch.allow(/status of 4(09|22)/);
  const name = other.page.getByLabel('Your name');
  const go = other.page.getByRole('button', { name: 'Join', exact: true });
  for (const [typed, reason] of REFUSED_NAMES) {
    await name.fill(typed);
    await go.click();
    await other.sees(reason);
    await expect(name).toBeFocused();
  }
  await isAccessible(other.page, 'phone, name refused');
  const asked: string[] = [];
  other.page.on('request', (request) => asked.push(request.url()));
  for (const [typed, reason] of [
    [' ', 'Enter your name.'],
    ['Host', 'That name is reserved for the host.'],
    ['👨\u200D👩\u200D👧\u200D👦'.repeat(11), 'That name has too many emoji or accents.'],
  ] as const) {
    await name.fill(typed);
    await go.click();
    await other.sees(reason);
  }
  expect(asked, 'these the phone knows by itself').toEqual([]);
  await name.fill('PauI');
  await go.click();
  await other.sees('Choose another one. If that’s you, press “I was playing on another phone”.');
  await isAccessible(other.page, 'phone, name taken');
  await other.sit('Paula');
  await other.sees('You’re in, Paula');
  other.watch.verify();
});

/** The height that the keyboard leaves on the smallest phone. */
const OVER_KEYBOARD = 330;

test('on the smallest phone the button to join is whole, in every language', async ({ live }) => {
  const visitor = await live.visitor({ size: SMALL_PHONE });
  for (const search of [`?code=${live.game.gameCode}`, '']) {
    await visitor.page.goto(`${live.server.url}/${search}`);
    for (const language of ['en', 'de', 'es', 'fr']) {
      await visitor.page.locator('footer select').first().selectOption(language);
      await expect(visitor.page.locator('html')).toHaveAttribute('lang', language);
      await visitor.page.evaluate(() => {
        scrollTo(0, 0);
      });
      const button = visitor.page.locator('button[type=submit]');
      for (const height of [SMALL_PHONE.height, OVER_KEYBOARD]) {
        await visitor.page.setViewportSize({ ...SMALL_PHONE, height });
        await expect(button).toBeInViewport({ ratio: 1 });
        await isNotTooWide(visitor.page, `join, ${language}`);
        const covered = await button.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const points = [left + 8, right - 8].flatMap((x) => [top + 8, bottom - 8].map((y) => [x, y] as const));
          return points.filter(([x, y]) => !element.contains(document.elementFromPoint(x, y)));
        });
        expect(covered, 'nothing lies over it').toEqual([]);
      }
    }
  }
});
