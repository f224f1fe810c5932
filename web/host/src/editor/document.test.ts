import { describe, expect, it } from 'vitest';

import {
  addQuestions,
  changeQuestion,
  duplicateQuestion,
  duplicateRound,
  insertQuestion,
  insertRounds,
  isBlank,
  isScoringIdle,
  moveQuestion,
  moveRound,
  newChoice,
  newKey,
  newQuestion,
  newRound,
  placeOf,
  type QuizDocument,
  quizPoints,
  questionOf,
  removeQuestion,
  removeRound,
  retype,
  roundPoints,
  setQuizPoints,
  setRoundPoints,
  setRoundTitle,
  stepQuestion,
  stepRound,
} from './document.ts';

const WORDS = ['True', 'False'] as const;
const asked = (text: string) => ({ ...newQuestion('text', WORDS), key: text, text });
const round = (key: string, ...questions: string[]) => ({ ...newRound(questions.map(asked)), key });

/** Two rounds, `a b c` and `d e`. */
const sheet = (): QuizDocument => ({ title: 'Quiz', rounds: [round('1', 'a', 'b', 'c'), round('2', 'd', 'e')] });

/** The order of the sheet, as in `abc|de`. */
const order = (document: QuizDocument): string =>
  document.rounds.map(({ questions }) => questions.map(({ text }) => text).join('')).join('|');

describe('moving a question', () => {
  it.each([
    ['a', -1, 'abc|de'],
    ['b', -1, 'bac|de'],
    ['a', 1, 'bac|de'],
    ['b', 1, 'acb|de'],
    ['c', 1, 'ab|cde'],
    ['d', -1, 'abcd|e'],
    ['e', 1, 'abc|de'],
  ] as const)('%s by %i gives %s', (key, by, after) => {
    expect(order(stepQuestion(sheet(), key, by))).toBe(after);
  });

  it('goes into an empty round and out of it', () => {
    const document = insertRounds(sheet(), 1, [round('empty')]);
    const inside = stepQuestion(document, 'c', 1);
    expect(order(inside)).toBe('ab|c|de');
    expect(order(stepQuestion(inside, 'c', 1))).toBe('ab||cde');
  });

  it.each([
    ['a', '1', 0, 'abc|de'],
    ['a', '1', 1, 'abc|de'],
    ['a', '1', 3, 'bca|de'],
    ['c', '1', 0, 'cab|de'],
    ['b', '2', 1, 'ac|dbe'],
    ['e', '1', 3, 'abce|d'],
  ])('%s before place %s/%i gives %s', (key, to, at, after) => {
    expect(order(moveQuestion(sheet(), key, to, at))).toBe(after);
  });

  it('to where it stands changes nothing at all', () => {
    const document = sheet();
    expect(moveQuestion(document, 'b', '1', 1)).toBe(document);
    expect(moveQuestion(document, 'b', '1', 2)).toBe(document);
    expect(moveQuestion(document, 'unknown', '1', 0)).toBe(document);
  });

  it('never loses or doubles one, whatever is done', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    let document = sheet();
    for (let step = 0; step < 500; step += 1) {
      const key = 'abcde'.charAt(random(5));
      const target = String(1 + random(2));
      document = random(2)
        ? moveQuestion(document, key, target, random((document.rounds[Number(target) - 1]?.questions.length ?? 0) + 1))
        : stepQuestion(document, key, random(2) ? 1 : -1);
      expect([...order(document).replace('|', '')].sort().join('')).toBe('abcde');
    }
  });
});

describe('rounds', () => {
  it('move', () => {
    const three = insertRounds(sheet(), 2, [round('3', 'f')]);
    expect(order(stepRound(three, '2', -1))).toBe('de|abc|f');
    expect(order(stepRound(three, '2', 1))).toBe('abc|f|de');
    expect(stepRound(three, '1', -1)).toBe(three);
    expect(stepRound(three, '3', 1)).toBe(three);
    expect(order(moveRound(three, '1', 3))).toBe('de|f|abc');
    expect(order(moveRound(three, '3', 0))).toBe('f|abc|de');
    expect(moveRound(three, '2', 1)).toBe(three);
  });

  it('are duplicated with keys of their own', () => {
    const { document, key } = duplicateRound(setRoundTitle(sheet(), '1', 'First'), '1');
    expect(order(document)).toBe('abc|abc|de');
    expect(document.rounds[1]).toMatchObject({ key, title: 'First' });
    const keys = document.rounds.flatMap(({ questions }) => questions.map((question) => question.key));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('go', () => {
    expect(order(removeRound(sheet(), '1'))).toBe('de');
  });
});

describe('a question', () => {
  it('is found, changed, put in and taken out, and the rest stays the same object', () => {
    const document = sheet();
    const changed = changeQuestion(document, 'e', { text: 'E' });
    expect(order(changed)).toBe('abc|dE');
    expect(changed.rounds[0]).toBe(document.rounds[0]);
    expect(placeOf(document, 'e')).toEqual({ round: 1, question: 1 });
    expect(order(insertQuestion(document, '2', 1, asked('x')))).toBe('abc|dxe');
    expect(order(removeQuestion(document, 'd'))).toBe('abc|e');
    expect(questionOf(document, 'unknown')).toBeNull();
  });

  it('is duplicated behind itself', () => {
    const { document, key } = duplicateQuestion(sheet(), 'b');
    expect(order(document)).toBe('abbc|de');
    expect(key).not.toBe('b');
    expect(placeOf(document, key)).toEqual({ round: 0, question: 2 });
  });

  it('is blank until something is written', () => {
    const question = newQuestion('multiple_choice', WORDS);
    expect(isBlank(question)).toBe(true);
    expect(isBlank({ ...question, choices: [newChoice(' ', true), newChoice('x')] })).toBe(false);
  });

  it('takes its answers along into another type, and loses none', () => {
    const text = { ...asked('Capital?'), answers: ['Paris', ''] };
    const choice = { ...text, ...retype(text, 'multiple_choice') };
    expect(choice.choices.map(({ text: name, right }) => [name, right])).toEqual([
      ['Paris', true],
      ['', false],
      ['', false],
      ['', false],
    ]);
    expect(choice.answers).toEqual(['Paris', '']);
    const written = { ...newQuestion('multiple_choice', WORDS), choices: [newChoice('Rome'), newChoice('Oslo', true)] };
    expect(retype(written, 'text')).toEqual({ type: 'text', answers: ['Oslo'] });
    expect(retype(written, 'true_false')).toEqual({ type: 'true_false' });
  });
});

describe('what a question is worth', () => {
  const worth = (key: string, ...points: string[]) => {
    return { ...newRound(points.map((each) => ({ ...asked('x'), key: newKey(), points: each }))), key };
  };
  const points = (document: QuizDocument) => document.rounds.map((each) => each.questions.map((one) => one.points));
  const quiz: QuizDocument = { title: '', rounds: [worth('1', '1', '5', '1'), worth('2', '2', '2'), worth('3', '1', '')] };

  it('is one point in a new quiz', () => {
    expect(newQuestion('text', WORDS).points).toBe('1');
    expect(quizPoints({ title: '', rounds: [] })).toBe(1);
  });

  it('is usually what most are worth: of the round, then of the quiz', () => {
    expect(quiz.rounds.map((each) => roundPoints(quiz, each))).toEqual([1, 2, 1]);
    expect(quizPoints(quiz)).toBe(1);
    expect(roundPoints(quiz, newRound([]))).toBe(1);
    const tied = worth('t', '3', '2');
    expect(roundPoints({ title: '', rounds: [tied] }, tied)).toBe(3);
  });

  it('is not what a poll is worth, which earns nothing', () => {
    const poll = { ...newQuestion('poll', WORDS), points: '0' };
    const voted = { ...newRound([poll, poll, { ...asked('x'), points: '3' }]), key: 'v' };
    expect(roundPoints({ title: '', rounds: [voted] }, voted)).toBe(3);
    expect(quizPoints({ title: '', rounds: [newRound([poll])] })).toBe(1);
    expect(quizPoints({ title: '', rounds: [newRound([{ ...poll, type: 'word_cloud' }]), voted] })).toBe(3);
    expect(retype(poll, 'text')).toEqual({ type: 'text', points: '' });
    expect(retype({ ...asked('x'), points: '0' }, 'numeric')).toEqual({ type: 'numeric' });
  });

  it('says when it leaves nothing of streaks and half points, which are rounded down', () => {
    const idle = (scoring: Partial<Parameters<typeof newRound>[3] & object>, ...given: string[]) => {
      const round = { ...worth('r', ...given), ...scoring };
      const document = { title: '', rounds: [round] };
      return [isScoringIdle(document, round), isScoringIdle(setRoundPoints(document, 'r', 2), setRoundPoints(document, 'r', 2).rounds[0] ?? round)];
    };
    expect(idle({ halfPoints: true }, '1', '')).toEqual([true, false]);
    expect(idle({ streaks: true }, '1', '0')).toEqual([true, false]);
    expect(idle({}, '1')).toEqual([false, false]);
    expect(idle({ halfPoints: true }, '1', '2')[0]).toBe(false);
    expect(idle({ streaks: true }, '0')[0]).toBe(false);
    expect(idle({ speedPoints: true, joker: true }, '1')[0]).toBe(false);
  });

  it('changes for a round, or for all that go by the quiz, and leaves alone what is worth something else', () => {
    expect(points(setRoundPoints(quiz, '1', 10))).toEqual([['10', '5', '10'], ['2', '2'], ['1', '']]);
    expect(points(setQuizPoints(quiz, 10))).toEqual([['10', '5', '10'], ['2', '2'], ['10', '10']]);
  });
});

describe('questions of other quizzes', () => {
  it('come behind those of the round that is open, or of the last one, in the place of blank ones', () => {
    const taken = [{ ...newQuestion('text', ['T', 'F']), key: 'new', text: 'New' }];
    const keys = (document: QuizDocument) => document.rounds.map(({ questions }) => questions.map(({ key }) => key).join(''));
    expect(keys(addQuestions(sheet(), 'b', taken))).toEqual(['abcnew', 'de']);
    expect(keys(addQuestions(sheet(), null, taken))).toEqual(['abc', 'denew']);
    expect(keys(addQuestions({ title: '', rounds: [] }, null, taken))).toEqual(['new']);
    expect(keys(addQuestions({ title: '', rounds: [newRound([newQuestion('text', ['T', 'F'])])] }, null, taken))).toEqual(['new']);
  });

  it('get another key where theirs is taken', () => {
    const again = addQuestions(sheet(), null, [{ ...newQuestion('text', ['T', 'F']), key: 'a', text: 'A copy' }]);
    const all = again.rounds.flatMap(({ questions }) => questions.map(({ key }) => key));
    expect(new Set(all).size).toBe(6);
  });
});
