import { expect, test } from 'vitest';

import { answeredOf, countsOf, enteredBy, filtered, inTimeOf, jokersOf, leftOnPaper, onPaper, peopleOf, reviewOf, whoAnswered, withoutAnswer } from './room.ts';
import { answer, open, seats, view } from './sample.ts';

const room = seats('Ann', 'Bob', '-Cid', 'xDan', 'Éva');

test('each player is answered, thinking or offline while questions are open', () => {
  const people = peopleOf(view({ ...room, phase: 'question', questions: [open('q1', 1, 'p1', 'p2'), open('q2', 2, 'p1')] }));
  expect(people.map(({ displayName, doing, answered }) => [displayName, doing, answered])).toEqual([
    ['Ann', 'answered', 2],
    ['Bob', 'thinking', 1],
    ['Cid', 'offline', 0],
    ['Éva', 'thinking', 0],
  ]);
});

test('a player without an answer is no longer thinking once the question is closed', () => {
  const closed = { ...open('q1', 1, 'p1'), closed: true };
  const doing = (...questions: (typeof closed)[]) => {
    const now = view({ ...room, phase: 'question', questions });
    const people = peopleOf(now);
    const { thinking, missed } = countsOf(now, people);
    return [people.map((person) => person.doing), thinking, missed];
  };
  expect(doing(closed)).toEqual([['answered', 'missed', 'offline', 'missed'], 0, 2]);
  expect(doing(closed, open('q2', 2, 'p1', 'p2'))).toEqual([['answered', 'missed', 'offline', 'thinking'], 1, 1]);
});

test('a player without a phone is on paper, and counted once there is an answer', () => {
  const [ann, zoe] = seats('Ann', '-Zoe').room;
  const all = [ann, zoe && { ...zoe, onPaper: true }].filter((seat) => seat !== undefined);
  const asking = (...names: string[]) => {
    const asked = open('q1', 1, ...names);
    const now = view({ room: all, playerTotal: 2, connectedTotal: 1, phase: 'question', questions: [asked] });
    const people = peopleOf(now);
    return [people[1]?.doing, countsOf(now, people).offline, answeredOf(now, asked), whoAnswered(now, asked)];
  };
  expect(asking('p1')).toEqual(['paper', 0, { answered: 1, of: 1 }, 'phones']);
  expect(asking('p1', 'p2')).toEqual(['answered', 0, { answered: 2, of: 2 }, 'all']);
  const entered = [answer('p2', 'q1', 'Bern', true)];
  const now = view({ room: all, entered });
  expect([onPaper(now).map(({ id }) => id), enteredBy(now, 'p2', 'q1'), enteredBy(now, 'p2', 'q2')]).toEqual([['p2'], 'Bern', '']);
});

test('a team has its phones', () => {
  const [ann, ...others] = seats('Larks', 'Bob').room;
  const devices = [
    { deviceId: 'd1', displayName: 'Larks', connected: true },
    { deviceId: 'd2', displayName: 'Ben', connected: false },
  ];
  const all = [ann && { ...ann, devices }, ...others].filter((seat) => seat !== undefined);
  expect(peopleOf(view({ room: all, playerTotal: 2, connectedTotal: 2 })).map((person) => person.devices)).toEqual([devices, []]);
});

test('jokers are those of the round that comes next, then of the round that is played', () => {
  const [ann, bob, ...others] = seats('Ann', 'Bob', 'Cid').room.map((seat, at) => ({ ...seat, ...(at < 2 && { joker: at + 1 }) }));
  const seated = { ...seats('Ann', 'Bob', 'Cid'), room: [ann, bob, ...others].filter((seat) => seat !== undefined) };
  const played = (more: Parameters<typeof view>[0]) => {
    const now = view({ ...seated, ...more });
    return [jokersOf(now), peopleOf(now).filter(({ joker }) => joker).map(({ displayName }) => displayName)];
  };
  const round = { round: 1, rounds: 3, title: '', questionCount: 1 };
  expect(played({ jokerRound: 1 })).toEqual([{ round: 1, played: 1 }, ['Ann']]);
  expect(played({ phase: 'question', round })).toEqual([{ round: 1, played: 1 }, ['Ann']]);
  expect(played({ phase: 'leaderboard', round, jokerRound: 2 })).toEqual([{ round: 2, played: 1 }, ['Bob']]);
  expect(played({ phase: 'leaderboard', round, jokerRound: 3 })).toEqual([{ round: 3, played: 0 }, []]);
  expect(played({ phase: 'question', round: { ...round, round: 3 } })).toEqual([null, []]);
  expect(played({ phase: 'ended', round })).toEqual([null, []]);
});

test.each(['lobby', 'round_review', 'leaderboard'] as const)('no player is thinking in %s', (phase) => {
  const people = peopleOf(view({ ...room, phase, questions: [open('q1', 1, 'p1')] }));
  expect(people.map((person) => person.doing)).toEqual(['here', 'here', 'offline', 'here']);
});

test('counts are of those who have a seat and did not leave', () => {
  const now = view({ ...room, phase: 'question', questions: [open('q1', 1, 'p1', 'p3')] });
  expect(countsOf(now, peopleOf(now))).toEqual({ all: 4, answered: 1, thinking: 2, missed: 0, offline: 1 });
});

test('above the limit the server sends numbers only', () => {
  const now = view({ phase: 'question', room: [], playerTotal: 2500, connectedTotal: 2400 });
  expect(countsOf(now, peopleOf(now))).toEqual({ all: 2500, answered: 0, thinking: 0, missed: 0, offline: 100 });
});

test.each([
  ['all', '', ['Ann', 'Bob', 'Cid', 'Éva']],
  ['offline', '', ['Cid']],
  ['all', ' eV', ['Éva']],
  ['offline', 'ann', []],
] as const)('filter %s with %j', (filter, typed, names) => {
  const people = peopleOf(view({ ...room, phase: 'lobby' }));
  expect(filtered(people, filter, typed).map((person) => person.displayName)).toEqual(names);
});

test('who has no answer, without those who left', () => {
  const missing = (inTime: ReadonlySet<string> | null) => withoutAnswer(view(room), new Set(['p1', 'p3']), inTime);
  expect(missing(null).map((seat) => seat.displayName)).toEqual(['Bob', 'Éva']);
  expect(missing(new Set(['p1', 'p2', 'p3'])).map((seat) => seat.displayName)).toEqual(['Bob']);
});

test('who came late was not in time', () => {
  const known = new Set(['p1', 'p2', 'p3']);
  expect([...inTimeOf(known, ['p2', 'p9'])]).toEqual(['p1', 'p3']);
  expect([...inTimeOf(known)]).toEqual(['p1', 'p2', 'p3']);
});

test('so many have answered, here or away by now, and who is away without an answer is not waited for', () => {
  const asked = open('q1', 1, 'p1', 'p3', 'p4');
  expect(answeredOf(view({ ...room, questions: [asked] }), asked)).toEqual({ answered: 2, of: 4 });
  expect(answeredOf(view({ ...seats('Ann', '-Bob'), questions: [asked] }), asked)).toEqual({ answered: 1, of: 1 });
  const huge = view({ playerTotal: 2500, connectedTotal: 2400 });
  const counted = (answerCount: number) => answeredOf(huge, { ...open('q1', 1), answerCount });
  expect(counted(100)).toEqual({ answered: 100, of: 2400 });
  expect(counted(2450)).toEqual({ answered: 2400, of: 2400 });
  expect(answeredOf(view(room), open('q1', 1))).toEqual({ answered: 0, of: 3 });
});

test('the answers of a removed player are not marked; where seats are not listed, all of them are', () => {
  const review = [answer('p1', 'q1', 'Oslo', false), answer('p2', 'q1', 'Oslo', false), answer('p3', 'q1', 'Rome', true)];
  const here = view({ ...seats('Ann', '-Ben'), review });
  expect(reviewOf(here)?.map((one) => one.playerId)).toEqual(['p1', 'p2']);
  expect(reviewOf(view({ playerTotal: 5000, review }))).toBe(review);
  expect(reviewOf(view({ ...seats('Ann'), review: null }))).toBeNull();
});

test('the answers on paper that are still to be entered, without players who have phones', () => {
  const { room, ...totals } = seats('Ann', 'Owls', 'Tigers');
  const paper = room.map((seat) => (seat.id === 'p1' ? seat : { ...seat, onPaper: true }));
  const entered = [answer('p2', 'q1', 'Oslo', true), answer('p3', 'q9', 'of another round', true)];
  const shown = view({ phase: 'question', ...totals, room: paper, entered });
  expect(leftOnPaper(shown, [{ id: 'q1' }, { id: 'q2' }])).toBe(3);
  expect(leftOnPaper(shown, [])).toBe(0);
});
