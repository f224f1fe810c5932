// The commands of a host, one method each. Extended by HostGame, which knows whether a command is allowed and when it is sent.

import type { HostCommand } from './commandtable.ts';
import { Game } from './game.ts';
import type { AutopilotPlan } from './generated/protocol.ts';
import { portions } from './portions.ts';
import type { HostView } from './view.ts';

/** The commands of a host. Each returns what `give` returns. */
export abstract class GivesCommands extends Game<HostView> {
  /** Sends a command as its message; false when it has no effect. */
  abstract give(command: HostCommand): boolean;

  startGame(): boolean {
    return this.give({ type: 'start_game' });
  }

  /** Takes the next step of the game if it still has this number (`view.step`): two presses, or two devices, take one step. */
  next(number: number): boolean {
    return this.give({ type: 'next', payload: { number } });
  }

  releaseQuestion(questionId: string): boolean {
    return this.give({ type: 'release_question', payload: { questionId } });
  }

  endRound(): boolean {
    return this.give({ type: 'end_round' });
  }

  overrideAnswer(playerId: string, questionId: string, correct: boolean): boolean {
    return this.give({ type: 'override_answer', payload: { playerId, questionId, correct } });
  }

  /**
   * Marks every answer with one of these texts, each exactly as in the review; `half` gives those that are not right half of the
   * points. A large number is sent in several messages. With `alike`, each text stands for all answers of its group in `view.reviewGroups`.
   */
  markAnswers(questionId: string, texts: readonly string[], correct: boolean, { half = false, alike = false } = {}): boolean {
    const given = portions(texts).map((answers) => {
      const payload = { questionId, answers, correct, ...(half && { half }), ...(alike && { alike }) };
      return this.give({ type: 'mark_answers', payload });
    });
    return given.some(Boolean);
  }

  /** Changes the key of this game: earlier and later answers with this text count like this; with `half`, and without `correct`, each
   * earns half of the points. */
  acceptAnswer(questionId: string, text: string, correct: boolean, half = false): boolean {
    return this.give({ type: 'accept_answer', payload: { questionId, text, correct, ...(half && { half }) } });
  }

  /** Sets how every answer with one of these texts, each exactly as in the results, counts in a round whose scores are released;
   * with `half`, and without `correct`, each earns half of the points. */
  correctMarks(questionId: string, texts: readonly string[], correct: boolean, half = false): boolean {
    const given = portions(texts).map((answers) => {
      return this.give({ type: 'correct_marks', payload: { questionId, answers, correct, ...(half && { half }) } });
    });
    return given.some(Boolean);
  }

  /** The same for players, also for a player without an answer. */
  correctPlayers(questionId: string, playerIds: readonly string[], correct: boolean): boolean {
    return this.give({ type: 'correct_marks', payload: { questionId, playerIds: [...playerIds], correct } });
  }

  /** Keeps a mark about which a player has appealed; `correctPlayers` accepts the appeal. */
  dismissAppeal(playerId: string, questionId: string): boolean {
    return this.give({ type: 'dismiss_appeal', payload: { playerId, questionId } });
  }

  /** Gives a player or a team points by hand, or takes some away, with a reason that the player is shown. They belong to the round that runs,
   * or to the one whose scores were released last. */
  adjustPoints(playerId: string, points: number, reason = ''): boolean {
    const payload = { playerId, points, ...(reason.trim() !== '' && { reason: reason.trim() }) };
    return this.give({ type: 'adjust_points', payload });
  }

  /** Undoes points by hand (`view.adjustments`). */
  undoAdjustment(adjustmentId: string): boolean {
    return this.give({ type: 'undo_adjustment', payload: { adjustmentId } });
  }

  undoMarking(): boolean {
    return this.give({ type: 'undo_marking' });
  }

  releaseScores(): boolean {
    return this.give({ type: 'release_scores' });
  }

  /** Like `releaseScores`, but players receive only their own results, until `showStandings`. */
  releaseOwnScores(): boolean {
    return this.give({ type: 'release_own_scores' });
  }

  /** Shows the standings that were held. */
  showStandings(): boolean {
    return this.give({ type: 'show_standings' });
  }

  /** Shows how many players gave each answer to a question that is not marked, without these entries; calling it again counts again. */
  showTally(questionId: string, hide: readonly string[] = []): boolean {
    return this.give({ type: 'show_tally', payload: { questionId, ...(hide.length > 0 && { hide: [...hide] }) } });
  }

  /** False also after the last round. */
  startNextRound(): boolean {
    return this.give({ type: 'start_next_round' });
  }

  endGame(): boolean {
    return this.give({ type: 'end_game' });
  }

  /** Sets the time that an open question, or with null the round, has left; starts a timer if there is none. */
  setTimer(questionId: string | null, seconds: number): boolean {
    return this.give({ type: 'set_timer', payload: aimed(questionId, seconds) });
  }

  /** False when there is no such timer. */
  addTime(questionId: string | null, seconds: number): boolean {
    return this.give({ type: 'add_time', payload: aimed(questionId, seconds) });
  }

  /** Holds all timers of the round; false when there are none. */
  pauseTimers(): boolean {
    return this.give({ type: 'pause_timer' });
  }

  resumeTimers(): boolean {
    return this.give({ type: 'resume_timer' });
  }

  /** Closes an open question for all players, a second later; false when it is closed. */
  closeQuestion(questionId: string): boolean {
    return this.give({ type: 'close_question', payload: { questionId } });
  }

  /** Sets whether a question closes a second after every player who is connected has answered it. */
  setCloseWhenAnswered(on: boolean): boolean {
    return this.give({ type: 'set_close_when_answered', payload: { on } });
  }

  /** Lets the round run by itself; other times replace the present ones. */
  startAutopilot(plan: AutopilotPlan): boolean {
    return this.give({ type: 'start_autopilot', payload: plan });
  }

  /** Stops the autopilot; running timers continue. */
  stopAutopilot(): boolean {
    return this.give({ type: 'stop_autopilot' });
  }

  /** Shows the right answer to a question that was released in this round, with its explanation. */
  revealAnswer(questionId: string): boolean {
    return this.give({ type: 'reveal_answer', payload: { questionId } });
  }

  /** Begins a break between two rounds, or changes time and text of the present one. */
  startBreak(seconds: number, text = ''): boolean {
    return this.give({ type: 'start_break', payload: { seconds, ...(text.trim() !== '' && { text: text.trim() }) } });
  }

  endBreak(): boolean {
    return this.give({ type: 'end_break' });
  }

  /** Asks equal players a question outside of the rounds; the nearest whole number comes first among them. */
  breakTie(playerIds: readonly string[], text: string, answer: number): boolean {
    return this.give({ type: 'tie_break', payload: { playerIds: [...playerIds], text, number: answer } });
  }

  endTieBreak(): boolean {
    return this.give({ type: 'end_tie_break' });
  }

  /** Refuses new players, or accepts them again. */
  lock(locked: boolean): boolean {
    return this.give({ type: 'lock_game', payload: { locked } });
  }

  /** Gives a player this percentage of every timer, 100 to 300; no other player is sent anything about it. */
  setExtraTime(playerId: string, percent: number): boolean {
    return this.give({ type: 'set_extra_time', payload: { playerId, percent } });
  }

  /** Changes the text of a question of this game; its choices only until it is released, the same number in the same order. */
  editQuestion(questionId: string, text: string, choices?: readonly string[]): boolean {
    return this.give({ type: 'edit_question', payload: { questionId, text, ...(choices && { choices: [...choices] }) } });
  }

  /** Gives a question that was not released yet other accepted answers; of one with choices, texts of its choices. */
  changeAnswers(questionId: string, accepted: readonly string[]): boolean {
    return this.give({ type: 'edit_question', payload: { questionId, accepted: [...accepted] } });
  }

  /** Withdraws a released question from its round: it earns no points. Cannot be undone. */
  withdrawQuestion(questionId: string): boolean {
    return this.give({ type: 'withdraw_question', payload: { questionId } });
  }

  renamePlayer(playerId: string, displayName: string): boolean {
    return this.give({ type: 'rename_player', payload: { playerId, displayName } });
  }

  /** Adds a seat for a player without a phone; `enterAnswer` enters the answers. */
  addSeat(displayName: string): boolean {
    return this.give({ type: 'add_seat', payload: { displayName } });
  }

  /** Enters the answer of a player without a phone, until the scores are released; a later one replaces an earlier one. */
  enterAnswer(playerId: string, questionId: string, answer: string): boolean {
    return this.give({ type: 'enter_answer', payload: { playerId, questionId, answer } });
  }

  /** With `ban`, the phone cannot join again with its token or key. */
  removePlayer(playerId: string, ban = false): boolean {
    return this.give({ type: 'remove_player', payload: ban ? { playerId, ban } : { playerId } });
  }
}

function aimed(questionId: string | null, seconds: number): { questionId?: string; seconds: number } {
  return questionId === null ? { seconds } : { questionId, seconds };
}
