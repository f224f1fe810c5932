// The start dialogue: presets, the chosen set in words, remembered choices, options without effect, refusals by the server, and changes of
// the quiz that are only on this device. By keyboard, and as screen readers have it.

import type { Locator, Page } from '@playwright/test';

import type { Game, Quiz, QuizBody } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { CONNECTION_LOST, isAccessible, isNotTooWide } from '../support/checks.ts';
import { Host, LAPTOP } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

const QUIZ: QuizBody = {
  title: 'Tuesday at the Fox & Hounds',
  rounds: [
    {
      title: 'Capitals',
      halfPoints: true,
      questions: [
        { text: 'What is the capital of Peru?', type: 'text', correctAnswers: ['Lima'], points: 1 },
        { text: 'What is the capital of Ghana?', type: 'text', correctAnswers: ['Accra'], points: 1 },
      ],
    },
    { title: 'Seas', questions: [{ text: 'Which sea is the saltiest?', type: 'text', correctAnswers: ['Dead Sea'], points: 5 }] },
  ],
};

test.use({ quiz: QUIZ });

const play = (page: Page, title: string): Locator => page.getByRole('button', { name: `Play: ${title}` });
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Play “' });

const SMALL = { width: 320, height: 640 } as const;

/** A state of the dialogue, also on the smallest phone. */
async function isSmall(page: Page, state: string): Promise<void> {
  await isAccessible(page, state);
  await page.setViewportSize(SMALL);
  await isNotTooWide(page, `${state} at 320 px`);
  await page.setViewportSize(LAPTOP);
}

/** Opens the lobby; the game as the interface has it. */
async function opened(page: Page, api: HostApi): Promise<Game> {
  await dialogOf(page).getByRole('button', { name: 'Open the lobby' }).click();
  await expect(page).toHaveURL(/\/host\/games\//);
  return api.game(page.url().split('/').at(-1) ?? '');
}

/** What each part of the test works with. */
interface AtHome {
  readonly host: Host;
  readonly page: Page;
  readonly api: HostApi;
  readonly url: string;
}

/** The home page without a game: the lobby of one would be mentioned first. */
async function goHome({ page, api, url }: AtHome): Promise<void> {
  await page.goto(`${url}/host`);
  for (const { id } of await api.games()) await api.deleteGame(id);
  await page.reload();
}

test('a game is started by keyboard with a preset or options of one’s own, none of them without effect, and never without the latest changes', async ({ live, browser }) => {
  const { url } = live.server;
  const api = new HostApi(url, live.token);
  await api.deleteGame(live.game.id);
  await using host = await Host.open(browser, `${url}/host`, { session: live.session });
  const { page } = host;
  const home = { host, page, api, url };
  host.watch.allow(CONNECTION_LOST, /status of 422/);
  await test.step('by keyboard: a preset is chosen, said in words, and the lobby opens with it', () => choosePreset(home));
  await page.goto(`${url}/host`);
  await test.step('a changed option makes it one’s own', () => chooseOwn(home));
  await page.goto(`${url}/host`);
  await test.step('the choice is remembered', () => findChoice(home));
  await page.goto(`${url}/host`);
  await test.step('a lobby of the quiz that is open already is mentioned first, and is one press away', () => goToLobby(home));
  await goHome(home);
  await play(page, QUIZ.title).click();
  await test.step('what has no effect is said, and one click gives it one', () => giveEffect(home));
  await test.step('what the server refuses is said at its field', () => mendRefused(home));
  await goHome(home);
  await test.step('unfinished changes of this device lead to the fault, or stay away', () => startUnfinished(home));
  await goHome(home);
  await test.step('finished ones are saved first, and those of a quiz that changed elsewhere wait', () => startUnsaved(home));
  host.watch.verify();
});

async function choosePreset({ host, page, api }: AtHome): Promise<void> {
  await play(page, QUIZ.title).focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('button', { name: 'Open the lobby' })).toBeFocused();
  await expect(dialog).toMatchAriaSnapshot(`
    - dialog "Play “Tuesday at the Fox & Hounds”":
      - heading "Play “Tuesday at the Fox & Hounds”" [level=2]
      - group "Kind of game":
        - radio "Pub night" [checked]
        - radio "Classroom"
        - radio "Speed"
        - radio "Custom"
      - paragraph: Round by round · teams with up to 6 phones · points appear on the screen first
      - group: Change…
      - list "Little or no effect":
        - listitem:
          - paragraph: /has no effect in round 1. questions are worth 1 point/
          - button "Multiply all points by 2"
        - listitem: /Multiplying changes the quiz at once/
      - button "Cancel"
      - button "Open the lobby"
  `);
  // At every width it is read unfolded.
  await isSmall(page, 'host, the start dialogue');

  await test.step('Escape closes it, and the focus is where it was', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(play(page, QUIZ.title)).toBeFocused();
    await page.keyboard.press('Space');
  });

  await test.step('each preset says what it is', async () => {
    await dialog.getByRole('radio', { name: 'Pub night' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(dialog).toContainText(
      'Question by question · standings after every third question · one phone per player · rude names blocked · 20 s where the quiz sets no time · closes when all have answered',
    );
    await page.keyboard.press('ArrowRight');
    await expect(dialog).toContainText(
      'Question by question · standings after every question · one phone per player · rude names blocked · 20 s where the quiz sets no time · closes when all have answered · faster earns more · streaks earn more',
    );
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(dialog.getByRole('radio', { name: 'Pub night' })).toBeChecked();
  });
  await page.keyboard.press('Enter');
  await host.isConnected();
  const game = await api.game(page.url().split('/').at(-1) ?? '');
  expect(game).toMatchObject({ phonesAfterScreen: true, teams: { devices: 6 } });
}

async function goToLobby({ host, page, api }: AtHome): Promise<void> {
  const [newest] = (await api.games()).filter(({ phase, title }) => phase === 'lobby' && title === QUIZ.title);
  await play(page, QUIZ.title).focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page);
  await expect(dialog).toContainText(`This quiz already has an open lobby, with the code ${newest?.gameCode ?? ''}.`);
  await expect(dialog.getByRole('button', { name: 'Go to it' })).toBeFocused();
  await isSmall(page, 'host, the start dialogue with an open lobby');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/host/games/${newest?.id ?? ''}$`));
  await host.isConnected();
}

async function chooseOwn({ page, api }: AtHome): Promise<void> {
  await play(page, QUIZ.title).click();
  const dialog = dialogOf(page);
  await dialog.getByText('Change…').click();
  await dialog.getByLabel('Phones in a team, at most').selectOption('4');
  await expect(dialog.getByRole('radio', { name: 'Custom' })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Only the captain’s phone answers' }).check();
  await dialog.getByRole('checkbox', { name: 'Block rude names' }).check();
  await dialog.getByRole('checkbox', { name: 'The game takes each step by itself' }).check();
  await holdsAtEveryWidth(page, 'host, the start dialogue, unfolded');
  await dialog.getByRole('checkbox', { name: 'The game takes each step by itself' }).uncheck();
  await expect(dialog).toContainText(
    'Round by round · teams with up to 4 phones · only captains answer · rude names blocked · points appear on the screen first',
  );
  const game = await opened(page, api);
  expect(game).toMatchObject({ phonesAfterScreen: true, cleanNames: true, teams: { devices: 4, captainOnly: true } });
}

/** Which choice a quiz begins with: remembered.test.ts. */
async function findChoice({ page }: AtHome): Promise<void> {
  const dialog = dialogOf(page);
  await page.getByRole('button', { name: /^Play: Quizhall sample/ }).click();
  await expect(dialog.getByRole('radio', { name: 'Custom' }), 'another quiz begins with the last choice').toBeChecked();
  await dialog.getByRole('radio', { name: 'Classroom' }).check();
  await page.keyboard.press('Escape');
  await play(page, QUIZ.title).click();
  await expect(dialog.getByRole('radio', { name: 'Custom' }), 'each quiz has its own').toBeChecked();
  await expect(dialog).toContainText('teams with up to 4 phones');
}

async function giveEffect({ page, api }: AtHome): Promise<void> {
  const dialog = dialogOf(page);
  const half = dialog.getByRole('listitem').filter({ hasText: '“Half points for near misses” has no effect in round 1: questions are worth 1 point.' });
  await test.step('on a small phone all of it can be scrolled to, above the buttons', async () => {
    await page.setViewportSize(SMALL);
    for (const part of [dialog.getByText('Change…'), half.getByRole('button', { name: 'Multiply all points by 2' })]) {
      await part.scrollIntoViewIfNeeded();
      await expect(part).toBeInViewport({ ratio: 1 });
      await isNotTooWide(page, 'host, the start dialogue on a small phone');
    }
    await page.setViewportSize(LAPTOP);
  });
  await half.getByRole('button', { name: 'Multiply all points by 2' }).click();
  await expect(half).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Open the lobby' })).toBeFocused();
  const [stored] = (await api.quizzes()).filter(({ title }) => title === QUIZ.title);
  const points = (await api.quiz(stored?.id ?? '')).rounds.map(({ questions }) => questions.map((question) => question.points));
  expect(points).toEqual([[2, 2], [10]]);
  await dialog.getByRole('radio', { name: 'Speed' }).check();
  const idle = dialog.getByRole('list', { name: 'Little or no effect' });
  await expect(idle).toContainText('“Streaks” has no effect in round 1: questions are worth at most 2 points.');
  await expect(idle).toContainText('“Faster earns more” is coarse in round 1: questions are worth at most 2 points, and speed adds whole points.');
  await expect(idle).toContainText('“Streaks” has no effect in round 2: a streak needs two questions.');
  await expect(idle, 'a time for each question comes with the preset').not.toContainText('no question has a time');
  await dialog.getByText('Change…').click();
  await dialog.getByLabel('Seconds for questions without a time').fill('');
  await expect(idle).toContainText('“Faster earns more” has no effect in rounds 1 and 2: no question has a time limit of its own.');
  await isAccessible(page, 'host, the start dialogue with warnings');
  await idle.getByRole('button', { name: 'Give each 20 s' }).click();
  await expect(dialog.getByLabel('Seconds for questions without a time')).toHaveValue('20');
  await expect(idle).not.toContainText('no question has a time');
}

async function mendRefused({ page, api }: AtHome): Promise<void> {
  const dialog = dialogOf(page);
  const seconds = dialog.getByLabel('Seconds for questions without a time');
  await seconds.fill('3');
  await dialog.getByText('Change…').click();
  await dialog.getByRole('button', { name: 'Open the lobby' }).click();
  await expect(dialog.getByText('5 to 600 seconds.')).toBeVisible();
  await expect(seconds).toBeFocused();
  await expect(seconds).toHaveAccessibleDescription('5 to 600 seconds.');
  await isAccessible(page, 'host, the start dialogue with a mistake');
  await seconds.fill('30');
  await dialog.getByRole('checkbox', { name: 'The game takes each step by itself' }).check();
  await dialog.getByLabel('Seconds to answer').fill('many');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Seconds to answer')).toBeFocused();
  await expect(dialog.getByLabel('Seconds to answer')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Seconds to answer').fill('25');
  const { options } = await opened(page, api);
  expect(options).toMatchObject({ answerSeconds: 30, autopilot: { answerFor: 25 } });
}

async function startUnfinished({ host, page, api }: AtHome): Promise<void> {
  await host.openQuiz(QUIZ.title);
  await page.getByTestId('question').first().getByRole('button').first().click();
  await page.getByLabel('Accepted answer 1').fill('');
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await play(page, QUIZ.title).click();
  const dialog = dialogOf(page);
  const notice = dialog.getByRole('region', { name: 'Your latest changes are only on this device' });
  await expect(notice).toContainText('The game would be played without them.');
  await expect(notice.getByRole('button', { name: 'Show me' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Open the lobby', exact: true })).toHaveCount(0);
  await isSmall(page, 'host, the start dialogue with unfinished changes');
  await notice.getByRole('button', { name: 'Show me' }).click();
  await expect(page.getByLabel('Accepted answer 1')).toBeFocused();
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await play(page, QUIZ.title).click();
  await dialog.getByRole('button', { name: 'Open the lobby without the changes' }).click();
  await host.isConnected();
  const game = await api.game(page.url().split('/').at(-1) ?? '');
  expect(game.rounds[0]?.questions[0]?.correctAnswers).toEqual(['Lima']);
}

async function startUnsaved({ host, page, api, url }: AtHome): Promise<void> {
  const change = async (title: string): Promise<void> => {
    await page.getByLabel('Quiz title').fill(title);
    await expect(page.getByText('Not saved: can’t reach the server').first()).toBeVisible();
    await page.getByRole('link', { name: 'Quizzes' }).click();
    await page.clock.fastForward(4_000);
    await expect(page.getByRole('heading', { level: 1, name: 'Good to see you' })).toBeVisible();
  };
  await host.openQuiz(QUIZ.title);
  await page.getByTestId('question').first().getByRole('button').first().click();
  await page.getByLabel('Accepted answer 1').fill('Cuzco');
  await host.isSaved();
  await host.context.setOffline(true);
  await change('Wednesday');
  await host.context.setOffline(false);
  await page.reload();
  await play(page, QUIZ.title).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('region', { name: 'Your latest changes are only on this device' })).toContainText('They’ll be saved before the game opens');
  await isAccessible(page, 'host, the start dialogue with changes to save');
  const game = await opened(page, api);
  expect(game.title).toBe('Wednesday');

  await page.goto(`${url}/host`);
  await host.openQuiz('Wednesday');
  await expect(page.getByLabel('Quiz title')).toHaveValue('Wednesday');
  await host.context.setOffline(true);
  await change('Thursday');
  await host.context.setOffline(false);
  const stored: Quiz = await api.quiz(game.quizId ?? '');
  await api.replaceQuiz(stored.id, { title: 'Friday', rounds: stored.rounds });
  await page.reload();
  await play(page, 'Friday').click();
  await expect(dialog.getByRole('region', { name: 'Your latest changes are only on this device' })).toContainText('The quiz has since been changed elsewhere.');
  await dialog.getByRole('button', { name: 'Open the quiz' }).click();
  await expect(page.getByLabel('Quiz title')).toHaveValue('Thursday');
}
