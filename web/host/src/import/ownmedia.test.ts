import type { QuestionBody } from '$sdk';
import { expect, it, vi } from 'vitest';

import type { ReadFile } from '../formats/formats.ts';
import { withOwnMedia, withSoundPictures } from './ownmedia.ts';

const question = (text: string, id?: string): QuestionBody => {
  return { text, type: 'text', correctAnswers: ['x'], ...(id !== undefined && { media: { id, kind: 'sound' } }) };
};
const file = (...questions: QuestionBody[]): ReadFile => {
  return { format: null, unit: 'line', encoding: '', readings: [], skipped: [], quiz: { title: 'T', rounds: [{ title: '', questions }] } };
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

it('asks nothing about what the file brings along', async () => {
  const api = files();
  const brought = { ...file(question('One?', 'here')), files: new Map([['here', new Blob([])]]) };
  expect(await withOwnMedia(brought, api)).toBe(brought);
  expect(api.media).not.toHaveBeenCalled();
});

it('leaves out pictures that cannot be drawn, and what was said of the question stays with it', async () => {
  const [good, bad] = [new Blob(['good'], { type: 'image/png' }), new Blob(['bad'], { type: 'image/png' })];
  const [one, two] = [question('One?', 'good'), question('Two?', 'bad')];
  const about = (body: QuestionBody, reason: 'no_alt' | 'partial_answer') => {
    return { at: 2, round: 1, question: 2, excerpt: body.text, about: body, reason, params: {}, dropped: false };
  };
  const brought = { ...file(one, two), files: new Map([['good', good], ['bad', bad]]), skipped: [about(two, 'no_alt'), about(two, 'partial_answer')] };
  const read = await withSoundPictures(brought, (picture) => Promise.resolve(picture === good));
  const left = question('Two?');
  expect(read.quiz?.rounds[0]?.questions).toEqual([one, left]);
  expect(read.skipped).toMatchObject([
    { reason: 'partial_answer', about: left },
    { reason: 'left_out', params: { what: 'media', count: 1 }, about: left, dropped: false },
  ]);
  expect(read.quiz?.rounds[0]?.questions[1]).toBe(read.skipped[0]?.about);
});
