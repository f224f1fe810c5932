// Pictures of a game, only for tests and screenshots; no page imports this.

import type { ScreenPlace, ScreenQuestion, ScreenRow, ScreenShow, ScreenTally, ScreenView } from './view.ts';

const NAMES = [
  ...['Ann', 'Ben & Kim', 'Cléo', 'Dmitri', 'Table 7', 'The Quizzical Owls', 'Øyvind', 'Grandma Rose', 'Zoë', 'Jo'],
  ...['Les Incollables', 'Team Überflieger', 'Mika', 'Nour', 'Paco', 'The Long Name Society!!', 'Sam', 'Yuki', 'Liv'],
];

const question = (number: number, text: string, choices: string[] = []): ScreenQuestion => ({
  id: `q${String(number)}`,
  number,
  text,
  type: choices.length > 0 ? 'multiple_choice' : 'text',
  choices,
  points: 10,
  answered: 19 - 4 * number,
  of: NAMES.length,
  closed: false,
  timer: null,
});

const CAPITAL = question(1, 'Which city has been the capital of Australia since 1913?', [
  ...['Sydney', 'Canberra', 'Melbourne', 'Perth'],
]);
const BRIDGE = question(2, 'In which year was the Golden Gate Bridge opened to cars?');
const RIVER = question(3, 'Through which of these capitals does the Danube not flow?', [
  ...['Vienna', 'Bratislava', 'Prague', 'Budapest', 'Belgrade'],
]);
const LONG = question(
  1,
  'In a letter to a friend, a composer who had been losing his hearing for years wrote that he had been thinking of ' +
    'ending it all, and that only his art held him back. He never sent the letter; it was found among his papers ' +
    'after his death and is named after the small town near Vienna where he wrote it. Who was he?',
  [
    'Ludwig van Beethoven, the one of the nine symphonies',
    'Franz Schubert, who lived only a few streets away at the time',
    'Donaudampfschifffahrtsgesellschaftskapitän Johann Strauß',
    'Wolfgang Amadeus Mozart',
  ],
);

const row = (place: number): ScreenRow => ({
  playerId: `p${String(place)}`,
  displayName: NAMES[place] ?? '',
  score: 180 - 10 * place,
  rank: place + 1,
  roundScore: (place * 7) % 5 === 0 ? 0 : 10 * ((place * 7) % 5),
  previousRank: [2, 4, 1, 3, 5, 9, 7, 6, 8, null, 10, 11][place] ?? null,
});

const LOBBY: ScreenView = {
  gameCode: 'KTM472',
  joinUrl: 'https://quiz.example.org/?code=KTM472',
  title: 'The big autumn quiz',
  phase: 'lobby',
  round: null,
  players: NAMES.map((displayName, place) => ({ id: `p${String(place)}`, displayName })),
  playerTotal: NAMES.length,
  locked: false,
  step: null,
  blank: false,
  questions: [],
  tally: null,
  pause: null,
  jokers: null,
  timer: null,
  show: null,
  sound: false,
  language: 'en',
};
const ROUND: ScreenView = { ...LOBBY, phase: 'question', players: [], round: { number: 2, of: 4, title: 'Far away' } };
const SHOWING: ScreenView = { ...ROUND, phase: 'leaderboard' };
const ANN = { playerId: 'p0', displayName: 'Ann' };
const BEN = { playerId: 'p1', displayName: 'Ben & Kim' };
const TIE = { kind: 'tie_break', text: 'How many keys has a piano?', players: [{ ...ANN, answered: true }, { ...BEN, answered: false }] } as const;
const ROWS = Array.from({ length: 10 }, (_, place) => row(place));
const standings = (rows: readonly ScreenRow[]) => ({ kind: 'standings', rows, page: 1, pages: 2 }) as const;
const place = (rank: number, score: number, ...names: string[]): ScreenPlace => ({
  ...{ rank, score },
  names: names.map((displayName) => ({ playerId: displayName, displayName })),
});
const [FIRST, SECOND, THIRD] = [
  ...[place(1, 180, 'Ben & Kim'), place(2, 170, 'The Quizzical Owls'), place(3, 150, 'Table 7', 'Les Incollables')],
] as const;
const podium = (whole: boolean, ...places: (ScreenPlace | undefined)[]): ScreenShow => ({
  ...{ kind: 'podium', whole },
  places: places.filter((each) => each !== undefined),
});
const answer = (asked: ScreenQuestion, right: string, ...taken: number[]): Extract<ScreenShow, { kind: 'question' }> => ({
  ...{ kind: 'question', number: asked.number, of: 3, text: asked.text, answer: right },
  choices: asked.choices.map((text, index) => ({ text, right: text === right, taken: taken[index] ?? 0 })),
  right: { count: 18, of: 24 },
  tally: null,
  explanation: '',
});
const counts = (text: string, cloud: boolean, entries: Readonly<Record<string, number>>): ScreenTally => ({
  ...{ text, cloud },
  entries: Object.entries(entries).map(([answer, count]) => ({ answer, count })),
});
const POLL = counts('Where shall we meet next time?', false, { 'At the harbour': 9, 'In the library': 4, 'At home': 0 });
const WORDS = ['sea', 'mountains', 'long walks', 'rain', 'tea', 'a good book', 'friends', 'quiet', 'bicycles', 'old trains'];
const CLOUD = counts('What is autumn for you?', true, Object.fromEntries(WORDS.map((word, at) => [word, 12 - at])));

/** A question of a game that goes question by question, in which the autopilot runs. */
const SECTION = {
  ...ROUND,
  round: { number: 3, of: 12, title: '', wrongPoints: -5, section: { index: 0, title: 'Pictures and music', questionIndex: 2, questionCount: 10 } },
} as const;
const STEP = { endsAt: null, leftMs: 8_000 } as const;

const BREAK = { timer: { endsAt: null, leftMs: 600_000 }, text: 'Drinks are served in the next room.' } as const;

/** One picture for every scene, and difficult cases. */
export const SAMPLES = {
  lobby: LOBBY,
  lobbyEmpty: { ...LOBBY, players: [], playerTotal: 0 },
  lobbyFull: {
    ...LOBBY,
    players: Array.from({ length: 200 }, (_, place) => ({
      id: `p${String(place)}`,
      displayName: `${NAMES[place % NAMES.length] ?? ''} ${String(place)}`,
    })),
    playerTotal: 200,
  },
  lobbyLocked: { ...LOBBY, locked: true },
  round: ROUND,
  question: { ...ROUND, questions: [CAPITAL] },
  questionTimed: {
    ...ROUND,
    questions: [{ ...CAPITAL, timer: { endsAt: null, leftMs: 24_000 } }],
    timer: { endsAt: null, leftMs: 185_000 },
  },
  questionJokers: { ...ROUND, questions: [CAPITAL], jokers: { round: 2, played: 3 } },
  questionClosed: { ...ROUND, questions: [{ ...CAPITAL, closed: true }] },
  questionText: { ...ROUND, questions: [{ ...BRIDGE, number: 1 }] },
  questionNearest: { ...ROUND, questions: [{ ...BRIDGE, number: 1, type: 'nearest' }] },
  questionLong: { ...ROUND, questions: [LONG] },
  questions: { ...ROUND, questions: [CAPITAL, BRIDGE, RIVER] },
  questionsMany: {
    ...ROUND,
    questions: [
      ...Array.from({ length: 9 }, (_, place) => ({
        ...question(place + 1, place % 2 ? BRIDGE.text : LONG.text.slice(0, 130)),
        answered: 19 - place,
      })),
      { ...RIVER, number: 10, answered: 3 },
    ],
  },
  questionsOlder: {
    ...ROUND,
    questions: Array.from({ length: 24 }, (_, place) => ({ ...question(place + 1, BRIDGE.text), answered: 4 })),
  },
  sectionRound: { ...SECTION, step: { next: 'release_question', timer: STEP } },
  sectionQuestion: { ...SECTION, questions: [{ ...CAPITAL, timer: { endsAt: null, leftMs: 24_000 } }] },
  sectionAnswer: { ...SECTION, phase: 'leaderboard', show: answer(CAPITAL, 'Canberra', 4, 18, 2, 0), step: { next: 'start_next_round', timer: STEP } },
  sectionBoard: { ...SECTION, phase: 'leaderboard', show: standings(ROWS), step: { next: 'start_next_round', timer: STEP } },
  sectionBreak: { ...LOBBY, pause: { ...BREAK, next: SECTION.round } },
  marking: { ...ROUND, phase: 'round_review' },
  revealed: {
    ...{ ...ROUND, phase: 'round_review' },
    show: { ...answer(BRIDGE, '1937'), right: null, explanation: 'It took four years to build, and was the longest of its kind until 1964.' },
  },
  breakTime: { ...LOBBY, pause: { ...BREAK, next: { number: 3, of: 4, title: 'Pictures and music' } } },
  breakLast: { ...LOBBY, pause: { ...BREAK, next: null } },
  tie: { ...SHOWING, show: TIE },
  tieOver: {
    ...SHOWING,
    show: { ...TIE, number: 88, players: [{ ...ANN, answered: true, number: 90, place: 1 }, { ...BEN, answered: false, place: 2 }] },
  },
  jokers: { ...LOBBY, jokers: { round: 1, played: 3 } },
  sealed: { ...LOBBY, seal: '5f1c0a97d2be4c318a69788796a5b4c35f1c0a97d2be4c318a69788796a5b4c3' },
  tally: { ...ROUND, questions: [{ ...CAPITAL, text: POLL.text, type: 'poll' }], tally: POLL },
  tallyCloud: { ...ROUND, phase: 'round_review', tally: CLOUD },
  tallyMany: {
    ...{ ...ROUND, phase: 'round_review' },
    tally: counts(LONG.text, true, Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a word of mine ${String(at)}`, 50 - at]))),
  },
  answerPoll: { ...SHOWING, show: { ...answer(CAPITAL, ''), text: POLL.text, choices: [], right: null, tally: POLL } },
  answerOrder: { ...SHOWING, show: { ...answer(BRIDGE, 'Tuba\nTrombone\nTrumpet\nFlute'), choices: [] } },
  answer: { ...SHOWING, show: answer(CAPITAL, 'Canberra', 4, 18, 2, 0) },
  answerText: { ...SHOWING, show: answer(BRIDGE, '1937') },
  answerLong: { ...SHOWING, show: answer(LONG, LONG.choices[0] ?? '', 18, 3, 2, 1) },
  board: { ...SHOWING, show: standings(ROWS) },
  boardFirst: { ...SHOWING, show: standings(ROWS.map((each) => ({ ...each, previousRank: null }))) },
  next: { ...SHOWING, show: { kind: 'next', number: 3, of: 4, title: 'Pictures and music' } },
  podiumBefore: { ...SHOWING, show: podium(false) },
  podiumThird: { ...SHOWING, show: podium(false, THIRD) },
  podiumSecond: { ...SHOWING, show: podium(false, SECOND, THIRD) },
  winner: { ...SHOWING, show: { kind: 'winner', place: FIRST } },
  winners: { ...SHOWING, show: { kind: 'winner', place: place(1, 180, 'Ben & Kim', 'Team Überflieger', 'Øyvind') } },
  podium: { ...SHOWING, phase: 'ended', show: podium(true, FIRST, SECOND, THIRD) },
  podiumShared: { ...SHOWING, phase: 'ended', show: podium(true, place(1, 180, 'Ann', 'Zoë'), THIRD) },
  podiumEmpty: { ...SHOWING, phase: 'ended', show: podium(true) },
} as const satisfies Record<string, ScreenView>;
