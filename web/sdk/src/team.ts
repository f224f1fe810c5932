// The team of a phone, from `team_update` and `team_sheet`, and what this phone suggests to its captain. Used by PlayerGame; sends
// nothing itself.
//
// A suggestion has no acknowledgement of its own: it has arrived when the sheet has it. Until then it is sent again on each new
// connection, for as long as the captain has not answered the question since.

import type { Due } from './answers.ts';
import type { SheetAnswer, TeamSheet, TeamUpdate } from './generated/protocol.ts';
import type { PlayerQuestion, Team } from './view.ts';

/** A suggestion that the sheet does not have yet. */
interface Suggested {
  readonly answer: string;
  /** What counted when it was made. */
  readonly over: string | null;
  /** Sent on this connection. */
  readonly sent: boolean;
}

/** The longest suggestion, in code points (`suggest_answer`). */
export const MOST_SUGGESTED = 200;

const EMPTY: TeamSheet = { whole: true, answers: [] };

/** The team of one phone. */
export class TeamOf {
  #update: TeamUpdate | null = null;
  #sheet = EMPTY;
  readonly #suggested = new Map<string, Suggested>();

  /** Null until the server has said that there is one. */
  get view(): Team | null {
    if (this.#update === null) return null;
    const { teamCode: code, deviceId, devices, captain = null } = this.#update;
    const name = devices[0]?.displayName ?? '';
    return { name, code, deviceId, devices, captain, suggests: captain !== null && captain !== deviceId };
  }

  /** The answers that count. */
  get answers(): readonly SheetAnswer[] {
    return this.#sheet.answers;
  }

  /** The id of this phone; null without a team. */
  get own(): string | null {
    return this.#update?.deviceId ?? null;
  }

  /** Whether a suggestion was sent that the sheet does not have. */
  get isWaiting(): boolean {
    return [...this.#suggested.values()].some(({ sent }) => sent);
  }

  /** A new connection says everything anew. */
  renew(): void {
    this.#update = null;
    this.#sheet = EMPTY;
    this.lineLost(false);
  }

  updated(update: TeamUpdate): void {
    this.#update = update;
  }

  /** The whole sheet, or what is new on it. */
  sheet(message: TeamSheet): void {
    this.#sheet = message.whole ? message : withNew(this.#sheet, message);
    for (const [questionId, { answer, over }] of this.#suggested) {
      const isHere = this.#own(questionId) === answer;
      if (isHere || this.#counts(questionId) !== over) this.#suggested.delete(questionId);
    }
  }

  /** Wants an answer suggested. */
  suggest(questionId: string, answer: string): void {
    if (this.#own(questionId) === answer) this.#suggested.delete(questionId);
    else this.#suggested.set(questionId, { answer, over: this.#counts(questionId), sent: false });
  }

  /** What is to be suggested now, to one of these questions; from now on it counts as sent. */
  take(isOpen: (questionId: string) => boolean): Due[] {
    const due = [...this.#suggested].filter(([questionId, { sent }]) => !sent && isOpen(questionId));
    for (const [questionId, suggested] of due) this.#suggested.set(questionId, { ...suggested, sent: true });
    return due.map(([questionId, { answer }]) => ({ questionId, answer }));
  }

  /** The connection is lost. `refused`: because of what was sent, which is given up. */
  lineLost(refused: boolean): void {
    for (const [questionId, suggested] of this.#suggested) {
      if (refused && suggested.sent) this.#suggested.delete(questionId);
      else this.#suggested.set(questionId, { ...suggested, sent: false });
    }
  }

  /** A question takes no more suggestions. */
  closed(questionId: string): void {
    this.#suggested.delete(questionId);
  }

  roundEnded(): void {
    this.#suggested.clear();
  }

  /** Another round begins: the sheet is an empty one. */
  roundStarted(): void {
    this.#suggested.clear();
    this.#sheet = EMPTY;
  }

  /** What this phone has suggested, as far as the sheet has it. */
  get ownSuggestions(): readonly SheetAnswer[] {
    const own = this.#update?.deviceId;
    return (this.#sheet.suggestions ?? []).filter(({ by }) => by === own);
  }

  /** A question with what the team suggests; `answer` is what a phone that suggests has suggested itself. */
  onSheet(each: PlayerQuestion): PlayerQuestion {
    const { id } = each.question;
    const suggestions = (this.#sheet.suggestions ?? []).filter(({ questionId }) => questionId === id);
    if (this.view?.suggests !== true) return suggestions.length > 0 ? { ...each, suggestions } : each;
    const answer = this.#suggested.get(id)?.answer ?? this.#own(id);
    const draft = each.draft?.trim() === answer?.trim() ? null : each.draft;
    return { ...each, suggestions, answer, draft, overtaken: false };
  }

  #own(questionId: string): string | null {
    const own = this.#update?.deviceId;
    const { suggestions = [] } = this.#sheet;
    return suggestions.find((each) => each.questionId === questionId && each.by === own)?.answer ?? null;
  }

  #counts(questionId: string): string | null {
    return this.#sheet.answers.find((each) => each.questionId === questionId)?.answer ?? null;
  }
}

/** A new answer settles what was suggested to its question. A suggestion that is there already is confirmed, and keeps its place. */
function withNew(sheet: TeamSheet, { answers, suggestions = [] }: TeamSheet): TeamSheet {
  const isOther = (each: SheetAnswer) => answers.every(({ questionId }) => questionId !== each.questionId);
  const open = (sheet.suggestions ?? []).filter(isOther);
  const isOfSame = (one: SheetAnswer) => (other: SheetAnswer) => one.questionId === other.questionId && one.by === other.by;
  const fresh = suggestions.filter((each) => open.find(isOfSame(each))?.answer !== each.answer);
  return {
    whole: true,
    answers: [...sheet.answers.filter(isOther), ...answers],
    suggestions: [...open.filter((each) => !fresh.some(isOfSame(each))), ...fresh],
  };
}
