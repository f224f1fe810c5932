import { describe, expect, it } from 'vitest';

import type { QuizBody, QuizUpload } from '$sdk/generated/protocol.ts';

import { acceptedOf, bodyOf, choicesOf, documentOf } from './body.ts';
import { duplicateQuestion, newChoice, newQuestion, newRound } from './document.ts';

const WORDS = ['Wahr', 'Falsch'] as const;

const QUIZ: QuizBody = {
  title: 'An evening',
  rounds: [
    {
      title: 'One',
      questions: [
        { text: 'Capital?', type: 'text', correctAnswers: ['Paris', 'paris, France'], points: 1000, timeLimit: 45 },
        { text: 'Which?', type: 'multiple_choice', choices: ['a', 'b', 'c'], correctAnswers: ['a', 'c'], points: 0 },
      ],
    },
    {
      title: '',
      questions: [
        { text: 'Two\nlines', type: 'true_false', choices: ['True', 'False'], correctAnswers: ['False'], points: 2000 },
        { text: 'How far?', type: 'numeric', correctAnswers: ['1,5'], points: 1000, tolerance: 0.5 },
        { text: 'Seen?', type: 'text', correctAnswers: ['x'], points: 1000, media: { id: 'f1', kind: 'picture', alt: 'A tube' } },
        { text: 'Heard?', type: 'text', correctAnswers: ['x'], points: 1000, media: { id: 'f2', kind: 'sound' } },
      ],
      timeLimit: 300,
      streaks: true,
      speedPoints: true,
      joker: true,
      wrongPoints: -5,
      halfPoints: true,
    },
  ],
};

/** The content of a body without the ids that the editor gives. */
const said = ({ title, rounds }: QuizUpload): QuizBody => ({
  title,
  rounds: rounds.map((round) => ({ ...round, questions: round.questions.map(({ id: _, ...question }) => question) })),
});

it('sends of a picture what the server does not know, its description trimmed', () => {
  const media = { id: 'f1', kind: 'picture', alt: ' A\ntube ', type: 'image/png', bytes: 7 } as const;
  const question = { ...newQuestion('text', WORDS), text: 'Q?', answers: ['a'], media };
  const body = bodyOf({ title: 'T', rounds: [newRound([question])] });
  expect(body.rounds[0]?.questions[0]?.media).toEqual({ id: 'f1', kind: 'picture', alt: 'A tube' });
});

describe('a stored quiz', () => {
  it('comes back as it was', () => {
    expect(said(bodyOf(documentOf(QUIZ, WORDS)))).toEqual(QUIZ);
  });

  it('comes back the same after a second reading', () => {
    const once = bodyOf(documentOf(QUIZ, WORDS));
    expect(bodyOf(documentOf(once, WORDS))).toEqual(once);
  });

  it('keeps the ids of its questions, and its tags', () => {
    const id = '0190f2a4-0000-7000-8000-000000000001';
    const question = { id, text: 'T?', type: 'text', correctAnswers: ['x'], points: 1, tags: ['Easy', 'Seas'] };
    const quiz: QuizUpload = { title: 'T', tags: ['School'], rounds: [{ title: '', questions: [question] }] };
    const document = documentOf(quiz, WORDS);
    expect(bodyOf(document)).toEqual(quiz);
    const copy = duplicateQuestion(document, id);
    const ids = bodyOf(copy.document).rounds[0]?.questions.map((one) => one.id);
    expect(ids).toEqual([id, copy.key]);
    expect(copy.key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sends no key of an earlier version as an id, and an empty list where no tag is typed', () => {
    const old = { ...newQuestion('text', WORDS), key: 'k3-1', text: 'T?', answers: ['x'], tags: ' , a,A , b ' };
    const body = bodyOf({ title: 'T', rounds: [newRound([old])] });
    expect(body.tags).toEqual([]);
    expect(body.rounds[0]?.questions[0]).toEqual({ text: 'T?', type: 'text', correctAnswers: ['x'], points: 1, tags: ['a', 'b'] });
  });

  it('has its defaults written out, and an unknown type is text', () => {
    const questions = [
      { text: 'T?', type: 'true_false', correctAnswers: ['True'] },
      { text: 'E?', type: 'essay', correctAnswers: ['x'] },
    ];
    const [truth, essay] = bodyOf(documentOf({ title: 'T', rounds: [{ title: '', questions }] }, WORDS)).rounds[0]?.questions ?? [];
    expect(truth).toMatchObject({ text: 'T?', type: 'true_false', choices: ['True', 'False'], correctAnswers: ['True'], points: 1 });
    expect(essay).toMatchObject({ type: 'text', correctAnswers: ['x'] });
  });
});

it('an imported question without points is worth one, or what the quiz that takes it says', () => {
  const questions = [
    { text: 'None', type: 'text', correctAnswers: ['x'] },
    { text: 'Some', type: 'text', correctAnswers: ['x'], points: 500 },
  ];
  const points = (usual?: number) => {
    const body = bodyOf(documentOf({ title: 'T', rounds: [{ title: '', questions }] }, WORDS, usual));
    return body.rounds[0]?.questions.map((question) => question.points);
  };
  expect(points()).toEqual([1, 500]);
  expect(points(20)).toEqual([20, 500]);
});

describe('what is written', () => {
  it('is tidied: no edges, no empty lines, nothing that cannot be seen', () => {
    const text = { ...newQuestion('text', WORDS), text: ' Why?\u0007\r\nBecause\t! ', answers: ['', ' so\u0000 ', ' '] };
    const choice = {
      ...newQuestion('multiple_choice', WORDS),
      text: 'Which?',
      choices: [newChoice('a '), newChoice(' '), newChoice('\tb', true), newChoice()],
    };
    const body = bodyOf({ title: ' A\nB ', rounds: [newRound([text, choice], ' R ')] });
    expect(body.title).toBe('A B');
    expect(body.rounds[0]?.title).toBe('R');
    expect(body.rounds[0]?.questions[0]).toMatchObject({ text: 'Why?\nBecause\t!', correctAnswers: ['so'] });
    expect(body.rounds[0]?.questions[1]).toMatchObject({ choices: ['a', 'b'], correctAnswers: ['b'] });
  });

  it('leaves out blank questions, and rounds that have no other', () => {
    const blank = newQuestion('text', WORDS);
    const real = { ...blank, key: 'real', text: 'x', answers: ['y'] };
    const body = bodyOf({ title: 'T', rounds: [newRound([blank]), newRound([real, blank])] });
    expect(body.rounds).toHaveLength(1);
    expect(body.rounds[0]?.questions).toHaveLength(1);
  });

  it('names a new pair in the words of the page', () => {
    const question = { ...newQuestion('true_false', WORDS), text: 'x' };
    const [yes, no] = question.truth;
    const marked = { ...question, truth: [{ ...newChoice('Wahr'), ...yes, right: true }, { ...newChoice('Falsch'), ...no }] };
    expect(choicesOf(marked).map(({ text }) => text)).toEqual(['Wahr', 'Falsch']);
    expect(acceptedOf(marked)).toEqual(['Wahr']);
  });

  it('reads points with groups, and takes the usual ones for none', () => {
    const points = (typed: string) =>
      bodyOf({ title: 'T', rounds: [newRound([{ ...newQuestion('text', WORDS), points: typed, text: 'x' }])] }).rounds[0]?.questions[0]
        ?.points;
    expect(['', '0', '1.000', '2,500', "1'000'000"].map(points)).toEqual([1, 0, 1000, 2500, 1_000_000]);
  });
});

describe('kinds that are partly right, or not marked', () => {
  const questions = [
    { text: 'Which?', type: 'multi_select', choices: ['a', 'b', 'c'], correctAnswers: ['a', 'c'], points: 3 },
    { text: 'Which do you like?', type: 'poll', choices: ['a', 'b'], correctAnswers: [] },
    { text: 'In a word?', type: 'word_cloud', correctAnswers: [] },
    { text: 'About how many?', type: 'nearest', correctAnswers: ['1969'], points: 5 },
  ];

  it('come back as they were', () => {
    const quiz: QuizBody = { title: 'T', rounds: [{ title: '', questions }] };
    expect(said(bodyOf(documentOf(quiz, WORDS)))).toEqual(quiz);
  });

  it.each([
    [['c', 'a', 'b'], ['a', 'b', 'c']],
    [['a', 'b', 'c'], ['c', 'b', 'a']],
  ])('the right order %j is never the one that is shown', (right, shown) => {
    const question = { ...newQuestion('order', WORDS), text: 'Order?', choices: right.map((text) => newChoice(text)) };
    const body = bodyOf({ title: 'T', rounds: [newRound([question])] }).rounds[0]?.questions[0];
    expect(body).toMatchObject({ type: 'order', choices: shown, correctAnswers: right });
    const again = documentOf({ title: 'T', rounds: [{ title: '', questions: body ? [body] : [] }] }, WORDS);
    expect(again.rounds[0]?.questions[0]?.choices.map(({ text }) => text)).toEqual(right);
  });
});
