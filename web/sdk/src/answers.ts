// A player's answers: typed, in flight and stored. Kept on the device, and written there before anything is sent. Used by
// PlayerGame; sends nothing itself.
//
// The server handles a connection's messages in order and acknowledges each answer, so acks come in the order of sending,
// and only the ack of the newest message shows that the newest answer is stored. On a new connection the server first repeats an
// ack for every question that has an answer, whichever it is. As long as such a sync ack may still come (`doubt`: only from a
// server that does not mark the end of the sync messages), any ack may belong to the message before. The newest answer is then
// sent once more, and counts as stored with the ack of its copy.

import { adopt, entriesOf, fresh, giveUp, isOvertaken, keptOf, NOT_ON_THE_WAY, stateOf, wasSent } from './entries.ts';
import type { Counts, Entry } from './entries.ts';
import type { Question, SheetAnswer } from './generated/protocol.ts';
import type { StorageLike } from './platform.ts';
import { isRecord, readJson, writeJson } from './storage.ts';
import type { PlayerQuestion } from './view.ts';

/** A message to send. */
export interface Due {
  readonly questionId: string;
  readonly answer: string;
}

/** No more unacknowledged messages to one question than this are sent: the newest waits. */
const PIPELINE = 3;
/**
 * The most answers in flight: the server refuses a flood, and the refused answers would then be sent as a flood again. With
 * this limit at least these answers are acknowledged each time.
 */
const WINDOW = 10;

/** The answers of one seat. */
export class Answers {
  readonly #storage: StorageLike | null;
  readonly #key: string;
  #entries = new Map<string, Entry>();
  /** Whether the device has stored everything that is known here. */
  #isKept = true;
  /** Sent on this connection and not acknowledged, oldest first. */
  #line: Due[] = [];
  /** Another phone's answer, as the sheet contained it while an answer from here was in flight: it may be the later one. */
  readonly #given = new Map<string, Counts>();

  constructor(storage: StorageLike | null, key: string) {
    this.#storage = storage;
    this.#key = key;
    this.reload();
  }

  /**
   * Reads the answers stored on the device again, because another tab may have written them; without a storage, those in memory stay.
   * No answer is in flight any more. `open`: open answers stay open, and closed ones closed.
   */
  reload(open = false): void {
    const closed = new Set([...this.#entries].filter(([, entry]) => open && entry.closed).map(([id]) => id));
    const stored = this.#isKept ? readJson(this.#storage, this.#key) : null;
    if (isRecord(stored)) this.#entries = entriesOf(stored);
    for (const entry of this.#entries.values()) {
      if (entry.fate.is === 'wanted') {
        const astray = wasSent(entry.fate);
        // It is not known which one the server has now.
        if (astray || entry.due > 0) entry.storedAnswer = null;
        entry.fate = { is: 'wanted', astray, copies: 0 };
      }
      entry.open &&= open;
      entry.closed = closed.has(entry.question.id);
      Object.assign(entry, NOT_ON_THE_WAY);
    }
    this.#line = [];
    this.#given.clear();
  }

  /** The sync messages of a new connection have arrived: these questions are open, those have an answer. `whole`: none of the messages
   * is late. */
  synced(questions: readonly Question[], acked: ReadonlySet<string>, round: number | null, whole: boolean): void {
    this.reload();
    for (const question of questions) {
      const entry = this.#see(question, round);
      if (acked.has(question.id)) entry.stored = true;
      else this.#doubt(entry, !whole);
    }
    this.#save();
  }

  /** A question is open: a new one, or a sync message that came late. */
  released(question: Question, round: number | null): void {
    const isNew = !this.isOpen(question.id);
    const entry = this.#see(question, round);
    if (isNew) this.#doubt(entry, true);
    this.#save();
  }

  /** Whether an answer to it can be sent. */
  isOpen(questionId: string): boolean {
    const entry = this.#entries.get(questionId);
    return entry?.open === true && !entry.closed;
  }

  draft(questionId: string, text: string): void {
    const entry = this.#entries.get(questionId);
    if (!entry?.open || entry.closed) return;
    if (entry.draft === null) entry.base = entry.storedAnswer ?? entry.base;
    entry.draft = text.trim() === (entry.answer ?? '').trim() ? null : text;
    this.#save();
  }

  /** Submits an answer, which replaces the one before. */
  submit(questionId: string, answer: string): void {
    const entry = this.#entries.get(questionId);
    if (!entry?.open || entry.closed) return;
    const isWanted = entry.fate.is === 'wanted';
    const isSame = entry.answer === answer;
    if (!isWanted && entry.stored && entry.storedAnswer === answer) entry.fate = { is: 'settled' };
    else if (!isWanted || !isSame) entry.fate = { is: 'wanted', astray: isSame, copies: 0 };
    Object.assign(entry, { answer, draft: null, base: entry.storedAnswer ?? entry.base });
    this.#save();
  }

  /** The messages to send now; from now on they count as sent. Stored on the device before they are returned. */
  take(): Due[] {
    const due: Due[] = [];
    for (const entry of this.#entries.values()) {
      const { answer, fate } = entry;
      if (this.#line.length >= WINDOW || entry.due >= PIPELINE) continue;
      if (!entry.open || entry.closed || fate.is !== 'wanted' || fate.copies > 0 || answer === null) continue;
      entry.due += 1;
      this.#given.delete(entry.question.id);
      entry.fate = { ...fate, copies: 1 };
      entry.tried = true;
      const message = { questionId: entry.question.id, answer };
      due.push(message);
      this.#line.push(message);
    }
    if (due.length > 0) this.#save();
    return due;
  }

  /** `answer_accepted`; returns the answer to send once more, to be certain. */
  acked(questionId: string): Due | null {
    const entry = this.#entries.get(questionId);
    if (!entry) return null;
    entry.stored = true;
    const first = this.#line.find((due) => due.questionId === questionId);
    this.#line = this.#line.filter((due) => due !== first);
    if (first && !entry.doubt) {
      Object.assign(entry, { storedAnswer: first.answer, by: null });
      // No newer answer is wanted any more: another phone had answered.
      if (entry.fate.is === 'settled') entry.answer = first.answer;
    }
    // One more ack than messages were sent: one of them was a sync ack.
    if (entry.due === 0) entry.doubt = false;
    else entry.due -= 1;
    const again = this.#settle(entry);
    this.#save();
    return again;
  }

  #settle(entry: Entry): Due | null {
    const { answer, fate } = entry;
    if (fate.is !== 'wanted' || fate.copies === 0 || answer === null) return null;
    if (entry.due + (entry.doubt ? 1 : 0) < fate.copies) {
      Object.assign(entry, { storedAnswer: answer, by: null });
      entry.fate = { is: 'settled' };
      // Another phone answered while this answer was under way. If this one came later, the line of the sheet with it follows.
      const given = this.#given.get(entry.question.id);
      if (given) adopt(entry, given, false);
    } else if (entry.due === 0) {
      entry.due = 1;
      entry.fate = { ...fate, copies: fate.copies + 1 };
      const again = { questionId: entry.question.id, answer };
      this.#line.push(again);
      return again;
    }
    return null;
  }

  /** The answers that count for this phone's team; the phone's id is `own`. `isSync`: with the first messages of a connection. */
  shared(answers: readonly SheetAnswer[], own: string, isSync: boolean): void {
    for (const { questionId, answer, by } of answers) {
      const entry = this.#entries.get(questionId);
      if (by === own) this.#given.delete(questionId);
      else if (entry?.fate.is === 'wanted') this.#given.set(questionId, { answer, by });
      if (entry) adopt(entry, { answer, by: by === own ? null : by }, isSync);
    }
    this.#save();
  }

  /** The answer typed here was sent to the captain as a suggestion, so it is no longer a draft. */
  suggested({ questionId, answer }: Due): void {
    const entry = this.#entries.get(questionId);
    if (entry?.draft?.trim() !== answer.trim()) return;
    entry.draft = null;
    this.#save();
  }

  /** Whether a message on this connection has no ack yet. */
  get isWaiting(): boolean {
    return [...this.#entries.values()].some(({ open, closed, fate }) => open && !closed && fate.is === 'wanted' && fate.copies > 0);
  }

  /** The connection is lost. `refused`: because of the oldest message without an ack, which is then given up. */
  lineLost(refused: boolean): void {
    const first = refused ? this.#line[0] : undefined;
    const id = first?.questionId ?? '';
    const storedAnswer = this.#entries.get(id)?.storedAnswer ?? null;
    this.reload(true);
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.storedAnswer = storedAnswer;
    if (entry.fate.is === 'wanted' && entry.answer === first?.answer) entry.fate = { is: 'missed' };
    this.#save();
  }

  /** A question has another text. */
  edited(questionId: string, text: string): void {
    const entry = this.#entries.get(questionId);
    if (!entry || entry.question.text === text) return;
    this.#entries.set(questionId, { ...entry, question: { ...entry.question, text } });
    this.#save();
  }

  /** A question takes no more answers. `seen`: as for `roundEnded`; then it is known whether its time was over (`timedOut`). */
  closed(questionId: string, seen: boolean, timedOut = false): void {
    const entry = this.#entries.get(questionId);
    if (!entry?.open || entry.closed) return;
    giveUp(entry, seen);
    this.#line = this.#line.filter((due) => due.questionId !== questionId);
    Object.assign(entry, NOT_ON_THE_WAY, { closed: true, timedOut: entry.timedOut || timedOut });
    this.#save();
  }

  /** The round is over. `seen`: on a connection that was open; then an answer without an ack was not stored. */
  roundEnded(seen: boolean): void {
    for (const entry of this.#entries.values()) {
      giveUp(entry, seen);
      entry.open = false;
      Object.assign(entry, NOT_ON_THE_WAY);
    }
    this.#line = [];
    this.#save();
  }

  /** Removes everything that is not of this round, or everything. */
  forgetAllBut(round: number | null): void {
    for (const [id, entry] of this.#entries) {
      if (round === null || entry.round !== round) this.#entries.delete(id);
    }
    this.#line = this.#line.filter((due) => this.#entries.has(due.questionId));
    this.#save();
  }

  /** Open questions, or all of the round, in order of release. */
  questions(openOnly: boolean): PlayerQuestion[] {
    const shown = [...this.#entries.values()].filter((entry) => entry.open || !openOnly);
    return shown.map((entry, at) => ({
      question: entry.question,
      number: at + 1,
      state: stateOf(entry),
      answer: entry.answer,
      draft: entry.draft,
      storedAnswer: entry.storedAnswer,
      missed: entry.fate.is === 'missed',
      unsure: entry.fate.is === 'unsure',
      closed: entry.closed,
      timedOut: entry.timedOut,
      by: entry.by,
      overtaken: isOvertaken(entry),
      suggestions: [],
    }));
  }

  /** The entry, known or new; it becomes the last in order if it was not open before. */
  #see(question: Question, round: number | null): Entry {
    const known = this.#entries.get(question.id);
    const entry: Entry = { ...(known ?? fresh(question, round)), question, open: true, closed: false };
    entry.round = round ?? entry.round;
    if (!known?.open) this.#entries.delete(question.id);
    this.#entries.set(question.id, entry);
    return entry;
  }

  /** No sync ack was seen for it, so the answer is sent again. `doubt`: a late one may still come. */
  #doubt(entry: Entry, doubt: boolean): void {
    if (!entry.tried) return;
    entry.stored = false;
    entry.doubt = doubt;
    const { is } = entry.fate;
    if (entry.answer !== null && is !== 'wanted' && is !== 'missed') entry.fate = { is: 'wanted', astray: true, copies: 0 };
  }

  #save(): void {
    const kept = [...this.#entries].map(([id, entry]) => [id, keptOf(entry)] as const);
    this.#isKept = writeJson(this.#storage, this.#key, kept.length > 0 ? Object.fromEntries(kept) : null);
  }
}
