import { describe, expect, it } from 'vitest';

import { type DraftQuestion, newChoice, newQuestion, newRound, type QuizDocument } from './document.ts';
import { mistakesOf, partOfGap, questionMistakes } from './mistakes.ts';

const WORDS = ['True', 'False'] as const;
const fine: DraftQuestion = { ...newQuestion('text', WORDS), text: 'Capital?', answers: ['Paris'] };
const choice: DraftQuestion = {
  ...newQuestion('multiple_choice', WORDS),
  text: 'Which?',
  choices: [newChoice('a', true), newChoice('b')],
};
const truth = (right: boolean, name = 'Yes'): DraftQuestion => ({
  ...newQuestion('true_false', WORDS),
  text: 'x',
  truth: [newChoice(name, right), newChoice('No')],
});
const number = (answer: string, tolerance = ''): DraftQuestion => ({
  ...newQuestion('numeric', WORDS),
  text: 'x',
  answers: [answer],
  tolerance,
});
const codes = (question: DraftQuestion): string[] => questionMistakes(question).map(({ code }) => code);

describe('a question', () => {
  it.each<[string, DraftQuestion, string[]]>([
    ['fine', fine, []],
    ['choices', choice, []],
    ['a pair', truth(true), []],
    ['a number', number('1 234,5', '0,5'), []],
    ['no text', { ...fine, text: ' ' }, ['text_missing']],
    ['the longest text', { ...fine, text: '😀'.repeat(2_000) }, []],
    ['a longer one', { ...fine, text: '😀'.repeat(2_001) }, ['text_long']],
    ['no answer', { ...fine, answers: ['', ' '] }, ['answer_missing']],
    ['a long answer', { ...fine, answers: ['x'.repeat(301)] }, ['answer_long']],
    ['many answers', { ...fine, answers: Array.from({ length: 51 }, String) }, ['answers_many']],
    ['no number', number('about ten'), ['answer_not_number']],
    ['a picture', { ...fine, media: { id: 'f1', kind: 'picture', alt: 'A tube' } }, []],
    ['a picture that is not described', { ...fine, media: { id: 'f1', kind: 'picture', alt: ' ' } }, ['alt_missing']],
    ['a sound that is not described', { ...fine, media: { id: 'f1', kind: 'sound' } }, []],
    ['a long description', { ...fine, media: { id: 'f1', kind: 'sound', alt: 'x'.repeat(301) } }, ['alt_long']],
    ['a negative tolerance', number('7', '-1'), ['tolerance_wrong']],
    ['a tolerance of another type', { ...fine, tolerance: 'x' }, []],
    ['one choice', { ...choice, choices: [newChoice('a', true), newChoice(' ')] }, ['choices_few']],
    ['the same twice', { ...choice, choices: [newChoice('a', true), newChoice('a ')] }, ['choices_same']],
    ['none right', { ...choice, choices: [newChoice('a'), newChoice('b')] }, ['choice_none_right']],
    ['a right one that is empty', { ...choice, choices: [newChoice('a'), newChoice('b'), newChoice('', true)] }, ['choice_none_right']],
    ['a long choice', { ...choice, choices: [newChoice('a', true), newChoice('b'.repeat(301))] }, ['choice_long']],
    ['a pair without a right one', truth(false), ['choice_none_right']],
    ['a pair without a name', truth(true, ''), ['truth_missing']],
    ['points', { ...fine, points: '1.5' }, ['points_wrong']],
    ['too many points', { ...fine, points: '1000001' }, ['points_wrong']],
    ['everything', { ...fine, text: '', answers: [], points: '-' }, ['text_missing', 'answer_missing', 'points_wrong']],
  ])('%s', (_name, question, expected) => {
    expect(codes(question)).toEqual(expected);
  });
});

describe('a document', () => {
  const all = (document: QuizDocument) => mistakesOf(document).map(({ code }) => code);

  it('needs a title and a question', () => {
    expect(all({ title: 'T', rounds: [newRound([fine])] })).toEqual([]);
    expect(all({ title: ' ', rounds: [newRound([newQuestion('text', WORDS)])] })).toEqual(['title_missing', 'nothing_written']);
    expect(all({ title: 'T', rounds: [] })).toEqual(['nothing_written']);
    expect(all({ title: 'T', tags: 'x'.repeat(41), rounds: [newRound([fine])] })).toEqual(['tags_wrong']);
    expect(all({ title: 'T', tags: Array.from({ length: 21 }, (_, at) => at).join(), rounds: [newRound([fine])] })).toEqual(['tags_wrong']);
    expect(all({ title: 'x'.repeat(201), rounds: [newRound([fine])] })).toEqual(['title_long']);
  });

  it('has no mistake for what is blank, but a named round needs a question', () => {
    const blank = newQuestion('text', WORDS);
    expect(all({ title: 'T', rounds: [newRound([fine, blank]), newRound([blank])] })).toEqual([]);
    expect(all({ title: 'T', rounds: [newRound([fine]), newRound([blank], 'Two')] })).toEqual(['round_empty']);
  });

  it('names the place, in the order of the sheet', () => {
    const wrong = { ...fine, key: 'q', text: '' };
    const rounds = [newRound([fine]), { ...newRound([wrong, { ...wrong, key: 'r' }]), key: 'two' }];
    expect(mistakesOf({ title: '', rounds }).map(({ round, question, field }) => [round, question, field])).toEqual([
      [null, null, 'title'],
      ['two', 'q', 'text'],
      ['two', 'r', 'text'],
    ]);
  });

  it('has 5 to 600 seconds for a question and for a round, or none', () => {
    const typed = (timeLimit: string) => all({ title: 'T', rounds: [newRound([{ ...fine, timeLimit }], '', timeLimit)] });
    for (const right of ['', ' ', '5', ' 600 ']) expect(typed(right), right).toEqual([]);
    for (const wrong of ['4', '601', '30 s', '7.5', '-5']) expect(typed(wrong), wrong).toEqual(['round_time', 'timeLimit_wrong']);
  });

  it('keeps the limits', () => {
    const round = (count: number) => newRound(Array.from({ length: count }, () => fine));
    expect(all({ title: 'T', rounds: [round(101)] })).toEqual(['round_full']);
    expect(all({ title: 'T', rounds: Array.from({ length: 51 }, () => round(1)) })).toEqual(['rounds_many']);
    expect(all({ title: 'T', rounds: Array.from({ length: 6 }, () => round(84)) })).toEqual(['questions_many']);
  });
});

describe('what a question lacks', () => {
  it.each<[string, DraftQuestion, string | null]>([
    ['nothing', fine, null],
    ['its text', { ...fine, text: '' }, 'text'],
    ['its answer', { ...fine, answers: [''] }, 'answer-0'],
    ['a number', number('ten'), 'answer-0'],
    ['its first choice', { ...newQuestion('multiple_choice', WORDS), text: 'Which?' }, 'choice-0'],
    ['its second choice', { ...choice, choices: [newChoice('a'), newChoice()] }, 'choice-1'],
    ['the right choice', { ...choice, choices: [newChoice('a'), newChoice('b'), newChoice()] }, 'right-0'],
    ['the truth', truth(false), 'right-0'],
    ['nothing, as a word cloud', { ...newQuestion('word_cloud', WORDS), text: 'A word?' }, null],
    ['no key, whatever its points are', { ...fine, points: 'many' }, null],
  ])('%s', (_, question, part) => {
    expect(partOfGap(question)).toBe(part);
  });
});
