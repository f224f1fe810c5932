// A host's unconfirmed commands: their confirmations, and those that are sent again on a new connection.
// Used by HostGame; sends nothing itself. The server handles a connection's commands in order, and closes it when it refuses
// one: the oldest command without a confirmation is then the refused one.

import { COMMANDS } from './commandtable.ts';
import type { About, HostCommand, Stage } from './commandtable.ts';
import type { HeardByHost } from './generated/protocol.ts';

const aboutOf = (command: HostCommand) => COMMANDS[command.type] as About<unknown> & { readonly v1?: true };
const payloadOf = (command: HostCommand): unknown => ('payload' in command ? command.payload : undefined);

/** Whether a server without `quizhall.v1` does not know it. */
export const isOfV1 = (command: HostCommand): boolean => aboutOf(command).v1 === true;

interface Pending {
  readonly name: string;
  readonly command: HostCommand;
  readonly since: number;
  /** The round when the command was given. */
  readonly round: number | null;
  readonly undoable: number;
  /** Whether it was sent on this connection. */
  sent: boolean;
  /** Whether it was sent on an earlier connection, and may have arrived. */
  astray: boolean;
}

/** A command that waited longer for a connection is no longer what the host wants. */
const STALE_MS = 120_000;

/** The unconfirmed commands, oldest first. */
export class Commands {
  #pending: Pending[] = [];
  /** A `marking_update` follows each marking's own message: that one does not belong to an undo. */
  #echo = false;

  /** The unconfirmed commands, for the view. */
  get names(): readonly string[] {
    return this.#pending.map((pending) => pending.name);
  }

  /** Whether a sent command has no confirmation yet. */
  get isWaiting(): boolean {
    return this.#pending.some(({ sent, command }) => sent && !aboutOf(command).mayBeUnheard);
  }

  /** Adds a command, if it is allowed and does not repeat the one before. */
  add(command: HostCommand, stage: Stage, now: number): boolean {
    const name = nameOf(command);
    const last = this.#pending.slice(this.#firstAfterUndo(command)).findLast((pending) => pending.name === name);
    if (last !== undefined && JSON.stringify(last.command) === JSON.stringify(command)) return false;
    if (!fits(command, stage)) return false;
    // Marks under way may change what the stage shows, so a mark is sent whatever it shows.
    if (last === undefined && !aboutOf(command).marks && isShown(command, stage) === true) return false;
    // The phase is about to change: a command that needs the present phase would come too late.
    const from = aboutOf(command).phases.at(-1);
    const isTurning = this.#pending.some(({ command: { type } }) => COMMANDS[type].turns && COMMANDS[type].phases[0] === from);
    if (isOfRound(command) && isTurning) return false;
    if (command.type === 'undo_marking' && stage.undoable === 0 && !this.#isMarking) return false;
    const { round, undoable } = stage;
    this.#pending.push({ name, command, since: now, round, undoable, sent: false, astray: false });
    return true;
  }

  /** A mark that an undo under way will undo is not a repetition when it is given again. */
  #firstAfterUndo(command: HostCommand): number {
    if (!aboutOf(command).marks || command.type === 'undo_marking') return 0;
    return this.#pending.findLastIndex((pending) => pending.command.type === 'undo_marking') + 1;
  }

  get #isMarking(): boolean {
    return this.#pending.some(({ command }) => aboutOf(command).marks && command.type !== 'undo_marking');
  }

  /** The commands to send now; from now on they count as sent. */
  take(): HostCommand[] {
    const due = this.#pending.filter((pending) => !pending.sent);
    for (const pending of due) pending.sent = true;
    return due.map((pending) => pending.command);
  }

  /** Applies a live message, after the stage has. */
  received(message: HeardByHost, stage: Stage): void {
    this.#pending = this.#pending.filter(({ command, round }) => !(aboutOf(command).turns && hasTurned(command, round, stage)));
    this.#marked(message);
    this.#confirm(({ name, command }) => {
      if (aboutOf(command).by?.includes(message.type) !== true) return false;
      const last = this.#pending.findLast((pending) => pending.name === name);
      return last !== undefined && isShown(last.command, stage) !== false;
    });
  }

  /** The sync messages of a new connection have arrived: drops commands that have taken effect or are no longer allowed. */
  renewed(stage: Stage, now: number): void {
    this.#echo = false;
    const marks = this.#pending.filter(({ command }) => aboutOf(command).marks).length;
    this.#pending = this.#pending.filter((pending) => {
      const { name, command, since, round, undoable } = pending;
      if (now - since > STALE_MS || !fits(command, stage)) return false;
      const about = aboutOf(command);
      if (about.once && pending.astray) return false;
      if (isOfRound(command) && round !== stage.round) return false;
      if (command.type === 'undo_marking') return marks === 1 && undoable === stage.undoable;
      // Of several with the same subject, the last one counts: it must follow the others even if the stage shows it now.
      const isAlone = about.marks ? marks === 1 : !this.#pending.some((other) => other !== pending && other.name === name);
      return !isAlone || isShown(command, stage) !== true;
    });
  }

  /** The connection is lost; `refused`: because of the oldest command without a confirmation, which is returned. */
  lineLost(refused: boolean): HostCommand | undefined {
    const first = this.#pending.find((pending) => pending.sent);
    this.#pending = this.#pending.filter((pending) => !(refused && pending === first));
    for (const pending of this.#pending) {
      pending.astray ||= pending.sent;
      pending.sent = false;
    }
    return refused ? first?.command : undefined;
  }

  #marked(message: HeardByHost): void {
    if (message.type === 'marking_update') {
      const isOfDesk = this.#pending.find(({ sent }) => sent)?.command.type === 'open_desk';
      if (!this.#echo && !isOfDesk) this.#confirm(({ command }) => command.type === 'undo_marking', 1);
      this.#echo = false;
    } else if (message.type === 'override_applied') {
      this.#echo = true;
      const { playerId, questionId, correct } = message.payload;
      const same: HostCommand = { type: 'override_answer', payload: { playerId, questionId, correct } };
      this.#confirm(({ command }) => JSON.stringify(command) === JSON.stringify(same), 1);
    } else if (message.type === 'answers_marked') {
      this.#echo = true;
      const { questionId, part = 1, parts = 1 } = message.payload;
      if (part !== parts) return;
      const isIt = ({ command }: Pending) =>
        command.type === 'undo_marking' ||
        ((command.type === 'mark_answers' || command.type === 'accept_answer') && command.payload.questionId === questionId);
      this.#confirm(isIt, 1);
    }
  }

  /** Removes sent commands that are confirmed, at most this many. */
  #confirm(isIt: (pending: Pending) => boolean, most = Infinity): void {
    let left = most;
    this.#pending = this.#pending.filter((pending) => {
      if (left === 0 || !pending.sent || !isIt(pending)) return true;
      left -= 1;
      return false;
    });
  }
}

/** The message's type, and its subject. */
function nameOf(command: HostCommand): string {
  const subject = aboutOf(command).subject?.(payloadOf(command));
  return subject === undefined ? command.type : `${command.type}:${subject}`;
}

/** Whether it is too late because another round has begun since it was given. */
const isOfRound = (command: HostCommand): boolean => aboutOf(command).phases.length < 3;

function fits(command: HostCommand, stage: Stage): boolean {
  const { phases, needs = () => true } = aboutOf(command);
  if (stage.phase === null || !phases.includes(stage.phase) || !needs(payloadOf(command), stage)) return false;
  return command.type !== 'start_next_round' || stage.round === null || stage.round !== stage.lastRound;
}

/** Whether a command that ends a phase has done so. `round`: when it was given. */
function hasTurned(command: HostCommand, round: number | null, stage: Stage): boolean {
  if (command.type === 'start_next_round') return stage.phase !== 'leaderboard' || stage.round !== round;
  return stage.phase !== aboutOf(command).phases[0];
}

/** False also for commands that no stage shows. */
function isShown(command: HostCommand, stage: Stage): boolean | null {
  const { isShown = () => false } = aboutOf(command);
  return isShown(payloadOf(command), stage);
}
