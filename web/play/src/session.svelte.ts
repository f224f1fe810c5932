// The state of the play page: the seat, the view of the game, the latest announcement. It keeps the code in the address until there is a
// seat, and joins, returns and leaves. Every component reads it; only this file holds the SDK's objects.

import { Api, ApiError, SeatStore } from '$sdk';
import type { NewSeatCode, PlayerGame, PlayerView, SeatRecord, TeamWay } from '$sdk';

import { codeIn, isCode, seatIn, teamIn, withCode } from './code.ts';
import { endedBefore, forgetJoin, joinKey, lastName, rememberEnd, rememberName, rememberRemoval, rememberSeat, removedToken, tabSeat } from './memory.ts';
import type { Announcement } from './announcement.ts';
import { leadsNowhere, sceneOf } from './scene.ts';
import { isKeySpent, troubleOf } from './trouble.ts';
import type { Trouble } from './trouble.ts';

type Parts = typeof import('./game.ts');
type TakeSeat = (typeof import('./TakeSeat.svelte'))['default'];
type TeamParts = typeof import('./teams.ts');
type RareParts = typeof import('./rare.ts');

class Session {
  /** The seat of this page; null before joining. */
  seat = $state.raw<SeatRecord | null>(null);
  /** The view of the game; null before the first connection. */
  view = $state.raw<PlayerView | null>(null);
  /** The game's part of the page, once it is loaded. */
  parts = $state.raw<Parts | null>(null);
  /** Whether that part could not be loaded. */
  partsMissing = $state.raw(false);
  /** Whether this seat was already in storage. */
  returned = $state.raw(false);
  /** The code of the join form: from the link, or from the seat that was given up. */
  code = $state.raw('');
  /** The error that the join form shows from the start. */
  trouble = $state.raw<Trouble | null>(null);
  /** The form that takes a seat by its code, while it is shown. */
  taking = $state.raw<TakeSeat | null>(null);
  /** The code of that form, from the link. */
  seatCode = $state.raw('');
  /** What the join form asks in addition when the game with `code` has teams. */
  teamForm = $state.raw<Awaited<ReturnType<TeamParts['teamForm']>> | null>(null);
  /** The part for games with teams, once it is loaded. */
  teamParts = $state.raw<TeamParts | null>(null);
  /** The parts that most games never show, once they are loaded. */
  rareParts = $state.raw<RareParts | null>(null);
  /** The team code from the link. */
  teamCode = $state.raw('');
  /** The name in the form, which is kept when another form is shown. */
  name = $state.raw(lastName());
  /** The ids of the questions that have not been visible yet, in order. */
  unseen = $state.raw<readonly string[]>([]);
  /** The latest sentence for screen readers. */
  said = $state.raw('');

  readonly #api = new Api();
  readonly #seats = new SeatStore();
  #loading: Promise<Parts> | null = null;
  #game: PlayerGame | null = null;
  #stop: (() => void) | null = null;
  /** Whether a link requested the seat that is being tried. */
  #linked = false;
  /** Whether the seat was just taken over from another phone, and nothing of its game was shown yet. */
  #isMoved = false;
  /** The code about which the server was asked last, and the request. */
  #looked = '';
  #looking = Promise.resolve();

  /** Reads the address and returns directly to a seat that this device holds. */
  start(): void {
    const linked = codeIn(location.href);
    this.code = linked ?? '';
    this.#linked = linked !== null;
    this.teamCode = teamIn(location.href) ?? '';
    const seatCode = seatIn(location.href);
    if (seatCode !== null) {
      this.seatCode = seatCode;
      void this.showTaking(true);
      return;
    }
    const own = tabSeat();
    const code = linked ?? own?.gameCode;
    const seat = code === undefined ? this.#seats.latest() : (this.#seats.load(code) ?? (this.#linked ? null : own));
    if (!seat || (!this.#linked && endedBefore(seat.gameCode))) {
      void this.look(this.code);
      this.#loadSoon();
      return;
    }
    this.returned = true;
    void this.#open(seat);
  }

  /** Takes a seat, as a team or in one. Returns the error, or null. */
  async join(code: string, name: string, team: TeamWay = {}): Promise<Trouble | null> {
    if (!('team' in team)) rememberName(name);
    return this.#sit(() => this.#takeSeat(code, name, team));
  }

  /** Adds the fields for teams to the form when the game with this code has teams. */
  look(code: string): Promise<void> {
    if (!isCode(code)) return Promise.resolve();
    if (code !== this.#looked) this.#looking = this.#look(code);
    return this.#looking;
  }

  async #look(code: string): Promise<void> {
    this.#looked = code;
    try {
      const { teams } = await this.#api.joinOptions(code);
      const form = teams ? await (await this.#loadTeams()).teamForm() : null;
      if (this.#looked !== code || this.seat !== null) return;
      this.code = code;
      this.teamForm = form;
    } catch (error) {
      // The join itself will report an error of the code. Without an answer, or without the form, the server is asked again before the
      // join.
      if (!(error instanceof ApiError)) this.#looked = '';
    }
  }

  /** Another code is asked for. */
  otherCode(): void {
    this.#looked = '';
    this.code = '';
    this.keepCode('');
    this.teamForm = null;
  }

  /** Takes the seat of a code from another phone. Returns the error, or null. */
  take(code: string, seatCode: string): Promise<Trouble | null> {
    return this.#sit(() => this.#api.takeSeat(code, seatCode, joinKey(code, `#${seatCode}`)), true);
  }

  /** Continues with this player's seat in the next game. */
  goOn(next: SeatRecord): void {
    this.#seats.save(next);
    this.returned = false;
    void this.#open(next);
  }

  /** A code with which another phone takes this seat. */
  ownSeatCode(): Promise<NewSeatCode> {
    return this.#api.ownSeatCode(this.seat?.sessionToken ?? '');
  }

  /** Shows the form that takes a seat by its code in place of the join form, or the join form again. */
  async showTaking(shown: boolean): Promise<void> {
    this.taking = shown ? (await import('./TakeSeat.svelte')).default : null;
  }

  async #sit(take: () => Promise<SeatRecord>, isMoved = false): Promise<Trouble | null> {
    try {
      const seat = await take();
      forgetJoin();
      this.#seats.save(seat);
      this.returned = false;
      this.#isMoved = isMoved;
      this.taking = null;
      this.teamForm = null;
      void this.#open(seat);
      return null;
    } catch (error) {
      return troubleOf(error);
    }
  }

  /** Stores the code of the join form in the address, where it survives a reload. */
  keepCode(code: string): void {
    if (code === '' || isCode(code)) history.replaceState(history.state, '', withCode(location.href, code));
  }

  /** Forgets the seat and shows the join form; with the game's code when the game is to be joined again. */
  leave(again = false): void {
    const code = this.seat?.gameCode ?? '';
    this.code = again ? code : '';
    this.trouble = null;
    this.#close();
    this.#seats.forget(code);
    this.#looked = '';
    void this.look(this.code);
  }

  draft(questionId: string, text: string): void {
    this.#game?.draft(questionId, text);
  }

  submit(questionId: string, answer: string): void {
    this.#game?.submit(questionId, answer);
  }

  playJoker(): boolean {
    return this.#game?.playJoker() ?? false;
  }

  appeal(questionId: string, text: string): boolean {
    return this.#game?.appeal(questionId, text) ?? false;
  }

  answerTieBreak(answer: number): boolean {
    return this.#game?.answerTieBreak(answer) ?? false;
  }

  /** Connects now instead of later, or takes the seat back from another tab. */
  reopen(): void {
    this.#game?.reopen();
  }

  /** Marks this question as seen. */
  saw(id: string): void {
    this.unseen = this.unseen.filter((other) => other !== id);
  }

  /** Announces a sentence to screen readers, even if it is the same as the last one. */
  say(sentence: string): void {
    this.said = this.said === sentence ? `${sentence}\u00a0` : sentence;
  }

  /** Takes a seat. A key that belongs to another seat (with another name, or removed by the host) is replaced by a new one. */
  async #takeSeat(code: string, name: string, team: TeamWay): Promise<SeatRecord> {
    const join = () => this.#api.join(code, name, joinKey(code, name + wayOf(team)), team, removedToken(code));
    try {
      return await join();
    } catch (error) {
      if (!isKeySpent(error)) throw error;
      forgetJoin();
      return await join();
    }
  }

  /** Loads the game's part once the form has been drawn. On a slow line, loading both together would delay the form. */
  #loadSoon(): void {
    requestAnimationFrame(() => {
      setTimeout(() => {
        void this.#load().catch(() => undefined);
      });
    });
  }

  #load(): Promise<Parts> {
    this.#loading ??= import('./game.ts').catch((error: unknown) => {
      // The next caller tries again.
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #loadTeams(): Promise<TeamParts> {
    this.teamParts ??= await import('./teams.ts');
    return this.teamParts;
  }

  async #loadRare(): Promise<void> {
    this.rareParts ??= await import('./rare.ts');
  }

  async #open(seat: SeatRecord): Promise<void> {
    this.#close();
    this.seat = seat;
    rememberSeat(seat);
    this.keepCode('');
    try {
      this.parts = await this.#load();
    } catch {
      this.partsMissing = true;
      return;
    }
    if (this.seat !== seat) return;
    this.#game = new this.parts.PlayerGame(seat);
    this.#stop = this.#game.subscribe((view) => {
      this.#fold(view);
    });
  }

  #close(): void {
    this.#stop?.();
    this.#game?.close();
    this.#stop = null;
    this.#game = null;
    this.seat = null;
    rememberSeat(null);
    this.keepCode(this.code);
    this.view = null;
    this.unseen = [];
    this.parts?.keepAwake(false);
  }

  #fold(now: PlayerView): void {
    if (this.returned && leadsNowhere(now)) {
      this.#giveUp(now);
      return;
    }
    const before = this.view;
    this.view = now;
    // Repeated with each view until it is loaded.
    if (now.team && !this.teamParts) void this.#loadTeams().catch(() => undefined);
    if (!this.rareParts && this.parts?.hasRareParts(now)) void this.#loadRare().catch(() => undefined);
    const announcement = this.parts?.announcementOf(before, now);
    if (this.unseen.length > 0) this.unseen = this.parts?.stillUnseen(this.unseen, now) ?? [];
    if (announcement) this.#announce(announcement);
    if (this.#isMoved && now.phase !== null) {
      this.#isMoved = false;
      this.unseen = this.parts?.foundOpen(now) ?? [];
    }
    this.parts?.keepAwake(now.phase !== null && now.phase !== 'ended' && now.connection.state !== 'closed');
    if (now.phase === 'ended' && before?.phase !== 'ended') rememberEnd(now.me.gameCode);
    if (this.seat && sceneOf(now) === 'removed') rememberRemoval(this.seat);
  }

  #announce({ questions, sentence }: Announcement): void {
    this.say(sentence);
    if (questions.length === 0) return;
    this.unseen = [...this.unseen, ...questions.map(({ question }) => question.id)];
    this.parts?.giveSignal();
  }

  /** Gives up an old seat, which needs no page of its own. The form shows the error about the code. */
  #giveUp(view: PlayerView): void {
    this.#seats.forget(view.me.gameCode);
    const stop = this.#linked && sceneOf(view) === 'unknown';
    this.trouble = stop ? { field: 'code', reason: 'unknown', seconds: 0 } : null;
    this.#close();
    if (!stop) void this.look(this.code);
  }
}

/** A suffix to the name: the way of joining that a key is for. No name contains a line break. */
function wayOf(team: TeamWay): string {
  return 'team' in team ? '\n' : 'teamCode' in team ? `\n${team.teamCode ?? ''}` : '';
}

/** The page's session. */
export const session = new Session();
