// @vitest-environment jsdom
// Trivia services in each way in which they write texts.

import { expect, it } from 'vitest';

import { questionsOf, readSample, readText, reportOf } from './reading.ts';

it.each([
  [
    'legacy-url.opentdb.json',
    'Open Trivia DB',
    [
      '# ',
      'multiple_choice: Who wrote "Dracula"?  Bram Stoker | H. P. Lovecraft | M. R. James | Mary Shelley  = Bram Stoker',
      'multiple_choice: Which is 7 + 1?  6 | 7 | 8 | 9  = 8',
    ],
    ['- in left_out categories 2', '- in left_out difficulty 2'],
  ],
  [
    'entities.opentdb.json',
    'Open Trivia DB',
    ['# General', 'multiple_choice: Who wrote "Faust" & “Egmont”? 5 < 6 <b>bold</b>  Göthe | Heine | Kleist | Schiller  = Göthe'],
    ['- in left_out difficulty 1'],
  ],
  ['trivia-api.json', 'The Trivia API', ['# Geography', 'multiple_choice: Capital of Peru?  Bogota | Lima | Quito | Sucre  = Lima'], ['- in left_out difficulty 1']],
])('%s', (name, format, questions, report) => {
  const file = readSample(name);
  expect(file.format?.name).toBe(format);
  expect(questionsOf(file)).toEqual(['From a file', ...questions]);
  expect(reportOf(file)).toEqual(report);
});

const entry = (encode: (text: string) => string, type = true) => ({
  ...(type && { type: encode('multiple') }),
  category: encode('Food & Drink'),
  question: encode('Which café has 100% of 1+1 cakes?'),
  correct_answer: encode('Ours'),
  incorrect_answers: [encode('Theirs'), encode('None at all')],
});
const base64 = (text: string) => Buffer.from(text).toString('base64');
const legacy = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');

it.each<[what: string, encode: (text: string) => string]>([
  ['nothing', (text) => text],
  ['entities', (text) => text.replaceAll('&', '&amp;').replaceAll('é', '&eacute;')],
  ['RFC 3986', encodeURIComponent],
  ['the legacy way', legacy],
  ['Base64', base64],
])('texts encoded by %s, with a type and without', (_, encode) => {
  for (const type of [true, false]) {
    const file = readText(JSON.stringify({ response_code: 0, results: [entry(encode, type)] }));
    expect(questionsOf(file).slice(1)).toEqual(['# Food & Drink', 'multiple_choice: Which café has 100% of 1+1 cakes?  None at all | Ours | Theirs  = Ours']);
    expect(file.skipped).toEqual([]);
  }
});

it('statements without a type, and pictures', () => {
  const file = readText(
    JSON.stringify([
      { question: { text: 'It is green.' }, correctAnswer: 'False', incorrectAnswers: ['True'], tags: ['grass', 'colour'] },
      { question: 'An old one?', correctAnswer: 'yes', incorrectAnswers: ['no'], type: 'Multiple Choice' },
      { question: { text: 'Which one?' }, correctAnswer: [{ url: 'a.png' }], incorrectAnswers: [], type: 'image_choice' },
    ]),
  );
  expect(questionsOf(file).slice(2)).toEqual(['true_false: It is green.  True | False  = False  [grass,colour]', 'multiple_choice: An old one?  no | yes  = yes']);
  expect(reportOf(file)).toEqual(['3 out unsupported_kind picture “Which one?”']);
});
