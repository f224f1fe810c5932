// Timers on all pages, on phones whose clocks are wrong: a typed answer is sent at zero, a closed question says why it closed and takes no
// answer, also while the server is away, the host pauses, resumes and adds time, and a round runs by itself. That phones with different
// clocks show the same second is tested in sdk/test/timers.test.ts.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { CONNECTION_LOST, isAccessible, isNotTooWide } from '../support/checks.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import type { Screen } from '../support/screen.ts';

/** Clocks that were set by hand: an hour ahead, and a day and a bit behind, in milliseconds. */
const [AHEAD, BEHIND] = [3_600_000, -86_400_437] as const;
const CHANGE = 'You can change an answer until its question closes.';
const asked = (animal: string) => ({ text: `How many legs has ${animal}?`, type: 'text', correctAnswers: ['8'], points: 1 });

/** Without limits: the host sets the times. */
const QUIZ: QuizBody = {
  title: 'In time',
  rounds: [
    { title: 'Legs', questions: ['a spider', 'an ant', 'a crab'].map(asked) },
    { title: 'By itself', questions: ['a cat', 'a bird'].map(asked) },
  ],
};

test.use({ quiz: QUIZ });

/** Who looks at a timer. */
interface Pages {
  readonly host: Host;
  readonly screen: Screen;
  readonly ann: Phone;
  readonly ben: Phone;
}

test('a player with extra time goes on alone; the host sets, pauses and adds time; what is closed stays closed; and a round runs by itself', async ({ live }) => {
  const host = await live.host();
  const [ann, ben] = [await live.guest('Ann', { clockOff: AHEAD }), await live.guest('Ben', { clockOff: BEHIND })];
  const screen = await live.screen(host);
  const pages = { host, screen, ann, ben };
  for (const each of [host, ann, ben]) each.watch.allow(CONNECTION_LOST);
  await test.step('the first question closes for one, and goes on for the other', () => goesOnAlone(pages));
  await test.step('the second has its time on every page', () => isSet(pages));
  await screen.page.close();
  await test.step('what is closed stays closed without a server', () => staysClosed(live, pages));
  await test.step('a question closes once all have answered, when the host turns that on in the middle of it', () => closesEarly(pages));
  await host.endRound();
  await host.releaseScores();
  await host.nextRound();
  ben.watch.verify();
  await ben.page.close();
  await test.step('a round runs by itself, and the host takes over', () => runsItself(pages));
  for (const each of [host, ann]) each.watch.verify();
});

const closed = (phone: Phone) => phone.question(1).getByText('Time is up').last();

/** Ben has three times the time, and Ann has not. */
async function goesOnAlone({ host, ann, ben }: Pages): Promise<void> {
  const dialog = await host.ask('Ben', 'Extra time');
  const extra = dialog.getByLabel('Extra time', { exact: true });
  await expect(extra).toHaveValue('100');
  await extra.selectOption('300');
  await isAccessible(host.page, 'host, extra time of a player');
  await dialog.getByRole('button', { name: 'Set extra time' }).click();
  await expect(host.page.getByRole('dialog')).toContainText('300%');
  await host.close();
  await host.start();
  await ann.sees('First question coming up.');
  await ann.seesNoMore(CHANGE);
  await host.release(1);
  await ann.sees(CHANGE);
  // The time begins once this is typed, so that it is long enough on any machine.
  await ann.question(1).getByRole('textbox').pressSequentially('8');
  await host.choose('Timers and autopilot');
  const timers = host.page.getByRole('region', { name: 'Timers' });
  await timers.getByLabel('For').selectOption({ label: 'Question 1' });
  await timers.getByRole('textbox', { name: 'Seconds' }).fill('5');
  await timers.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(timers.getByText('With extra time')).toBeVisible();
  await host.close();
  await expect(closed(ann)).toBeVisible();
  // It closes a second after its time, which a pause would hold as well.
  await expect(ann.question(1).getByRole('textbox')).toHaveCount(0);
  await expect(ben.question(1).getByRole('timer')).toBeVisible();
  await expect(host.page.getByRole('group', { name: 'Clock' })).toContainText(/waiting for .?Ben/);
  // The rest of it is for the end: until then a slow machine takes none of it.
  await host.page.keyboard.press('p');
  await expect(ben.page.getByText('Paused')).toBeVisible();
  await test.step('the question that is closed for Ann', () => saysWhy(ann));
  await ben.page.reload();
  await ben.write(1, '8');
  await ben.hasStored(1);
  await host.page.keyboard.press('p');
  await expect(closed(ben)).toBeVisible();
  await expect(host.page.getByRole('group', { name: 'Clock' })).toHaveCount(0);
  await host.ask('Ben', 'Extra time');
  await expect(extra).toHaveValue('300');
  await extra.selectOption('100');
  await dialog.getByRole('button', { name: 'Set extra time' }).click();
  await host.close();
}

async function saysWhy(ann: Phone): Promise<void> {
  await expect(ann.question(1), 'what was typed and not sent counts').toHaveAttribute('data-state', 'stored');
  await ann.sees('1 of 1 saved. No question is open right now.');
  await ann.seesNoMore(CHANGE);
  await isAccessible(ann.page, 'phone, a question that its time has closed');
}

async function isSet({ host, screen, ann, ben }: Pages): Promise<void> {
  await host.release(1);
  await ann.sees(CHANGE);
  await host.setTime(600, 'Question 2');
  await host.choose('Timers and autopilot');
  const timers = host.page.getByRole('region', { name: 'Timers' });
  const left = async (from: { getByRole: Phone['page']['getByRole'] }) => {
    const [minutes = 0, seconds = 0] = ((await from.getByRole('timer').first().textContent()) ?? '').split(':').map(Number);
    return 60 * minutes + seconds;
  };
  const seen = [ann.page, ben.page, screen.page];
  for (const page of [timers, ...seen]) await expect(page.getByRole('timer')).toBeVisible();
  await isAccessible(ann.page, 'phone, a question with a timer');
  await timers.getByRole('button', { name: 'Pause' }).click();
  for (const page of seen) await expect(page.getByText('Paused')).toBeVisible();
  const before = await left(ann.page);
  await timers.getByRole('button', { name: '+10 s' }).click();
  for (const page of seen) await expect.poll(() => left(page)).toBe(before + 10);
  await isAccessible(host.page, 'host, paused timers');
  await timers.getByRole('button', { name: 'Resume' }).click();
  await expect(ann.page.getByText('Paused')).toHaveCount(0);
  await expect.poll(() => left(ann.page)).toBeLessThan(before + 10);
  await host.close();
}

async function staysClosed(live: LiveGame, { ann }: Pages): Promise<void> {
  const field = ann.question(1).getByRole('textbox');
  await live.server.kill();
  await ann.sees('Your answers are safe on this phone');
  await expect(ann.question(2).getByRole('textbox')).toBeVisible();
  await expect(field, 'closed is closed').toHaveCount(0);
  await expect(closed(ann)).toBeVisible();
  await live.server.start();
  await ann.write(2, '6');
  await ann.hasStored(1, 2);
  await expect(closed(ann), 'known after the connection is back').toBeVisible();
  await ann.page.reload();
  await expect(closed(ann), 'and after a reload').toBeVisible();
  await expect(field).toHaveCount(0);
}

async function closesEarly({ host, ann, ben }: Pages): Promise<void> {
  await host.release(1);
  await host.choose('Timers and autopilot');
  const closes = host.page.getByRole('checkbox', { name: 'Close a question when all have answered' });
  await expect(closes).not.toBeChecked();
  await closes.check();
  await isAccessible(host.page, 'host, questions close early');
  await host.page.reload();
  await host.choose('Timers and autopilot');
  await expect(closes, 'the server has it').toBeChecked();
  await host.close();
  for (const phone of [ann, ben]) {
    await expect(phone.question(3).getByText('Closed')).toHaveCount(0);
    await phone.write(3, '8');
    await phone.hasStored(3);
  }
  for (const phone of [ann, ben]) await expect(phone.question(3).getByText('Closed').last()).toBeVisible();
}

async function runsItself({ host, ann }: Pages): Promise<void> {
  await host.choose('Timers and autopilot');
  const autopilot = host.page.getByRole('region', { name: 'Autopilot' });
  const times = ['Seconds to answer', 'Seconds for each right answer', 'Seconds for the standings', 'Pause between questions'];
  const start = autopilot.getByRole('button', { name: 'Start autopilot' });
  await autopilot.getByRole('textbox', { name: 'Seconds to answer' }).fill('4');
  await expect(start).toBeDisabled();
  for (const name of times) await autopilot.getByRole('textbox', { name }).fill('5');
  await host.page.setViewportSize({ width: 320, height: 800 });
  await isNotTooWide(host.page, 'host, an autopilot to start, at 320 px');
  await isAccessible(host.page, 'host, an autopilot to start');
  await host.page.setViewportSize(LAPTOP);
  await start.click();
  await expect(autopilot.getByText('Next question')).toBeVisible();
  await expect(autopilot.getByRole('timer')).toBeVisible();
  await expect(ann.question(1)).toBeVisible();
  await expect(autopilot.getByText('Continues when the question closes')).toBeVisible();
  await expect(closed(ann)).toBeVisible();
  await expect(ann.question(2), 'released after the break').toBeVisible();
  const stop = autopilot.getByRole('button', { name: 'Stop autopilot' });
  await stop.click();
  await expect(start).toBeVisible();
  await host.close();
  await host.endRound();
  await host.choose('Autopilot');
  for (const name of times) await autopilot.getByRole('textbox', { name }).fill('5');
  await start.click();
  await expect(autopilot.getByText('Points in')).toBeVisible();
  await expect(host.page.locator('[data-phase=leaderboard]'), 'the points came out by themselves').toBeVisible();
  await stop.click();
  await expect(start, 'also at the standings').toBeVisible();
}
