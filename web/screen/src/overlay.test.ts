// Tests what the overlay says of each picture, and at which edge it lies.
import { describe, expect, it, vi } from 'vitest';

// The words look for their language as soon as they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('location', { search: '?lang=en' });
  vi.stubGlobal('document', { documentElement: {} });
});

import { contentOf } from './overlay.ts';
import { SAMPLES } from './samples.ts';
import { edgeIn } from './seat.ts';

describe('edgeIn', () => {
  it.each([
    ['', null],
    ['?sound=1', null],
    ['?overlay', 'bottom'],
    ['?overlay=bottom', 'bottom'],
    ['?overlay=top', 'top'],
    ['?overlay=left', 'left'],
    ['?overlay=right', 'right'],
    ['?overlay=middle', 'bottom'],
  ] as const)('%s', (search, edge) => {
    expect(edgeIn(search)).toBe(edge);
  });
});

describe('contentOf', () => {
  it.each(Object.entries(SAMPLES))('has words for %s', (_, view) => {
    expect(contentOf(view).title).not.toBe('');
  });

  it('shows the code before the game, and none when joining is closed', () => {
    expect(contentOf(SAMPLES.lobby).code).toBe('KTM472');
    expect(contentOf(SAMPLES.lobbyLocked).code).toBeUndefined();
    expect(contentOf({ ...SAMPLES.lobby, playerTotal: 3 }).note).toContain('3 players');
    expect(contentOf({ ...SAMPLES.lobby, playerTotal: 3, teams: true }).note).toContain('3 teams');
  });

  it('shows a question with its choices and its own clock, and none once it is closed', () => {
    const timed = contentOf(SAMPLES.questionTimed);
    expect(timed.rows?.map(({ mark, text }) => `${mark ?? ''} ${text}`)).toEqual(['A Sydney', 'B Canberra', 'C Melbourne', 'D Perth']);
    expect(timed.clock?.label).toBe('Time for this question');
    expect(contentOf(SAMPLES.questionClosed)).toMatchObject({ note: expect.stringMatching(/^Closed · /) as unknown });
    expect(contentOf(SAMPLES.questionClosed).clock).toBeNull();
  });

  it('shows every right choice, or the right answer large', () => {
    expect(contentOf(SAMPLES.answer).rows?.filter(({ isRight }) => isRight).map(({ text }) => text)).toEqual(['Canberra']);
    expect(contentOf(SAMPLES.answerText).plate).toBe('1937');
  });

  it('writes the numbers of a tie-break as keys are written, as they may be years', () => {
    const player = { playerId: 'a', displayName: 'Ann', answered: true, number: 1_788, place: 1 };
    const tie = contentOf({ ...SAMPLES.tie, show: { kind: 'tie_break', text: 'When?', number: 1_789, players: [player] } });
    expect(tie).toMatchObject({ note: 'Answer: 1789', rows: [{ text: 'Ann', value: '1788' }] });
  });

  it('names the question in its section where a game goes question by question', () => {
    const round = { number: 3, of: 12, title: '', section: { index: 0, title: 'Science', questionIndex: 2, questionCount: 10 } };
    expect(contentOf({ ...SAMPLES.round, round })).toMatchObject({ title: 'Science', note: 'question 3 of 10' });
    expect(contentOf({ ...SAMPLES.next, show: { kind: 'next', ...round } })).toMatchObject({ title: 'Science', note: 'Coming up · question 3 of 10' });
    const unnamed = { ...round, section: { ...round.section, title: '' } };
    expect(contentOf({ ...SAMPLES.round, round: unnamed }).title).toBe(SAMPLES.round.title);
  });

  it('names the autopilot’s next step, but not during a break', () => {
    const step = { next: 'release', timer: { endsAt: 8_000, leftMs: 8_000 } };
    expect(contentOf({ ...SAMPLES.round, step }).clock).toEqual({ timer: step.timer, label: 'Next question in' });
    expect(contentOf({ ...SAMPLES.breakTime, step }).clock?.label).toBe('Break');
    expect(contentOf({ ...SAMPLES.board, step: { ...step, next: 'start_next_round' } }).clock?.label).toBe('Next round in');
    expect(contentOf(SAMPLES.sectionBoard).clock?.label, 'each question is a round').toBe('Next question in');
  });
});
