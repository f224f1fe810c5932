import type { QuestionBody } from '$sdk';
import { expect, it, vi } from 'vitest';

import type { ReadFile } from '../formats/formats.ts';
import { withOwnMedia } from './ownmedia.ts';

const question = (text: string, id?: string): QuestionBody => {
  return { text, type: 'text', correctAnswers: ['x'], ...(id !== undefined && { media: { id, kind: 'sound' } }) };
};
const file = (...questions: QuestionBody[]): ReadFile => {
  return { format: null, skipped: [], quiz: { title: 'T', rounds: [{ title: '', questions }] } };
};
const files = (...ids: string[]) => ({
  media: vi.fn(() =>
    Promise.resolve({
      bytes: 0,
      limit: 0,
      media: ids.map((id) => ({ id, type: 'audio/ogg', bytes: 1, createdAt: '', quizzes: 0, games: 0 })),
    }),
  ),
});

it('leaves out what the account does not have, and reports it', async () => {
  const read = await withOwnMedia(file(question('One?', 'mine'), question('Two?', 'theirs')), files('mine'));
  expect(read.quiz?.rounds[0]?.questions).toEqual([question('One?', 'mine'), question('Two?')]);
  expect(read.skipped).toMatchObject([{ round: 1, question: 2, reason: 'bad_media', dropped: false, excerpt: 'Two?', about: question('Two?') }]);
});

it('asks only when a question has one, and takes the file as it is when there is no answer', async () => {
  const api = files();
  const plain = file(question('One?'));
  expect(await withOwnMedia(plain, api)).toBe(plain);
  expect(api.media).not.toHaveBeenCalled();
  const named = file(question('One?', 'mine'));
  expect(await withOwnMedia(named, { media: () => Promise.reject(new Error('offline')) })).toBe(named);
});
