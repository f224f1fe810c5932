// Where the game is, in the words of the head's one line.

import type { HostView } from '$sdk';
import { m } from '$words/language.svelte.ts';

import type { Hosting } from '../hosting.svelte.ts';
import { numberIn, roundTitle } from '../sheet.ts';
import { nowTitle } from '../stepwords.ts';

/** The round, and the question that is out; question by question, the round of the quiz and the question in it. */
export function whereWords(hosting: Hosting): string {
  const { view, game, round, rounds } = hosting;
  const section = view.round?.section;
  if (view.phase === 'ended') return m.run_now_ended();
  // Question by question, the game has begun a moment before its first section is here.
  if (view.phase === null || view.phase === 'lobby' || (hosting.isByQuestion && !section)) {
    return hosting.isByQuestion ? m.run_where_lobby_questions({ count: rounds }) : m.run_where_lobby({ count: rounds });
  }
  if (section) return sectionWords(hosting, section);
  const out = view.phase === 'question' ? view.questions.length : 0;
  if (out > 0) return m.run_where_question({ round, rounds, number: out, all: hosting.lines.length });
  const title = roundTitle(game, view);
  return title === '' ? m.run_where({ round, rounds }) : m.run_where_titled({ round, rounds, title });
}

/** The same for those who listen: a dot between two parts is not read. */
export function spoken(words: string): string {
  return words.replaceAll(' · ', ', ');
}

/** What is said when the phase or the question changes; nothing where the page does not know yet where the game is. */
export function phaseWords(hosting: Hosting): string {
  const { view, isByQuestion } = hosting;
  const last = view.questions.at(-1);
  switch (view.phase) {
    case 'question':
      if (last) return m.run_said_question({ number: numberIn(view, last.number) });
      return isByQuestion && !view.round?.section ? '' : spoken(whereWords(hosting));
    case 'round_review':
    case 'leaderboard':
    case 'ended':
      return nowTitle(hosting);
    case 'lobby':
    case null:
      return '';
  }
}

type Section = NonNullable<NonNullable<HostView['round']>['section']>;

function sectionWords({ game }: Hosting, { index, title, questionIndex, questionCount }: Section): string {
  const place = { number: questionIndex + 1, all: questionCount };
  if (title !== '') return m.run_where_section({ title, ...place });
  // The game has as many rounds as questions; only the quiz knows how many rounds those came from.
  return questionCount === game.rounds.length ? m.run_where_only(place) : m.run_where_in({ round: index + 1, ...place });
}
