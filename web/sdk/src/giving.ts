// What a host can ask for, each as the command that it is. Extended by HostGame, which knows whether a command fits and when it is sent.

import type { HostCommand } from './commands.ts';
import { Game } from './game.ts';
import type { AutopilotPlan } from './generated/protocol.ts';
import { portions } from './portions.ts';
import type { HostView } from './view.ts';

/** The commands of a host. Each returns what `give` returns. */
export abstract class GivesCommands extends Game<HostView> {
  /** Gives a command as its message; false when it does nothing. */
  abstract give(command: HostCommand): boolean;

  startGame(): boolean {
    return this.give({ type: 'start_game' });
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
   * points. Very many go in several messages.
   */
  markAnswers(questionId: string, texts: readonly string[], correct: boolean, half = false): boolean {
    const given = portions(texts).map((answers) => {
      return this.give({ type: 'mark_answers', payload: { questionId, answers, correct, ...(half && { half }) } });
    });
    return given.some(Boolean);
  }

  /** Changes the key of this game: answers with this text, those that came and those that come, count so. */
  acceptAnswer(questionId: string, text: string, correct: boolean): boolean {
    return this.give({ type: 'accept_answer', payload: { questionId, text, correct } });
  }

  /** Says how every answer with one of these texts counts in a round whose scores are out, each exactly as in the results; with `half`,
      and without `correct`, each earns half of the points. */
  correctMarks(questionId: string, texts: readonly string[], correct: boolean, half = false): boolean {
    const given = portions(texts).map((answers) => {
      return this.give({ type: 'correct_marks', payload: { questionId, answers, correct, ...(half && { half }) } });
    });
    return given.some(Boolean);
  }

  /** The same for players, also for one who gave no answer. */
  correctPlayers(questionId: string, playerIds: readonly string[], correct: boolean): boolean {
    return this.give({ type: 'correct_marks', payload: { questionId, playerIds: [...playerIds], correct } });
  }

  /** Leaves a mark as it is about which a player has appealed; `correctPlayers` accepts the appeal. */
  dismissAppeal(playerId: string, questionId: string): boolean {
    return this.give({ type: 'dismiss_appeal', payload: { playerId, questionId } });
  }

  undoMarking(): boolean {
    return this.give({ type: 'undo_marking' });
  }

  releaseScores(): boolean {
    return this.give({ type: 'release_scores' });
  }

  /** As `releaseScores`, but players receive their own results only, until `showStandings`. */
  releaseOwnScores(): boolean {
    return this.give({ type: 'release_own_scores' });
  }

  /** Shows the standings that were held. */
  showStandings(): boolean {
    return this.give({ type: 'show_standings' });
  }

  /** Shows how many players gave each answer to a question that is not marked, without these entries; again to count anew. */
  showTally(questionId: string, hide: readonly string[] = []): boolean {
    return this.give({ type: 'show_tally', payload: { questionId, ...(hide.length > 0 && { hide: [...hide] }) } });
  }

  /** False after the last round, too. */
  startNextRound(): boolean {
    return this.give({ type: 'start_next_round' });
  }

  endGame(): boolean {
    return this.give({ type: 'end_game' });
  }

  /** Sets what time an open question, or with null the round, has left; starts a timer where there is none. */
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

  /** Lets the round run by itself; other times replace those that are set. */
  startAutopilot(plan: AutopilotPlan): boolean {
    return this.give({ type: 'start_autopilot', payload: plan });
  }

  /** Timers that run go on. */
  stopAutopilot(): boolean {
    return this.give({ type: 'stop_autopilot' });
  }

  /** Shows the right answer to a question that was released in this round, with its explanation. */
  revealAnswer(questionId: string): boolean {
    return this.give({ type: 'reveal_answer', payload: { questionId } });
  }

  /** Begins a break between two rounds, or gives the one that is running other time and another text. */
  startBreak(seconds: number, text = ''): boolean {
    return this.give({ type: 'start_break', payload: { seconds, ...(text.trim() !== '' && { text: text.trim() }) } });
  }

  endBreak(): boolean {
    return this.give({ type: 'end_break' });
  }

  /** Asks players who are equal a question outside the rounds; the nearest whole number comes first among them. */
  breakTie(playerIds: readonly string[], text: string, answer: number): boolean {
    return this.give({ type: 'tie_break', payload: { playerIds: [...playerIds], text, number: answer } });
  }

  endTieBreak(): boolean {
    return this.give({ type: 'end_tie_break' });
  }

  /** Refuses new players, or lets them in again. */
  lock(locked: boolean): boolean {
    return this.give({ type: 'lock_game', payload: { locked } });
  }

  /** Gives a player this percent of every timer, 100 to 300; no other player is sent anything of it. */
  setExtraTime(playerId: string, percent: number): boolean {
    return this.give({ type: 'set_extra_time', payload: { playerId, percent } });
  }

  /** Gives a question of this game other words; choices only until it is released, as many and in their order. */
  editQuestion(questionId: string, text: string, choices?: readonly string[]): boolean {
    return this.give({ type: 'edit_question', payload: { questionId, text, ...(choices && { choices: [...choices] }) } });
  }

  /** Takes a released question out of its round: it brings no points. Cannot be taken back. */
  withdrawQuestion(questionId: string): boolean {
    return this.give({ type: 'withdraw_question', payload: { questionId } });
  }

  renamePlayer(playerId: string, displayName: string): boolean {
    return this.give({ type: 'rename_player', payload: { playerId, displayName } });
  }

  /** Gives a player without a phone a seat; `enterAnswer` gives the answers. */
  addSeat(displayName: string): boolean {
    return this.give({ type: 'add_seat', payload: { displayName } });
  }

  /** The answer of a player without a phone, until the scores are out; a later one replaces an earlier one. */
  enterAnswer(playerId: string, questionId: string, answer: string): boolean {
    return this.give({ type: 'enter_answer', payload: { playerId, questionId, answer } });
  }

  /** With `ban` the phone cannot join again with the token or key that it had. */
  removePlayer(playerId: string, ban = false): boolean {
    return this.give({ type: 'remove_player', payload: ban ? { playerId, ban } : { playerId } });
  }
}

function aimed(questionId: string | null, seconds: number): { questionId?: string; seconds: number } {
  return questionId === null ? { seconds } : { questionId, seconds };
}
