// @vitest-environment jsdom
// The import reads an export back, as far as the format can represent it.

import { describe, expect, it } from 'vitest';

import type { QuestionBody, QuizBody, QuizUpload } from '$sdk';
import { acceptedNumbers } from '$sdk/number.ts';

import { randomFrom, times, WAIT } from '../../../sdk/test/fake.ts';
import { type Written, writeQuiz } from './export.ts';
import { readFormat } from './formats.ts';
import { workbook } from './xlsx.ts';
import { Zip } from './zip.ts';

const QUIZ: QuizBody = {
  title: 'All kinds',
  rounds: [
    {
      title: 'One / two: three',
      questions: [
        { text: 'Braces {a} ~ = # : \\ and\ntwo lines', type: 'text', correctAnswers: ['a*b', '%50% of', '\\n'], points: 3 },
        { text: '// no comment', type: 'multiple_choice', choices: ['=SUM(1)', '50% {x}', '%5'], correctAnswers: ['50% {x}', '%5'] },
      ],
    },
    {
      title: '',
      questions: [
        { text: '[html] <b>stays</b>', type: 'true_false', choices: ['True', 'False'], correctAnswers: ['False'] },
        { text: 'Wahr?', type: 'true_false', choices: ['Wahr', 'Falsch'], correctAnswers: ['Wahr'] },
        { text: 'How many?', type: 'numeric', correctAnswers: ['1.665'], tolerance: 0.5 },
        { text: 'How many more?', type: 'numeric', correctAnswers: ['-5', '7'], tolerance: 0 },
      ],
    },
  ],
};

const bytesOf = ({ content }: Written) => (typeof content === 'string' ? new TextEncoder().encode(content) : content);
const back = (quiz: QuizUpload, kind: Parameters<typeof writeQuiz>[1]) => readFormat(bytesOf(writeQuiz(quiz, kind)), quiz.title);

/** What GIFT can hold of a question: no points, other words for true and false as choices, numbers by their values. */
function asGift({ points: _, ...question }: QuestionBody): QuestionBody {
  if (question.type === 'numeric') {
    const numbers = acceptedNumbers(question.correctAnswers, question.tolerance ?? 0);
    return { ...question, correctAnswers: numbers.map(String), tolerance: question.tolerance ?? 0 };
  }
  const isChoice = question.type === 'true_false' && question.choices?.join() !== 'True,False';
  return { ...question, type: isChoice ? 'multiple_choice' : question.type };
}

/** Numbers as values, so that spellings do not matter. */
function plainly(quiz: QuizBody): QuizBody {
  const rounds = quiz.rounds.map(({ title, questions }) => ({ title, questions: questions.map(asGift) }));
  return { ...quiz, rounds };
}

/** Every type with every field that a file can hold. */
const EVERYTHING: QuizUpload = {
  title: 'Everything',
  tags: ['Öl | Wasser', '=1'],
  rounds: [
    {
      title: 'One; two, "three"',
      timeLimit: 300,
      questions: [
        { text: 'Text\nof "two" lines; and, signs', type: 'text', correctAnswers: ['a|b', '\\|', "'=1"], points: 3, timeLimit: 30, tags: ['A|b', '-x', 'c\\d'] },
        { text: '=HYPERLINK("x")', type: 'multiple_choice', choices: ['@a', '+b', '-c'], correctAnswers: ['+b'], points: 0, tags: ['C'] },
        { text: 'True?', type: 'true_false', choices: ['Wahr', 'Falsch'], correctAnswers: ['Wahr'], points: 1_000_000 },
        { text: 'Number?', type: 'numeric', correctAnswers: ['1,665', '-5'], points: 1, tolerance: 0.5 },
      ],
    },
    {
      title: '',
      questions: [
        { text: 'Several?', type: 'multi_select', choices: ['a', 'b', 'c'], correctAnswers: ['a', 'c'], points: 2 },
        { text: 'Order?', type: 'order', choices: ['c', 'a', 'b'], correctAnswers: ['a', 'b', 'c'], points: 2 },
        { text: 'Poll?', type: 'poll', choices: ['a', 'b'], correctAnswers: [] },
        { text: 'Cloud?', type: 'word_cloud', correctAnswers: [] },
        { text: 'Nearest?', type: 'nearest', correctAnswers: ['1000'], points: 5 },
      ],
    },
  ],
};

describe('round trips of every type and field', () => {
  it('JSON gives the same quiz', () => {
    expect(back(EVERYTHING, 'json')).toMatchObject({ quiz: EVERYTHING, skipped: [], format: { name: 'JSON' } });
    expect(back(EVERYTHING, 'json').quiz).toEqual(EVERYTHING);
  });

  it.each(['csv', 'xlsx'] as const)('%s gives the same questions, without what belongs to the quiz and the rounds', (kind) => {
    const file = back(EVERYTHING, kind);
    expect(file.skipped).toEqual([]);
    const rounds = EVERYTHING.rounds.map(({ title, questions }) => ({ title, questions }));
    expect(file.quiz).toEqual({ title: EVERYTHING.title, rounds });
  });

  it('a file has no id of a question', () => {
    const id = '0190f2a4-0000-7000-8000-000000000001';
    const quiz = { title: 'T', rounds: [{ title: '', questions: [{ id, text: 'Q?', type: 'text', correctAnswers: ['a'] }] }] };
    for (const kind of ['json', 'csv', 'gift', 'aiken'] as const) {
      expect(new TextDecoder().decode(bytesOf(writeQuiz(quiz, kind)))).not.toContain(id);
      expect(back(quiz, kind).quiz?.rounds[0]?.questions[0]?.id).toBeUndefined();
    }
  });

  it('GIFT and Aiken say how many questions they cannot hold', () => {
    expect([writeQuiz(EVERYTHING, 'gift').leftOut, writeQuiz(EVERYTHING, 'aiken').leftOut]).toEqual([3, 7]);
    const kinds = back(EVERYTHING, 'gift').quiz?.rounds.flatMap(({ questions }) => questions.map(({ type }) => type));
    expect(kinds).toEqual(['text', 'multiple_choice', 'multiple_choice', 'numeric', 'multiple_choice', 'numeric']);
  });
});

describe('round trips', () => {
  it('a spreadsheet loses nothing, and has no formula', () => {
    expect(back(QUIZ, 'xlsx')).toMatchObject({ quiz: QUIZ, skipped: [], format: { name: 'Excel' } });
    const zip = new Zip(bytesOf(writeQuiz(QUIZ, 'xlsx')));
    const sheet = new TextDecoder().decode(zip.read('xl/worksheets/sheet1.xml'));
    expect(sheet).toContain('=SUM(1)');
    expect(sheet).not.toContain('<f');
  });

  it('GIFT loses points alone', () => {
    const file = back(QUIZ, 'gift');
    expect(file).toMatchObject({ skipped: [], format: { name: 'GIFT' } });
    expect(file.quiz && plainly(file.quiz)).toEqual(plainly(QUIZ));
  });

  it('Aiken holds choices with one right one, and says how many others there are', () => {
    const written = writeQuiz(QUIZ, 'aiken');
    expect(written.leftOut).toBe(4);
    const [first, second] = QUIZ.rounds[1]?.questions ?? [];
    const file = readFormat(bytesOf(written), QUIZ.title);
    expect(file.skipped).toEqual([]);
    expect(file.quiz?.rounds[0]?.questions).toEqual([
      { ...first, type: 'multiple_choice' },
      { ...second, type: 'multiple_choice' },
    ]);
  });

  it('any quiz, as a spreadsheet and as GIFT', () => {
    for (let seed = 1; seed <= times(40); seed += 1) {
      const quiz = anyQuiz(seed);
      expect(back(quiz, 'xlsx'), `xlsx of seed ${String(seed)}`).toMatchObject({ quiz, skipped: [] });
      const gift = back(quiz, 'gift');
      expect(gift.skipped, `GIFT of seed ${String(seed)}`).toEqual([]);
      expect(gift.quiz && plainly(gift.quiz), `GIFT of seed ${String(seed)}`).toEqual(plainly(quiz));
    }
  }, WAIT);
});

/** A quiz by chance, from characters that mean something to one of the formats. */
function anyQuiz(seed: number): QuizBody {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const signs = ['a', 'É', '|', '\\', '"', "'", '=', '~', '#', '{', '}', ':', '%', '5', '*', '/', '<', '&', ' ', '😀', '_x0041_', '[html]'];
  const line = () => Array.from({ length: 1 + random() * 8 }, () => pick(signs)).join('').trim() || 'x';
  const lines = (least: number, most: number) => {
    const count = least + Math.floor(random() * (most - least + 1));
    return [...new Set(Array.from({ length: 40 }, line))].slice(0, count);
  };
  const question = (): QuestionBody => {
    const type = pick(['text', 'multiple_choice', 'true_false', 'numeric'] as const);
    const text = pick([line(), `${line()}\n${line()}`]);
    if (type === 'text') return { text, type, correctAnswers: lines(1, 4) };
    if (type === 'numeric') return { text, type, correctAnswers: [pick(['-5', '1.5', '0', '12345.678'])], tolerance: pick([0, 0.25, 3]) };
    const choices = type === 'true_false' ? lines(2, 2) : lines(2, 6);
    return { text, type, choices, correctAnswers: [pick(choices)] };
  };
  const rounds = Array.from({ length: 1 + random() * 4 }, (_, at) => {
    return { title: `${String(at)} ${line()}`, questions: Array.from({ length: 1 + random() * 4 }, question) };
  });
  return { title: line(), rounds };
}

it('a workbook has sheets of any name, numbers as numbers and signs that XML lacks', () => {
  const book = workbook([
    { name: "a/b:c[d]'*?" + 'x'.repeat(40), rows: [['n', 't'], [2.5, 'bell\u0007 & <b>\r\n_x0041_']] },
    { name: 'Two', rows: [] },
  ]);
  const zip = new Zip(book);
  const names = new TextDecoder().decode(zip.read('xl/workbook.xml'));
  expect(/name="([^"]*)"/.exec(names)?.[1]).toMatch(/^a b c d {4}x+$/);
  const sheet = new TextDecoder().decode(zip.read('xl/worksheets/sheet1.xml'));
  expect(sheet).toContain('<c><v>2.5</v></c>');
  expect(sheet).toContain('bell_x0007_ &amp; &lt;b&gt;_x000D_\n_x005F_x0041_');
});
