// The team of a phone, from `team_update` and `team_sheet`, and the phone's suggestions to its captain. Used by PlayerGame; sends
// nothing itself.
//
// A suggestion has no acknowledgement of its own: it has arrived when the sheet has it. Until then it is sent again on each new
// connection, unless the captain has answered the question since.

import type { Due } from './answers.ts';
import type { SheetAnswer, TeamSheet, TeamUpdate } from './generated/protocol.ts';
import type { PlayerQuestion, Team } from './view.ts';

/** A suggestion that the sheet does not have yet. */
interface Suggested {
  readonly answer: string;
  /** The answer that counted when it was made. */
  readonly over: string | null;
  /** Whether it was sent on this connection. */
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

  /** Null until the server has sent a team. */
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

  /** On a new connection everything is sent again. */
  renew(): void {
    this.#update = null;
    this.#sheet = EMPTY;
    this.lineLost(false);
  }

  updated(update: TeamUpdate): void {
    this.#update = update;
  }

  /** The whole sheet, or new lines of it. */
  sheet(message: TeamSheet): void {
    this.#sheet = message.whole ? message : withNew(this.#sheet, message);
    for (const [questionId, { answer, over }] of this.#suggested) {
      const isHere = this.#own(questionId) === answer;
      if (isHere || this.#counts(questionId) !== over) this.#suggested.delete(questionId);
    }
  }

  /** Suggests an answer. */
  suggest(questionId: string, answer: string): void {
    if (this.#own(questionId) === answer) this.#suggested.delete(questionId);
    else this.#suggested.set(questionId, { answer, over: this.#counts(questionId), sent: false });
  }

  /** The suggestions to send now, to one of these questions; from now on they count as sent. */
  take(isOpen: (questionId: string) => boolean): Due[] {
    const due = [...this.#suggested].filter(([questionId, { sent }]) => !sent && isOpen(questionId));
    for (const [questionId, suggested] of due) this.#suggested.set(questionId, { ...suggested, sent: true });
    return due.map(([questionId, { answer }]) => ({ questionId, answer }));
  }

  /** The connection is lost. `refused`: because of a sent suggestion, which is given up. */
  lineLost(refused: boolean): void {
    for (const [questionId, suggested] of this.#suggested) {
      if (refused && suggested.sent) this.#suggested.delete(questionId);
      else this.#suggested.set(questionId, { ...suggested, sent: false });
    }
  }

  /** A question accepts no more suggestions. */
  closed(questionId: string): void {
    this.#suggested.delete(questionId);
  }

  roundEnded(): void {
    this.#suggested.clear();
  }

  /** Another round begins: the sheet is empty. */
  roundStarted(): void {
    this.#suggested.clear();
    this.#sheet = EMPTY;
  }

  /** The suggestions of this phone, as far as the sheet has them. */
  get ownSuggestions(): readonly SheetAnswer[] {
    const own = this.#update?.deviceId;
    return (this.#sheet.suggestions ?? []).filter(({ by }) => by === own);
  }

  /** A question with the team's suggestions; `answer` is the phone's own suggestion on a phone that suggests. */
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

/** A new answer settles the suggestions to its question. A suggestion that exists already is confirmed, and keeps its place. */
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
