import { expect, it } from 'vitest';

import { type DraftQuestion, newQuestion, newRound, type QuizDocument } from './document.ts';
import { placedWords } from './finishing.ts';
import { mistakesOf } from './mistakes.ts';

const WORDS = ['True', 'False'] as const;
const asked = { ...newQuestion('text', WORDS), text: 'Which bridge is this?', answers: ['Forth'] };
const pictured: DraftQuestion = { ...asked, key: 'p', media: { id: 'm', kind: 'picture', alt: '' } };
const quiz = (...rounds: DraftQuestion[][]): QuizDocument => ({ title: 'T', rounds: rounds.map((questions) => newRound(questions)) });

const said = (document: QuizDocument): string[] => mistakesOf(document).map((mistake) => placedWords(document, mistake));

it('a picture without a description is named by its question, and by its round where there are several', () => {
  expect(said(quiz([asked, pictured]))).toEqual(['Question 2 needs a picture description.']);
  expect(said(quiz([asked], [pictured]))).toEqual(['Question 1 of round 2 needs a picture description.']);
});

it('any other fault is said with its place', () => {
  const bare = { ...asked, key: 'b', answers: [''] };
  expect(said(quiz([bare]))).toEqual(['Question 1: Add an accepted answer.']);
  expect(said(quiz([asked], [pictured, bare]))).toContain('Round 2, question 2: Add an accepted answer.');
  const timed = { ...quiz([asked]), rounds: [newRound([asked]), newRound([{ ...asked, key: 'x' }], '', 'soon')] };
  expect(said(timed)).toEqual([expect.stringMatching(/^Round 2: Time/)]);
  expect(said({ ...quiz([asked]), title: '' })).toEqual(['Give the quiz a title.']);
});
