// The next step in words: the title above the button, and the button's own. Used by Now.svelte.

import { m } from '$words/language.svelte.ts';

import type { Hosting } from './hosting.svelte.ts';
import { numberIn } from './sheet.ts';
import { slideWords } from './slidewords.ts';

/** Where the game is. */
export function nowTitle(hosting: Hosting): string {
  const { view, isScreenFirst, steps, isLast } = hosting;
  switch (view.phase) {
    case 'lobby':
      return view.playerTotal > 0 ? m.run_now_lobby_joined() : m.run_now_lobby();
    case 'question':
      return questionTitle(hosting);
    case 'round_review':
      return reviewTitle(hosting);
    case 'leaderboard':
      if (steps.state?.step === 'end_tie_break') return m.everywhere_tie();
      if (isScreenFirst) return steps.watched === false ? m.run_now_counted() : m.run_now_screen_first();
      return view.standingsHeld && steps.watched && isLast ? m.run_now_podium() : m.run_now_leaderboard();
    case 'ended':
      return m.run_now_ended();
    case null:
      return m.run_now_wait();
  }
}

function questionTitle({ view, round, isByQuestion }: Hosting): string {
  const { questions } = view;
  const open = questions.filter(({ closed }) => !closed);
  const last = questions.at(-1);
  if (!last) return isByQuestion ? m.run_now_next({ number: numberIn(view, 1) }) : m.run_now_none_open({ round });
  if (open.length > 1) return m.run_now_open({ count: open.length });
  const [only] = open;
  const number = numberIn(view, (only ?? last).number);
  return only ? m.run_now_question_open({ number }) : m.run_now_question_closed({ number });
}

/** The answers wait for the host, or the round is over and nothing does; question by question the answer may be out. */
function reviewTitle({ view, isByQuestion, leftToCheck, released }: Hosting): string {
  if (isByQuestion && view.revealed.length > 0) return m.run_now_answer_out();
  if (isByQuestion) return m.run_now_question_closed({ number: released.at(-1)?.released ?? 1 });
  return leftToCheck > 0 ? m.run_now_review() : m.run_now_round_over();
}

/** What the button does now. */
export function stepLabel({ steps, round, showing, isByQuestion, lines, game }: Hosting): string {
  const { state, asks } = steps;
  if (steps.doubt === 'empty') return m.run_step_start_empty();
  if (steps.doubt === 'unchecked') return m.run_step_unchecked({ count: steps.unchecked });
  switch (state?.step) {
    case 'start_game':
      return m.run_step_start();
    case 'release_question':
      return m.run_step_release({ number: asks?.position ?? 1 });
    case 'close_question':
      return m.run_step_close({ number: lines.find(({ id }) => id === state.questionId)?.released ?? 1 });
    case 'end_round':
      // Question by question, that of a question without a right answer.
      return isByQuestion ? m.run_step_close({ number: lines.findLast(({ released }) => released !== null)?.released ?? 1 }) : m.run_step_end_round();
    case 'reveal_answer':
      return m.run_step_reveal();
    case 'show':
      return state.slide ? m.run_wall_coming({ what: slideWords(state.slide, showing.source) }) : m.run_step_show();
    case 'release_scores':
      if (isByQuestion) return m.run_step_release_scores();
      // The first picture is an answer; where the phones wait for a screen that is not there, they get nothing yet.
      if (steps.watched === true) return m.run_step_show_answers();
      return game.phonesAfterScreen && steps.watched === false ? m.run_step_count() : m.run_step_release_scores();
    case 'end_tie_break':
      return m.run_tie_end();
    case 'show_standings':
      return m.run_step_standings();
    case 'start_next_round':
      return nextRoundLabel({ isByQuestion, round });
    case 'end_game':
      return m.run_step_end_game();
    case 'none':
    case undefined:
      return '';
  }
}

/** The start of the next round; where each question is one, the next question. */
export function nextRoundLabel({ isByQuestion, round }: Pick<Hosting, 'isByQuestion' | 'round'>): string {
  return isByQuestion ? m.run_step_next_question() : m.run_step_next_round({ round: round + 1 });
}

/** Makes this round, or this question, the end of the game, or takes that back. */
export function finishLabel({ isByQuestion, isFinishing }: Pick<Hosting, 'isByQuestion' | 'isFinishing'>): string {
  if (isByQuestion) return isFinishing ? m.run_finish_not_question() : m.run_finish_question();
  return isFinishing ? m.run_finish_not() : m.run_finish();
}
