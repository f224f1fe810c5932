// The pictures and sounds of an import on their way to the server: each once, all or nothing.

import { expect, it, vi } from 'vitest';

import { ApiError, type Media, type QuestionBody, type QuizBody } from '$sdk';

import { NotSent, type Sending, withSentMedia } from './sendmedia.ts';

const question = (text: string, id?: string): QuestionBody => {
  return { text, type: 'text', correctAnswers: ['x'], ...(id !== undefined && { media: { id, kind: 'picture', alt: 'A' } }) };
};
const quizOf = (...questions: QuestionBody[]): QuizBody => ({ title: 'T', rounds: [{ title: '', questions }] });
const files = new Map(['a', 'b', 'unused'].map((id) => [id, new Blob([id])]));
const stored = (id: string): Media => ({ id, type: 'image/webp', bytes: 1 }) as Media;
const sending = (send: Sending['send'], more: Partial<Sending> = {}): Sending => {
  return { send, onsent: () => undefined, goesOn: () => true, wait: () => Promise.resolve(), ...more };
};

it('sends each file once, and only those of the questions that are taken', async () => {
  const sent: string[] = [];
  const heard: string[] = [];
  const quiz = quizOf(question('One?', 'a'), question('Two?', 'b'), question('Three?', 'a'), question('Four?', 'own'), question('Five?'));
  const send = async (file: Blob) => {
    sent.push(await file.text());
    return stored(`stored-${sent.at(-1) ?? ''}`);
  };
  const whole = await withSentMedia(quiz, files, sending(send, { onsent: (done, all) => heard.push(`${String(done)}/${String(all)}`) }));
  expect(sent).toEqual(['a', 'b']);
  expect(heard).toEqual(['0/2', '1/2']);
  expect(whole?.rounds[0]?.questions.map(({ media }) => media?.id)).toEqual(['stored-a', 'stored-b', 'stored-a', 'own', undefined]);
  expect(quiz.rounds[0]?.questions[0]?.media?.id).toBe('a');
});

it('gives no quiz when one is not stored, and names its question', async () => {
  const full = new ApiError(507, { title: 'Full' });
  const send = vi.fn().mockResolvedValueOnce(stored('s')).mockRejectedValueOnce(full);
  const failed = withSentMedia(quizOf(question('One?', 'a'), question('Two?', 'b')), files, sending(send)).catch((error: unknown) => error);
  expect(await failed).toBeInstanceOf(NotSent);
  expect(await failed).toMatchObject({ cause: full, question: { text: 'Two?' } });
});

it('waits as long as the server says, but not for ever', async () => {
  const wait = vi.fn(() => Promise.resolve());
  const busy = (seconds: number) => new ApiError(429, {}, seconds);
  const once = vi.fn().mockRejectedValueOnce(busy(7)).mockResolvedValue(stored('s'));
  expect(await withSentMedia(quizOf(question('One?', 'a')), files, sending(once, { wait }))).toMatchObject(quizOf(question('One?', 's')));
  expect(wait.mock.calls).toEqual([[7]]);
  const always = vi.fn().mockRejectedValue(busy(250));
  await expect(withSentMedia(quizOf(question('One?', 'a')), files, sending(always, { wait }))).rejects.toBeInstanceOf(NotSent);
  expect(always).toHaveBeenCalledTimes(3);
});

it('gives no quiz when the dialogue was closed meanwhile', async () => {
  const send = vi.fn().mockResolvedValue(stored('s'));
  let isOpen = true;
  const goesOn = () => isOpen;
  const quiz = quizOf(question('One?', 'a'), question('Two?', 'b'));
  const onsent = (done: number) => {
    isOpen = done === 0;
  };
  expect(await withSentMedia(quiz, files, sending(send, { goesOn, onsent }))).toBeNull();
  expect(send).toHaveBeenCalledOnce();
});
