// What the phones show now, in one line for the host; WallPanel.svelte says what the screen shows. Used by Now.svelte.

import { isOpen } from '$sdk';
import { m } from '$words/language.svelte.ts';

import type { Hosting } from './hosting.svelte.ts';
import { numberIn } from './sheet.ts';

/** The line. */
export function playersSee(hosting: Hosting): string {
  const { view, released } = hosting;
  if (view.pause) return m.run_see_break();
  switch (view.phase) {
    case 'lobby':
      return m.run_see_lobby();
    case 'question':
      return inQuestion(hosting);
    case 'round_review':
      return revealedWords(view.revealed, released) ?? m.run_see_review();
    case 'leaderboard':
      return afterScores(hosting);
    case 'ended':
      return m.run_see_end();
    case null:
      return '';
  }
}

function inQuestion({ view, round, isByQuestion }: Hosting): string {
  const { questions } = view;
  const last = questions.at(-1);
  if (!last) return isByQuestion ? m.run_see_next() : m.run_see_round({ round });
  const number = numberIn(view, last.number);
  const open = questions.filter(({ closed }) => !closed).length;
  if (open === 0) return m.run_see_closed({ number });
  return open === 1 && !last.closed ? m.run_see_question({ number }) : m.run_see_questions({ count: open });
}

/** Where phones wait for the screen, they show the answer that it shows, and no other picture of it. */
function afterScores({ view, game, steps, showing, released }: Hosting): string {
  if (isOpen(view.tieBreaks.at(-1))) return m.run_see_tie();
  if (!view.standingsHeld) return m.run_see_standings();
  if (!game.phonesAfterScreen) return m.run_see_own_points();
  const isAtAnswer = steps.watched !== true || showing.shown?.slide.kind === 'question';
  return (isAtAnswer ? revealedWords(view.revealed, released) : null) ?? m.run_see_screen_first();
}

/** The answer that was revealed last. */
function revealedWords(revealed: Hosting['view']['revealed'], released: Hosting['released']): string | null {
  const last = revealed.at(-1);
  const number = released.find(({ id }) => id === last?.questionId)?.released;
  return number ? m.run_see_answer({ number }) : null;
}
