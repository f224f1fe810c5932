import { describe, expect, it } from 'vitest';

import { harmless, readCsv, unharmed, writeCsv } from '../src/csv.ts';
import type { QuestionBody, QuizBody } from '../src/index.ts';
import { quizToCsv, quizToJson, readQuizFile } from '../src/quizfile.ts';
import { randomFrom } from './fake.ts';

const HEAD = 'round,type,question,choices,answers,points,tolerance';
const csv = (...lines: string[]) => readQuizFile([HEAD, ...lines].join('\r\n'), 'From a file');
const first = (file: ReturnType<typeof readQuizFile>) => file.quiz?.rounds[0]?.questions[0];
const codes = (file: ReturnType<typeof readQuizFile>) => {
  return file.skipped.map(({ at, round, question, reason, dropped }) => [at, round, question, reason, dropped]);
};

describe('CSV', () => {
  it('is read as people write it', () => {
    const file = csv(
      '1: Warm-up,text,What is the capital of France?,,Paris|paname,500,',
      ',choice,Which one?,Red|Green|Blue,green,,',
      'Music,numeric,How many?,,"1.000,5",,"0,5"',
      'Music,True/False,Is it?,,TRUE,,',
    );
    expect(file.skipped).toEqual([]);
    expect(file.quiz).toEqual({
      title: 'From a file',
      rounds: [
        {
          title: 'Warm-up',
          questions: [
            { text: 'What is the capital of France?', type: 'text', correctAnswers: ['Paris', 'paname'], points: 500 },
            { text: 'Which one?', type: 'multiple_choice', choices: ['Red', 'Green', 'Blue'], correctAnswers: ['Green'] },
          ],
        },
        {
          title: 'Music',
          questions: [
            { text: 'How many?', type: 'numeric', correctAnswers: ['1.000,5'], tolerance: 0.5 },
            { text: 'Is it?', type: 'true_false', choices: ['True', 'False'], correctAnswers: ['True'] },
          ],
        },
      ],
    });
  });

  it.each([
    ['semicolons and a mark of byte order', '\ufeffquestion;answers\nWhat, where?;Here'],
    ['tabs', 'question\tanswers\r\nWhat, where?\tHere\r\n'],
    ['quotes', '"question","answers"\n"What, where?","Here"'],
    ['a hint of its separator', 'sep=;\r\nquestion;answers\r\nWhat, where?;Here'],
    ['other names and order', 'Answer , TEXT\nHere,"What, where?"'],
    ['bare carriage returns', 'question;answers\rWhat, where?;Here\r'],
    ['blank lines', '\n\nquestion;answers\n;\n  ;\nWhat, where?;Here\n\n'],
  ])('with %s', (_, text) => {
    const file = readQuizFile(text, 'T');
    expect(file.skipped).toEqual([]);
    expect(first(file)).toEqual({ text: 'What, where?', type: 'text', correctAnswers: ['Here'] });
  });

  it('has cells of several lines, and says on which line a row begins', () => {
    const rows = readCsv('a,"b\r\nc ""d"""\r\n\r\ne,f\n"open');
    expect(rows).toEqual([
      { line: 1, cells: ['a', 'b\nc "d"'] },
      { line: 4, cells: ['e', 'f'] },
      { line: 5, cells: ['open'] },
    ]);
  });

  it('takes choices by letter, and takes types for granted where choices are', () => {
    expect(first(csv(',,Which?,A dog|A cat,b,,'))).toMatchObject({ type: 'multiple_choice', correctAnswers: ['A cat'] });
    expect(first(csv(',,Which?,b|a,b,,'))).toMatchObject({ correctAnswers: ['b'] });
  });

  it('takes a choice that is there twice once and says so, and letters stand for what is written', () => {
    const file = csv(',,Which?,Rome|Rome|Oslo|Bern,c,,', ',,Which?,Rome||Oslo,c,,', ',true_false,So?,,b,,');
    expect(file.skipped.map(({ question, reason, dropped, params }) => [question, reason, dropped, params])).toEqual([
      [1, 'same_choice', false, { choice: 'Rome' }],
    ]);
    const questions = file.quiz?.rounds[0]?.questions.map(({ choices, correctAnswers }) => [choices, correctAnswers]);
    expect(questions).toEqual([
      [['Rome', 'Oslo', 'Bern'], ['Oslo']],
      [['Rome', 'Oslo'], ['Oslo']],
      [['True', 'False'], ['False']],
    ]);
  });

  it.each<[string, string, boolean]>([
    [',text,,,x,,', 'no_text', true],
    [`,text,${'x'.repeat(2_001)},,x,,`, 'text_too_long', true],
    [',essay,Q?,,x,,', 'unknown_type', false],
    [',multiple_choice,Q?,one,one,,', 'no_choices', true],
    [`,multiple_choice,Q?,${Array.from({ length: 21 }, (_, at) => `c${String(at)}`).join('|')},c1,,`, 'bad_choices', true],
    [',true_false,Q?,a|b|c,a,,', 'bad_choices', true],
    [',text,Q?,a|b,a,,', 'bad_choices', false],
    [',text,Q?,, | ,,', 'no_answers', true],
    [`,text,Q?,,${'x'.repeat(301)},,`, 'bad_answers', true],
    [`,text,Q?,,${Array.from({ length: 51 }, (_, at) => `a${String(at)}`).join('|')},,`, 'bad_answers', false],
    [',multiple_choice,Q?,a|b,c,,', 'answer_not_a_choice', true],
    [',multiple_choice,Q?,one|two,one|three,,', 'answer_not_a_choice', false],
    [',numeric,Q?,,many,,', 'answer_not_a_number', true],
    [',numeric,Q?,,5|five,,', 'answer_not_a_number', false],
    [',text,Q?,,a,1.5,', 'bad_points', false],
    [',text,Q?,,a,-1,', 'bad_points', false],
    [',text,Q?,,a,lots,', 'bad_points', false],
    [',text,Q?,,a,,3', 'bad_tolerance', false],
    [',numeric,Q?,,3,,-1', 'bad_tolerance', false],
  ])('%s: %s', (line, reason, dropped) => {
    const file = csv(',text,Good?,,yes,,', line);
    expect(codes(file)).toEqual([[3, 1, 2, reason, dropped]]);
    expect(file.quiz?.rounds[0]?.questions).toHaveLength(dropped ? 1 : 2);
  });

  it('has time limits in a column of their own, where a question has one', () => {
    const file = readQuizFile('question,answers,time_limit\nA?,a,30\nB?,b,\nC?,c,4', 'T');
    expect(codes(file)).toEqual([[4, 1, 3, 'bad_timeLimit', false]]);
    const questions = file.quiz?.rounds[0]?.questions ?? [];
    expect(questions.map(({ timeLimit }) => timeLimit)).toEqual([30, undefined, undefined]);
    const written = quizToCsv({ title: 'T', rounds: [{ title: '', questions }] });
    expect(written.replace('\ufeff', '').split('\r\n').slice(0, 3)).toEqual([`${HEAD},time_limit`, '1,text,A?,,a,,,30', '1,text,B?,,b,,,']);
    expect(quizToCsv({ title: 'T', rounds: [{ title: '', questions: questions.slice(1) }] })).not.toContain('time_limit');
  });

  it('keeps the time limit of a round in JSON, and leaves out one that is none', () => {
    const timed = (timeLimit: unknown) => {
      const questions = [{ text: 'A?', type: 'text', correctAnswers: ['a'] }];
      return readQuizFile(JSON.stringify({ title: 'T', rounds: [{ title: '', questions, timeLimit }] }), 'T');
    };
    const { quiz } = timed(90);
    expect(quiz?.rounds[0]?.timeLimit).toBe(90);
    expect(quiz && readQuizFile(quizToJson(quiz), '').quiz).toEqual(quiz);
    expect([timed(4).quiz?.rounds[0]?.timeLimit, codes(timed(4))]).toEqual([undefined, [[null, 1, null, 'bad_timeLimit', false]]]);
  });

  it('keeps in JSON what wrong answers of a round cost, within the limits', () => {
    const read = (wrongPoints: unknown) => {
      const questions = [{ text: 'A?', type: 'text', correctAnswers: ['a'] }];
      return readQuizFile(JSON.stringify({ title: 'T', rounds: [{ title: '', questions, wrongPoints }] }), 'T').quiz;
    };
    const quiz = read(-5);
    expect(quiz?.rounds[0]?.wrongPoints).toBe(-5);
    expect(quiz && readQuizFile(quizToJson(quiz), '').quiz).toEqual(quiz);
    for (const none of [0, 5, -1_000_001, -1.5, '-5', null]) expect(read(none)?.rounds[0]?.wrongPoints).toBeUndefined();
  });

  it.each(['streaks', 'speedPoints', 'joker', 'halfPoints'] as const)('keeps in JSON what is switched on in a round: %s', (name) => {
    const read = (counts: unknown) => {
      const questions = [{ text: 'A?', type: 'text', correctAnswers: ['a'] }];
      return readQuizFile(JSON.stringify({ title: 'T', rounds: [{ title: '', questions, [name]: counts }] }), 'T').quiz;
    };
    const quiz = read(true);
    expect(quiz?.rounds[0]?.[name]).toBe(true);
    expect(quiz && readQuizFile(quizToJson(quiz), '').quiz).toEqual(quiz);
    for (const other of [false, undefined, 'yes', 1]) expect(read(other)?.rounds[0]).not.toHaveProperty(name);
  });

  it('that is none is said to be none', () => {
    expect(codes(readQuizFile('Dear host, hello', 'T'))).toEqual([[null, null, null, 'not_a_quiz_file', true]]);
    expect(codes(readQuizFile('', 'T'))).toEqual([[null, null, null, 'not_a_quiz_file', true]]);
    expect(codes(readQuizFile('question,notes\na,b', 'T'))).toEqual([
      [1, null, null, 'missing_column', true],
      [1, null, null, 'unknown_column', true],
    ]);
    expect(codes(readQuizFile('question,answers', 'T'))).toEqual([[null, null, null, 'no_questions', true]]);
    expect(codes(readQuizFile('x'.repeat(3_000_000), 'T'))).toEqual([[null, null, null, 'too_large', true]]);
  });

  it('with an unknown column comes in without it', () => {
    const file = readQuizFile('question,answers,Fun fact\nQ?,a,wow', 'T');
    expect(file.skipped).toMatchObject([{ reason: 'unknown_column', params: { column: 'Fun fact' } }]);
    expect(first(file)).toEqual({ text: 'Q?', type: 'text', correctAnswers: ['a'] });
  });

  it('has too many questions or rounds', () => {
    const many = csv(...Array.from({ length: 103 }, (_, at) => `1,text,Q${String(at)},,a,,`));
    expect(many.quiz?.rounds[0]?.questions).toHaveLength(100);
    expect(many.skipped).toMatchObject([{ round: 1, reason: 'too_many_questions', params: { max: 100, count: 3 } }]);
    const rounds = csv(...Array.from({ length: 52 }, (_, at) => `${String(at + 1)},text,Q,,a,,`));
    expect(rounds.quiz?.rounds).toHaveLength(50);
    expect(rounds.skipped).toMatchObject([{ reason: 'too_many_rounds', params: { max: 50, count: 2 } }]);
    const all = csv(...Array.from({ length: 550 }, (_, at) => `${String(Math.floor(at / 90) + 1)},text,Q,,a,,`));
    expect(all.quiz?.rounds.flatMap((round) => round.questions)).toHaveLength(500);
  });
});

describe('JSON', () => {
  it('is read with its faults named', () => {
    const text = JSON.stringify({
      title: 'x'.repeat(201),
      rounds: [
        { title: 'R', questions: [{ text: 'Q?', type: 'text', correctAnswers: ['a'], points: 5, id: 'ignored' }, 5, { text: 'Q2' }] },
        { title: 'Empty', questions: [] },
        'nonsense',
      ],
    });
    const file = readQuizFile(`\ufeff ${text}`, 'T');
    expect(file.quiz).toEqual({
      title: 'x'.repeat(200),
      rounds: [{ title: 'R', questions: [{ text: 'Q?', type: 'text', correctAnswers: ['a'], points: 5 }] }],
    });
    expect(codes(file)).toEqual([
      [null, 1, 2, 'no_text', true],
      [null, 1, 3, 'no_answers', true],
      [null, 2, null, 'no_questions', true],
      [null, 3, null, 'no_questions', true],
      [null, null, null, 'title_too_long', false],
    ]);
  });

  it('that is cut off is damaged', () => {
    expect(readQuizFile('{"title":"x","rounds":[', 'T')).toMatchObject({ quiz: null, skipped: [{ reason: 'damaged' }] });
  });

  it.each(['[]', '[1]', '{"rounds":5}', '{"title":"x"}', 'null'])('that is no quiz: %s', (text) => {
    expect(readQuizFile(text, 'T')).toMatchObject({ quiz: null, skipped: [{ reason: 'not_a_quiz_file' }] });
  });

  it('takes the name of the file where there is no title', () => {
    const questions = [{ text: 'Q?', correctAnswers: [7, true] }];
    const file = readQuizFile(JSON.stringify({ rounds: [{ questions }] }), 'My file');
    expect(file.quiz).toEqual({
      title: 'My file',
      rounds: [{ title: '', questions: [{ text: 'Q?', type: 'text', correctAnswers: ['7', 'true'] }] }],
    });
  });
});

/** Whether a spreadsheet could run the cell, once quotes and white space around it are stripped. */
const isFormula = (cell: string) => /^[\s"\0]*[=+\-@＝＋－＠\u2212]/.test(cell);

/** The cells of a file for a reader that splits at this separator, then those for a reader that also ignores quotes. */
function cellsBy(separator: string, file: string): string[] {
  const quoted = readCsv(`sep=${separator}\r\n${file.replace(/^\ufeff/, '')}`).flatMap((row) => row.cells);
  return separator === ',' ? quoted : [...quoted, ...file.split(/[\r\n]/).flatMap((line) => line.split(separator))];
}

describe('formulas', () => {
  const HOSTILE = ['=1+1', '＝1', '\t=1', '+1', '-1', '@SUM(1)', '\r=1', '  =1', '\u3000＠x', '\0=1', '－2', '\n+3', '\u22121'];
  const BEHIND = ['x;=1+1;y', "x;'=1", 'x\t@A', 'x; ＝1', 'x\r\n-2', 'a";"=1', '\t\t=1', "x;'y", 'a;b', ';;+1'];

  it.each([...HOSTILE, ...BEHIND, "'=1", "''+1", "' =1", "'", "'tis", 'plain', '', "O'Neill", '1-1'])('in %j are made harmless, and back', (text) => {
    const made = harmless(text);
    expect(unharmed(made)).toBe(text);
    expect(/^\s*[=+\-@＝＋－＠\u2212\0]/.test(made)).toBe(false);
    expect(made.split(/[;\t\r\n]/).filter(isFormula)).toEqual([]);
    expect(readCsv(writeCsv([['head', made]]))[0]?.cells[1]).toBe(made.replace(/\r\n?/g, '\n'));
  });

  it('are found by no separator, and every text comes back', () => {
    const random = randomFrom(18);
    const pieces = ['=', '+', '-', '@', '＝', ';', ',', '\t', '\r', '\n', '"', "'", ' ', '\0', '\u3000', 'a', '1', 'x;=1+1;y'];
    const any = () => Array.from({ length: random() * 9 }, () => pieces[Math.floor(random() * pieces.length)] ?? '').join('');
    for (let round = 0; round < 2_000; round += 1) {
      const texts = [any(), any(), any()];
      const file = writeCsv([['1', 'x'], texts.map(harmless), ['2', harmless(any())]]);
      for (const text of texts) expect(unharmed(harmless(text))).toBe(text);
      for (const separator of [',', ';', '\t']) expect(cellsBy(separator, file).filter(isFormula)).toEqual([]);
    }
  });

  it('do not leave with a quiz', () => {
    const quiz: QuizBody = {
      title: '=T()',
      rounds: [{ title: '=R()', questions: [{ text: '=Q()', type: 'text', correctAnswers: ['-5', '@A'] }] }],
    };
    const cells = readCsv(quizToCsv(quiz)).flatMap((row) => row.cells);
    expect(cells.filter((cell) => /^\s*[=+\-@]/.test(cell))).toEqual([]);
    expect(readQuizFile(quizToCsv(quiz), '=T()').quiz).toEqual(quiz);
  });
});

/** A random quiz that the server would accept, from difficult characters. */
function anyQuiz(seed: number): QuizBody {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const parts = ['a', 'B', 'é', '|', '\\', '"', ',', ';', "'", '=', '+', '-', ' ', '1', ':', '.', '#', '日', '😀', '`'];
  const line = (extra: string[] = []) => {
    const text = Array.from({ length: 1 + random() * 8 }, () => pick([...parts, ...extra])).join('');
    return text.trim() || 'x';
  };
  const lines = (least: number, most: number) => {
    const count = least + Math.floor(random() * (most - least + 1));
    return [...new Set(Array.from({ length: 40 }, () => line()))].slice(0, count);
  };
  const question = (): QuestionBody => {
    const base = { text: line(['\n', '\t', '\n\n']), ...(random() < 0.5 ? { points: Math.floor(random() * 1_000_001) } : {}) };
    const type = pick(['text', 'multiple_choice', 'true_false', 'numeric'] as const);
    if (type === 'text') return { ...base, type, correctAnswers: lines(1, 4) };
    if (type === 'numeric') {
      const tolerance = random() < 0.5 ? { tolerance: pick([0, 0.25, 3, 1e-7, 12_345.678]) } : {};
      return { ...base, type, correctAnswers: [pick(['-5', '1.5', '1,234.5', '0', '−3'])], ...tolerance };
    }
    const choices = type === 'true_false' ? lines(2, 2) : lines(2, 6);
    return { ...base, type, choices, correctAnswers: [pick(choices)] };
  };
  const rounds = Array.from({ length: 1 + random() * 4 }, () => {
    return { title: random() < 0.3 ? '' : line(), questions: Array.from({ length: 1 + random() * 4 }, question) };
  });
  return { title: line(), rounds };
}

describe('round trips', () => {
  it('lose nothing', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const quiz = anyQuiz(seed);
      expect(readQuizFile(quizToJson(quiz), 'T'), `JSON of seed ${String(seed)}`).toEqual({ quiz, skipped: [] });
      expect(readQuizFile(quizToCsv(quiz), quiz.title), `CSV of seed ${String(seed)}`).toEqual({ quiz, skipped: [] });
    }
  });
});

describe('kinds that are partly right, or not marked', () => {
  const whole: QuestionBody[] = [
    { text: 'Which?', type: 'multi_select', choices: ['a', 'b', 'c'], correctAnswers: ['a', 'c'], points: 3 },
    { text: 'In which order?', type: 'order', choices: ['a', 'b', 'c'], correctAnswers: ['c', 'a', 'b'], points: 3 },
    { text: 'Which do you like?', type: 'poll', choices: ['a', 'b'], correctAnswers: [] },
    { text: 'In a word?', type: 'word_cloud', correctAnswers: [] },
    { text: 'About how many?', type: 'nearest', correctAnswers: ['1969'], points: 5 },
  ];
  const quiz: QuizBody = { title: 'From a file', rounds: [{ title: 'One', questions: whole }] };

  it.each([
    ['CSV', quizToCsv(quiz)],
    ['JSON', quizToJson(quiz)],
  ])('come back from %s as they were', (_, text) => {
    const file = readQuizFile(text, 'From a file');
    expect(file.skipped).toEqual([]);
    expect(file.quiz?.rounds[0]?.questions).toEqual(whole);
  });

  it.each([
    ['order,Q?,a|b|c,c|a,,', 'answers_incomplete', true],
    [`multi_select,Q?,${'x'.repeat(300)}|${'y'.repeat(300)}|${'z'.repeat(300)}|${'w'.repeat(300)},${'x'.repeat(300)},,`, 'bad_choices', true],
    ['poll,Q?,a|b,a,,', 'bad_answers', false],
    ['word_cloud,Q?,,,5,', 'bad_points', false],
    ['nearest,Q?,,1|2,,', 'bad_answers', false],
    ['nearest,Q?,,some,,', 'answer_not_a_number', true],
  ])('%s: %s', (row, reason, dropped) => {
    const file = csv(`One,${row}`, 'One,text,Another?,,x,,');
    expect(file.skipped).toMatchObject([{ reason, dropped }]);
  });
});

describe('pictures and sounds', () => {
  const ID = '01995c2e-0a10-7000-8000-000000000a11';
  const withMedia = (media: unknown) => {
    const questions = [{ text: 'Which?', type: 'text', correctAnswers: ['Oboe'], media }];
    return readQuizFile(JSON.stringify({ title: 'T', rounds: [{ title: '', questions }] }), 'T');
  };

  it.each([
    [{ id: ID, kind: 'picture', alt: ' A tube ', type: 'image/png', bytes: 7 }, { id: ID, kind: 'picture', alt: 'A tube' }],
    [{ id: ID, kind: 'sound' }, { id: ID, kind: 'sound' }],
    [null, undefined],
  ])('of JSON are taken: %j', (media, expected) => {
    const file = withMedia(media);
    expect(file.skipped).toEqual([]);
    expect(first(file)?.media).toEqual(expected);
  });

  it.each([
    { id: ID, kind: 'picture' },
    { id: ID, kind: 'picture', alt: 'x'.repeat(301) },
    { id: ID, kind: 'film', alt: 'A tube' },
    { id: 'f1', kind: 'sound' },
    'oboe.png',
  ])('that cannot be used are left out: %j', (media) => {
    const file = withMedia(media);
    expect(codes(file)).toEqual([[null, 1, 1, 'bad_media', false]]);
    expect(first(file)).toEqual({ text: 'Which?', type: 'text', correctAnswers: ['Oboe'] });
  });

  it('stay in JSON and are not in CSV', () => {
    const { quiz } = withMedia({ id: ID, kind: 'sound' });
    if (!quiz) throw new Error('no quiz');
    expect(readQuizFile(quizToJson(quiz), 'T').quiz).toEqual(quiz);
    expect(quizToCsv(quiz)).not.toContain(ID);
    expect(quizToCsv(quiz).replace(/^\ufeff/, '').split('\r\n')[0]).toBe(HEAD);
  });
});
