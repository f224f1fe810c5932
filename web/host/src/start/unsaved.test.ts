// Tests how changes that only this device has are named before a game is started.
import { expect, it } from 'vitest';

import type { HostApi, Quiz, QuizUpload } from '$sdk';

import { documentOf } from '../editor/body.ts';
import type { Draft } from '../editor/draft.ts';
import { saveDraft, unsavedOf } from './unsaved.ts';

const body = (answer: string): QuizUpload => {
  return { title: 'Seas', rounds: [{ title: '', questions: [{ id: 'q1', text: 'Which sea?', type: 'text', correctAnswers: answer === '' ? [] : [answer], points: 1 }] }] };
};
const stored = (answer: string, updatedAt: string): Quiz => ({ ...body(answer), id: '1', createdAt: updatedAt, updatedAt }) as unknown as Quiz;
const draft = (answer: string, base: string | null): Draft => {
  return { quizId: '1', host: 'ann', base, at: 1, document: documentOf(body(answer), ['True', 'False']) };
};

it('finished changes of the same version are saved first', () => {
  expect(unsavedOf(draft('Baltic', 'monday'), stored('North', 'monday'))).toEqual({ kind: 'saves' });
});

it('a quiz that the server does not have is saved first', () => {
  expect(unsavedOf(draft('Baltic', null), null)).toEqual({ kind: 'saves' });
});

it('what the server has already is nothing to speak of', () => {
  expect(unsavedOf(draft('North', 'sunday'), stored('North', 'monday'))).toBeNull();
});

it('unfinished changes name the first thing to finish', () => {
  const unsaved = unsavedOf(draft('', 'monday'), stored('North', 'monday'));
  expect(unsaved).toMatchObject({ kind: 'fault', mistake: { code: 'answer_missing', field: 'answers' } });
});

it('a quiz that was changed elsewhere since waits for a person', () => {
  expect(unsavedOf(draft('Baltic', 'monday'), stored('North', 'tuesday'))).toEqual({ kind: 'other' });
});

it('a draft is written over the quiz it came from, or as a new one', async () => {
  const written: (string | null)[] = [];
  const api = {
    quiz: () => Promise.resolve(stored('North', 'monday')),
    quizzes: () => Promise.resolve([]),
    createQuiz: (quiz: QuizUpload) => {
      written.push(null);
      return Promise.resolve({ ...stored('', 'now'), ...quiz, id: '2' });
    },
    replaceQuiz: (id: string, quiz: QuizUpload) => {
      written.push(id);
      return Promise.resolve({ ...stored('', 'now'), ...quiz, id });
    },
  } as unknown as HostApi;
  expect(await saveDraft(api, draft('Baltic', 'monday'), '1')).toBe('1');
  expect(await saveDraft(api, draft('Baltic', null), null)).toBe('2');
  expect(written).toEqual(['1', null]);
});
