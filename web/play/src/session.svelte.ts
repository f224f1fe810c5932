// The one state of the play page: whose seat, what the game looks like, what was said last. Keeps the code in the address
// until there is a seat, joins, comes back, leaves. Every component reads it; only this file holds the SDK's objects.

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

class Session {
  /** The seat of this page; null before joining. */
  seat = $state.raw<SeatRecord | null>(null);
  /** What the game looks like; null until there is a connection to speak of. */
  view = $state.raw<PlayerView | null>(null);
  /** The game's part of the page, once it is here. */
  parts = $state.raw<Parts | null>(null);
  /** Whether that part could not be loaded. */
  partsMissing = $state.raw(false);
  /** Whether this seat was in storage already. */
  returned = $state.raw(false);
  /** For the join form: the code that came with the link, or with the seat given up. */
  code = $state.raw('');
  /** For the join form: what is wrong from the start. */
  trouble = $state.raw<Trouble | null>(null);
  /** The form that takes a seat by its code, while it is shown. */
  taking = $state.raw<TakeSeat | null>(null);
  /** For that form: the code that came with the link. */
  seatCode = $state.raw('');
  /** The form for games that have teams, while it is shown. */
  teamForm = $state.raw<TeamParts['TeamJoin'] | null>(null);
  /** What only games with teams need, once it is here. */
  teamParts = $state.raw<TeamParts | null>(null);
  /** For that form: the code of a team that came with the link. */
  teamCode = $state.raw('');
  /** The name in the form, which goes from one form to the other. */
  name = $state.raw(lastName());
  /** The ids of the questions that have not been in sight yet, in order. */
  unseen = $state.raw<readonly string[]>([]);
  /** The latest sentence for screen readers. */
  said = $state.raw('');

  readonly #api = new Api();
  readonly #seats = new SeatStore();
  #loading: Promise<Parts> | null = null;
  #game: PlayerGame | null = null;
  #stop: (() => void) | null = null;
  /** Whether the seat on trial was asked for by a link. */
  #linked = false;
  /** The code that the server was asked about last, and the asking. */
  #looked = '';
  #looking = Promise.resolve();

  /** Reads the address and goes straight back to a seat that this device holds. */
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

  /** Takes a seat, as a team or with one; what went wrong, or null. */
  async join(code: string, name: string, team: TeamWay = {}): Promise<Trouble | null> {
    if (!('team' in team)) rememberName(name);
    return this.#sit(() => this.#takeSeat(code, name, team));
  }

  /** Shows the form for teams when the game with this code has them, and the plain one when it has none. */
  look(code: string): Promise<void> {
    if (!isCode(code)) return Promise.resolve();
    if (code !== this.#looked) this.#looking = this.#look(code);
    return this.#looking;
  }

  async #look(code: string): Promise<void> {
    this.#looked = code;
    try {
      const { teams } = await this.#api.joinOptions(code);
      const Form = teams === undefined ? null : (await this.#loadTeams()).TeamJoin;
      if (this.#looked !== code || this.seat !== null) return;
      this.code = code;
      this.teamForm = Form;
    } catch (error) {
      // What is wrong with the code the join itself will say. Without an answer, or the form, the server is asked again before the join.
      if (!(error instanceof ApiError)) this.#looked = '';
    }
  }

  /** Goes from the form for teams to the plain one, for another code. */
  otherCode(): void {
    this.#looked = '';
    this.code = '';
    this.keepCode('');
    this.teamForm = null;
  }

  /** Takes the seat of a code from another phone; what went wrong, or null. */
  take(code: string, seatCode: string): Promise<Trouble | null> {
    return this.#sit(() => this.#api.takeSeat(code, seatCode, joinKey(code, `#${seatCode}`)));
  }

  /** This player's seat in the next game: the page goes on there. */
  goOn(next: SeatRecord): void {
    this.#seats.save(next);
    this.returned = false;
    void this.#open(next);
  }

  /** A code with which another phone takes this seat. */
  ownSeatCode(): Promise<NewSeatCode> {
    return this.#api.ownSeatCode(this.seat?.sessionToken ?? '');
  }

  /** Shows the form that takes a seat by its code in place of the one that joins, or that one again. */
  async showTaking(shown: boolean): Promise<void> {
    this.taking = shown ? (await import('./TakeSeat.svelte')).default : null;
  }

  async #sit(take: () => Promise<SeatRecord>): Promise<Trouble | null> {
    try {
      const seat = await take();
      forgetJoin();
      this.#seats.save(seat);
      this.returned = false;
      this.taking = null;
      this.teamForm = null;
      void this.#open(seat);
      return null;
    } catch (error) {
      return troubleOf(error);
    }
  }

  /** The code of the join form: in the address it survives a reload. */
  keepCode(code: string): void {
    if (code === '' || isCode(code)) history.replaceState(history.state, '', withCode(location.href, code));
  }

  /** Forgets the seat and shows the join form, with this game's code when it is to be joined again. */
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

  /** This question has been in sight. */
  saw(id: string): void {
    this.unseen = this.unseen.filter((other) => other !== id);
  }

  /** Says a sentence to screen readers; the same one again is said again. */
  say(sentence: string): void {
    this.said = this.said === sentence ? `${sentence}\u00a0` : sentence;
  }

  /** A key that stood for another seat (of another name, or one that the host has removed) is given up for a new one. */
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

  /** Asks for the game's part once the form has been drawn: on a slow line the two would come later together. */
  #loadSoon(): void {
    requestAnimationFrame(() => {
      setTimeout(() => {
        void this.#load().catch(() => undefined);
      });
    });
  }

  #load(): Promise<Parts> {
    this.#loading ??= import('./game.ts').catch((error: unknown) => {
      // The next one who needs it tries again.
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #loadTeams(): Promise<TeamParts> {
    this.teamParts ??= await import('./teams.ts');
    return this.teamParts;
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
    // Tried again with each view until it is here.
    if (now.team && !this.teamParts) void this.#loadTeams().catch(() => undefined);
    const announcement = this.parts?.announcementOf(before, now);
    if (this.unseen.length > 0) this.unseen = this.parts?.stillUnseen(this.unseen, now) ?? [];
    if (announcement) this.#announce(announcement);
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

  /** A seat of another day: not worth a page of its own. The form says what there is to say about the code. */
  #giveUp(view: PlayerView): void {
    this.#seats.forget(view.me.gameCode);
    const stop = this.#linked && sceneOf(view) === 'unknown';
    this.trouble = stop ? { field: 'code', reason: 'unknown', seconds: 0 } : null;
    this.#close();
    if (!stop) void this.look(this.code);
  }
}

/** Behind a name: which way of joining a key is for. No name has a line break. */
function wayOf(team: TeamWay): string {
  return 'team' in team ? '\n' : 'teamCode' in team ? `\n${team.teamCode ?? ''}` : '';
}

/** The page's session. */
export const session = new Session();
