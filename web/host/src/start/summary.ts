// The options of a game in words: the line below the presets, and the same line in the lobby.

import { count, m } from '$words/language.svelte.ts';

import type { Options, Preset } from './options.ts';

/** The name of a preset. */
export function presetName(preset: Preset): string {
  return { pub: m.start_pub, classroom: m.start_classroom, speed: m.start_speed, own: m.start_own }[preset]();
}

/** What the options say, part by part; each part is true of the game that they make. */
export function summaryOf(options: Options): string {
  return [...course(options), ...people(options), ...times(options), ...points(options)].join(' · ');
}

function course({ pace, boardAfter, markLater, autopilot, phonesAfterScreen }: Options): string[] {
  const boards = {
    question: m.start_says_board_question,
    third: m.start_says_board_third,
    section: m.start_says_board_section,
  };
  // Phones that wait get their results with the standings, so these follow every question.
  const own = pace === 'round' ? [m.start_says_round()] : [m.start_says_question(), boards[phonesAfterScreen ? 'question' : boardAfter]()];
  return [
    ...own,
    ...(pace === 'question' && markLater ? [m.start_says_later()] : []),
    ...(autopilot ? [m.start_says_autopilot()] : []),
  ];
}

function people({ teams, cleanNames, phonesAfterScreen }: Options): string[] {
  const players = teams ? m.start_says_teams({ count: count(teams.devices) }) : m.start_says_single();
  return [
    players,
    ...(teams?.captainOnly ? [m.start_says_captain()] : []),
    ...(cleanNames ? [m.start_says_clean()] : []),
    ...(phonesAfterScreen ? [m.start_says_phones()] : []),
  ];
}

function times({ answerSeconds, closeWhenAnswered }: Options): string[] {
  return [
    ...(answerSeconds === null ? [] : [m.start_says_time({ seconds: count(answerSeconds) })]),
    ...(closeWhenAnswered ? [m.start_says_close()] : []),
  ];
}

function points({ speedPoints, streaks }: Options): string[] {
  return [...(speedPoints ? [m.start_says_speed()] : []), ...(streaks ? [m.start_says_streaks()] : [])];
}
