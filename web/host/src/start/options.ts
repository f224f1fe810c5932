// The options of a game as the start dialogue offers them, and the presets: named sets of them. Pure. A game is created with what differs
// from the plain game, so that a later default of the server is not overruled.

import type { BoardAfter, Game, Pace, PlayOptions, RoundBody } from '$sdk';

/** How several phones play as a team. */
export interface TeamOptions {
  readonly devices: number;
  readonly captainOnly: boolean;
}

/** The pauses of the autopilot, in seconds, and what it waits for. */
export interface AutopilotOptions {
  readonly answerFor: number;
  readonly revealFor: number;
  readonly breakFor: number;
  readonly standingsFor: number;
  readonly holdWithoutHost: boolean;
  readonly holdForMarking: boolean;
}

/** The options of one game. `null`: each player has one phone, no time, no autopilot. */
export interface Options {
  readonly pace: Pace;
  readonly boardAfter: BoardAfter;
  readonly markLater: boolean;
  readonly teams: TeamOptions | null;
  readonly cleanNames: boolean;
  readonly phonesAfterScreen: boolean;
  /** Seconds for each question for which the quiz sets no time. */
  readonly answerSeconds: number | null;
  readonly closeWhenAnswered: boolean;
  readonly speedPoints: boolean;
  readonly streaks: boolean;
  readonly autopilot: AutopilotOptions | null;
}

/** How many phones a team can have. */
export const DEVICES = { least: 2, most: 12 } as const;

/** What a game without options is. */
export const PLAIN: Options = {
  pace: 'round',
  boardAfter: 'question',
  markLater: false,
  teams: null,
  cleanNames: false,
  phonesAfterScreen: false,
  answerSeconds: null,
  closeWhenAnswered: false,
  speedPoints: false,
  streaks: false,
  autopilot: null,
};

/** What teams and the autopilot begin with when they are switched on. */
export const USUAL = {
  teams: { devices: 6, captainOnly: false },
  autopilot: { answerFor: 30, revealFor: 8, breakFor: 10, standingsFor: 10, holdWithoutHost: true, holdForMarking: true },
} as const;

/** The named sets, in the order in which they are offered. */
export const PRESETS = {
  pub: { ...PLAIN, phonesAfterScreen: true, teams: USUAL.teams },
  classroom: { ...PLAIN, pace: 'question', boardAfter: 'third', answerSeconds: 20, closeWhenAnswered: true, cleanNames: true },
  speed: { ...PLAIN, pace: 'question', answerSeconds: 20, closeWhenAnswered: true, cleanNames: true, speedPoints: true, streaks: true },
} as const satisfies Record<string, Options>;

/** A named set, or one's own. */
export type Preset = keyof typeof PRESETS | 'own';

/** The names of all sets. */
export const EACH_PRESET: readonly Preset[] = ['pub', 'classroom', 'speed', 'own'];

/** What a host has chosen: a preset is its options, and `own` any others. */
export interface Choice {
  readonly preset: Preset;
  readonly options: Options;
}

/** What is chosen where nothing was chosen before. */
export const FIRST: Choice = { preset: 'pub', options: PRESETS.pub };

/** Types whose answers need no host to mark them. */
const KEYED: readonly string[] = ['multiple_choice', 'multi_select', 'true_false', 'order', 'number', 'nearest'];

/** Whether each question of a quiz has a key that marks it and a time of its own, as in quizzes from Kahoot. */
export function isLesson(rounds: readonly RoundBody[]): boolean {
  const questions = rounds.flatMap((round) => round.questions);
  return questions.length > 0 && questions.every(({ type, timeLimit }) => KEYED.includes(type) && timeLimit !== undefined);
}

/** The choice that these options are. */
export function choiceOf(options: Options): Choice {
  const text = JSON.stringify(bodyOf(options));
  const preset = EACH_PRESET.find((name) => name !== 'own' && JSON.stringify(bodyOf(PRESETS[name])) === text) ?? 'own';
  return { preset, options };
}

/** The body of a request with these options, without those of a plain game. */
export function bodyOf(options: Options): PlayOptions {
  const { pace, boardAfter, markLater, teams, answerSeconds, autopilot } = options;
  const switches = ['cleanNames', 'phonesAfterScreen', 'closeWhenAnswered', 'speedPoints', 'streaks'] as const;
  return {
    ...(pace === 'question' && { pace, boardAfter, ...(markLater && { markLater }) }),
    ...(teams && { teams: { devices: teams.devices, ...(teams.captainOnly && { captainOnly: true }) } }),
    ...(answerSeconds !== null && { answerSeconds }),
    ...Object.fromEntries(switches.filter((name) => options[name]).map((name) => [name, true])),
    ...(autopilot && { autopilot: pick(autopilot) }),
  };
}

/** The options of a game, also of one from before there were most of them. */
export function optionsOf(game: Game): Options {
  return readOptions(game.options ?? game) ?? PLAIN;
}

/** Options from somewhere else, missing ones as in a plain game; null when they are none. */
export function readOptions(read: unknown): Options | null {
  if (typeof read !== 'object' || read === null) return null;
  const { teams, autopilot, answerSeconds, ...rest } = read as Record<string, unknown>;
  const known = Object.entries(PLAIN).map(([name, plain]) => [name, isLike(plain, rest[name]) ? rest[name] : plain]);
  const options = {
    ...(Object.fromEntries(known) as unknown as Options),
    teams: isGiven(teams) ? filled(USUAL.teams, teams) : null,
    autopilot: isGiven(autopilot) ? planOf(autopilot) : null,
    answerSeconds: typeof answerSeconds === 'number' ? answerSeconds : null,
  };
  return isPace(options.pace) && isBoardAfter(options.boardAfter) ? options : null;
}

/** A plan without a time for standings shows them as long as answers. */
function planOf(read: object): AutopilotOptions {
  const { revealFor } = read as { readonly revealFor?: unknown };
  const standingsFor = typeof revealFor === 'number' ? revealFor : USUAL.autopilot.standingsFor;
  return filled({ ...USUAL.autopilot, standingsFor }, read);
}

const pick = ({ answerFor, revealFor, breakFor, standingsFor, holdWithoutHost, holdForMarking }: AutopilotOptions): AutopilotOptions => {
  return { answerFor, revealFor, breakFor, standingsFor, holdWithoutHost, holdForMarking };
};

const isPace = (pace: string): pace is Pace => pace === 'round' || pace === 'question';

const isBoardAfter = (after: string): after is BoardAfter => after === 'question' || after === 'third' || after === 'section';

const isGiven = (read: unknown): read is object => typeof read === 'object' && read !== null;

const isLike = (plain: unknown, read: unknown): boolean => typeof plain === typeof read && plain !== null;

/** The values that are there, and the usual ones where there are none. */
function filled<Whole extends object>(usual: Whole, read: object): Whole {
  const there = read as Record<string, unknown>;
  const values = Object.entries(usual).map(([name, value]) => [name, isLike(value, there[name]) ? there[name] : value]);
  return Object.fromEntries(values) as Whole;
}
