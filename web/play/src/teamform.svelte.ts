// What the join form asks in a game with teams: the way of playing, the code of the team, and the team's or the player's own name. The
// session loads it with the other parts of teams, while the person may already be typing.

import type { TeamWay } from '$sdk';
import { m } from '$words/language.svelte.ts';

import { isTeam, tidyTeam } from './code.ts';
import { lastName } from './memory.ts';
import { mistakeIn, tidyName } from './name.ts';
import { session } from './session.svelte.ts';
import type { Reason, Trouble } from './trouble.ts';

/** The values of the form for games with teams. */
class TeamForm {
  way = $state.raw<'join' | 'start' | 'alone' | null>(session.teamCode === '' ? null : 'join');
  code = $state.raw(session.teamCode);
  /** The name of the team; null until it differs from the name that was typed before. */
  #team = $state.raw<string | null>(null);
  /** The name that the device knew: no proposal for a team. */
  readonly #known = lastName();

  /** The name in the form. The person's own name may have been typed before it was known that the game has teams. */
  get name(): string {
    if (this.own) return session.name;
    return this.#team ?? (session.name === this.#known ? '' : session.name);
  }

  set name(name: string) {
    if (this.own) session.name = name;
    else this.#team = name;
  }

  /** Whether the name is the person's own. */
  get own(): boolean {
    return this.way !== 'start';
  }

  /** The label of the name; undefined is the label of the plain form. */
  get label(): string | undefined {
    return this.own ? undefined : m.play_teams_name();
  }

  get hint(): string | undefined {
    return this.way === 'join' ? m.play_teams_name_hint() : undefined;
  }

  /** The sentences that only this form can show. */
  get words(): Partial<Record<Reason, () => string>> {
    return {
      way_missing: m.play_teams_choose,
      team_form: m.play_teams_code_form,
      team_unknown: m.play_teams_unknown,
      team_full: m.play_teams_full,
      ...(this.own ? {} : { name_missing: m.play_teams_name_missing }),
    };
  }

  /** The error in the fields before anything is sent. */
  wrong(): Trouble | null {
    if (this.way === null) return { field: 'form', reason: 'way_missing', seconds: 0 };
    if (this.way === 'join' && !isTeam(tidyTeam(this.code))) return { field: 'team', reason: 'team_form', seconds: 0 };
    const mistake = mistakeIn(tidyName(this.name));
    return mistake && { field: 'name', reason: mistake, seconds: 0 };
  }

  /** The part of the request that says how the person plays. */
  get request(): TeamWay {
    return this.way === 'start' ? { team: true } : this.way === 'join' ? { teamCode: tidyTeam(this.code) } : {};
  }
}

/** What the form asks, once no button is held: a form that changes below the finger would lose the press. */
export async function teamForm(): Promise<TeamForm> {
  while (document.querySelector('button:active')) await new Promise(requestAnimationFrame);
  return new TeamForm();
}
