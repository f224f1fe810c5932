// @vitest-environment jsdom
// Tables of questions from other programs: the program, the right choices, and the report of the rest.

import { describe, expect, it } from 'vitest';

import { readFormat } from './formats.ts';
import { questionsOf, readSample, readText, reportOf } from './reading.ts';
import { type TestCell, testBook } from './testbook.ts';

const inSheet = (...rows: readonly (readonly TestCell[])[]) => readFormat(testBook(rows), 'From a file');
const KAHOOT = ['Question - max 120 characters', 'Answer 1 - max 75 characters', 'Answer 2 - max 75 characters', 'Time limit (sec)', 'Correct answer(s)'];
const GERMAN = ['Kysymys – enintään 120 merkkiä', 'Vastaus 1 – enintään 75 merkkiä', 'Vastaus 2 – enintään 75 merkkiä', 'Aikaraja', 'Oikeat'];

describe('samples', () => {
  it.each([
    [
      'quizizz.xlsx',
      'Quizizz',
      [
        'multiple_choice: Which metal is liquid at room temperature?  Iron | Mercury | Gold | Lead  = Mercury  30 s',
        'multiple_choice: Which of these swims?  Shark | Eagle | Mole | Ant  = Shark  20 s',
        'text: Name a prime below three.  = 2  45 s',
      ],
      [],
    ],
    [
      'dates.kahoot.xlsx',
      'Kahoot',
      [
        'multiple_choice: On which day was the first landing on the Moon?  1969-07-20 | 1969-07-21 | 1969-07-22 | 1969-07-26  = 1969-07-20  20 s',
        'multiple_choice: What share of the Earth is covered by water?  51% | 61% | 71% | 81%  = 71%  20 s',
        'multiple_choice: When does the shop open?  9:00 | 10:00  = 9:00  20 s',
        'multiple_choice: How long is it, in km?  3.125 | 4.25 | 1.5 | 2.665  = 3.125  20 s',
        'multiple_choice: Which number comes first?  1,000,000 | 2,000,000  = 1,000,000  20 s',
      ],
      ['5 out unclear_key 2-Apr Correct answer(s) - choose at least one “Which two are even? (typed 2.4 in a German Excel: a date)”'],
    ],
    ['letters.csv', 'CSV', ['multiple_choice: Largest planet?  Mars | Jupiter | Venus | Saturn  = Jupiter', 'multiple_choice: Capital of Peru?  Lima | Quito | Bogota | Sucre  = Lima'], []],
    ['blooket.csv', 'Blooket', ['multiple_choice: Largest planet?  Mars | Jupiter | Venus | Saturn  = Jupiter  20 s'], []],
    ['gimkit.csv', 'Gimkit', ['multiple_choice: Capital of Peru?  Bogota | Lima | Quito | Sucre  = Lima'], []],
    ['quizizz.csv', 'Quizizz', ['multiple_choice: Capital of Peru?  Lima | Quito | Sucre | Bogota  = Lima  30 s'], []],
    ['quizlet.tsv', 'Quizlet', ['text: Capital of Peru  = Lima'], []],
    ['anki.txt', 'Anki', ['text: Capital of Peru  = Lima', 'text: Capital of Chile  = Santiago'], []],
    ['quoted.csv', 'CSV', ['multiple_choice: Which has a comma, and a "quote"?  a, b | c "d"  = a, b', 'multiple_choice: Line⏎break?  x | y  = x'], []],
    ['plain.kahoot.xlsx', 'Kahoot', ['multiple_choice: Largest planet?  Mars | Jupiter | Venus | Saturn  = Jupiter  20 s'], []],
    ['capital-part.kahoot.xlsx', 'Kahoot', ['multiple_choice: Largest planet?  Mars | Jupiter | Venus | Saturn  = Jupiter  20 s'], []],
    ['prefix.kahoot.xlsx', 'Kahoot', ['multiple_choice: Largest planet?  Mars | Jupiter | Venus | Saturn  = Jupiter  20 s'], []],
    [
      'words-as-key.kahoot.xlsx',
      'Kahoot',
      [
        'multiple_choice: Largest planet?  Mars | Jupiter | Venus | Saturn  = Jupiter  20 s',
        'multiple_choice: Smallest?  1990 | Mercury | Venus | Mars  = Mercury  20 s',
        'multiple_choice: Which?  a | b | c | d  = b  20 s',
      ],
      [
        '5 out unclear_key 1 and 3 Correct answer(s) - choose at least one “Which two?”',
        '6 out unclear_key 5 Correct answer(s) - choose at least one “Which ten?”',
        '7 out unclear_key 0 Correct answer(s) - choose at least one “Zero?”',
      ],
    ],
    [
      'kahoot-report.xlsx',
      'Kahoot report',
      [
        'multiple_choice: Which metal is liquid at room temperature?  Iron | Mercury | Gold | Lead  = Mercury  30 s',
        'multiple_choice: Which of these swims?  Shark | Eagle | Mole | Ant  = Shark  20 s',
      ],
      ['- in left_out players 2'],
    ],
  ])('%s is of %s', (name, format, questions, report) => {
    const file = readSample(name);
    expect(file.format?.name).toBe(format);
    expect(questionsOf(file)).toEqual(['From a file', '# ', ...questions]);
    expect(reportOf(file)).toEqual(report);
  });
});

describe('what is not clear is no key', () => {
  const outOf = (file: ReturnType<typeof inSheet>) => [questionsOf(file).slice(2), reportOf(file)];

  it('seconds, points and digits of an explanation are none', () => {
    const home = ['Question', 'Answer 1', 'Answer 2', 'Answer 3', 'Answer 4', 'Seconds', 'Points', 'Explanation'];
    const file = inSheet(home, ['Largest planet?', 'Mars', 'Jupiter', 'Venus', 'Saturn', 2, 1, 'Jupiter has 4 large moons.']);
    expect(file).toMatchObject({ quiz: null, format: { name: 'Excel' } });
    expect(reportOf(file)).toEqual(['- out unknown_table Question, Answer 1, Answer 2, Answer 3, Answer 4, …']);
  });

  it('the template in a language that is not known needs answer numbers in each row', () => {
    const right = inSheet(GERMAN, ['Suurin?', 'Mars', 'Jupiter', 20, 2], ['Parilliset?', '2', '4', 30, '1,2']);
    expect(right.format?.name).toBe('Kahoot');
    expect(questionsOf(right).slice(2)).toEqual(['multiple_choice: Suurin?  Mars | Jupiter  = Jupiter  20 s', 'multi_select: Parilliset?  2 | 4  = 2 | 4  30 s']);
    const wrong = inSheet(GERMAN, ['Suurin?', 'Mars', 'Jupiter', 20, 2], ['Parilliset?', '2', '4', 30, 'molemmat']);
    expect(wrong.quiz).toBeNull();
    expect(reportOf(wrong)[0]).toContain('unknown_table');
    const swapped = inSheet([...GERMAN.slice(0, 3), 'Oikeat', 'Aikaraja'], ['Suurin?', 'Mars', 'Jupiter', 2, 20]);
    expect(swapped.quiz).toBeNull();
  });

  it.each<[what: string, key: TestCell, report: string]>([
    ['a date', [45749, 16], 'unclear_key 2-Apr'],
    ['a date in the year 1904', [1, 14], 'unclear_key 1900-01-01'],
    ['a share', [0.02, 9], 'unclear_key 2%'],
    ['a time', [0.0836, 20], 'unclear_key 2:00'],
    ['a half', [0.5, 12], 'unclear_key 1/2'],
    ['a number that there is not', 3, 'unclear_key 3'],
    ['no number of a choice', 0, 'unclear_key 0'],
    ['thousands', [12, 3], 'unclear_key 12'],
    ['both in words', '1 and 2', 'unclear_key 1 and 2'],
    ['none', '', 'no_answers'],
  ])('Kahoot: %s', (_, key, report) => {
    const [questions, said] = outOf(inSheet(KAHOOT, ['Which?', '2-Apr', 'Other', 20, key], ['Sure?', 'Yes', 'No', 20, 1]));
    expect(questions).toEqual(['multiple_choice: Sure?  Yes | No  = Yes  20 s']);
    expect(said).toHaveLength(1);
    expect(said?.[0]).toContain(`2 out ${report}`);
  });

  it.each<[key: TestCell, right: string]>([
    ['1,2', 'a | b'],
    ['2; 1', 'a | b'],
    ['1 2', 'a | b'],
    [1.2, 'a | b'],
    [[1.2, '0.00'], 'a | b'],
    ['2', 'b'],
    [[2, ';;;'], 'b'],
    ['Answer 2', 'b'],
  ])('Kahoot: %j is %s', (key, right) => {
    const [questions] = outOf(inSheet(KAHOOT, ['Which?', 'a', 'b', 20, key]));
    expect(questions?.[0]).toContain(right.includes('|') ? 'multi_select' : 'multiple_choice');
    expect(questions?.[0]).toMatch(new RegExp(`= ${right.split(' | ').join('.*')}  20 s$`));
  });

  it('numbers that are choices, too, are read as the rest of the column is', () => {
    const head = 'question,option 1,option 2,option 3,correct answer\n';
    expect(questionsOf(readText(`${head}1+1?,3,2,1,2\nLargest?,Mars,Jupiter,Venus,2`)).slice(2)).toEqual([
      'multiple_choice: 1+1?  3 | 2 | 1  = 2',
      'multiple_choice: Largest?  Mars | Jupiter | Venus  = Jupiter',
    ]);
    expect(questionsOf(readText(`${head}1+2?,1,2,3,3\n1+0?,3,1,2,1\nLargest?,Mars,Jupiter,Venus,Jupiter`)).slice(2)).toEqual([
      'multiple_choice: 1+2?  1 | 2 | 3  = 3',
      'multiple_choice: 1+0?  3 | 1 | 2  = 1',
      'multiple_choice: Largest?  Mars | Jupiter | Venus  = Jupiter',
    ]);
    expect(reportOf(readText(`${head}1+0?,3,1,2,1\n1+2?,1,2,3,3`))).toEqual(['2 out unclear_key 1 correct answer “1+0?”']);
  });

  it('letters that are choices, too', () => {
    const file = readText('Question,A,B,C,Answer\nBlood of all?,B,A,AB,A\nLargest?,Mars,Jupiter,Venus,B');
    expect(questionsOf(file).slice(2)).toEqual(['multiple_choice: Blood of all?  B | A | AB  = B', 'multiple_choice: Largest?  Mars | Jupiter | Venus  = Jupiter']);
    expect(reportOf(readText('Question,A,B,C,Answer\nBlood of all?,B,A,AB,A'))).toEqual(['2 out unclear_key A Answer “Blood of all?”', '- out no_questions', '- out no_questions']);
  });

  it('a column that counts is no question', () => {
    const file = readText('Question,Answer 1,Answer 2,Correct\n1,a,b,1\n2,c,d,2');
    expect(file.quiz).toBeNull();
    expect(reportOf(file)).toEqual(['- out unknown_table Question, Answer 1, Answer 2, Correct']);
  });
});

describe('tables of people’s own', () => {
  it.each([
    ['German', 'Frage;Antwort A;Antwort B;Richtige Antwort;Zeit\nGrößter Planet?;Mars;Jupiter;B;30 Sek', 'multiple_choice: Größter Planet?  Mars | Jupiter  = Jupiter  30 s'],
    ['Spanish', 'Pregunta,Opción 1,Opción 2,Respuesta correcta\n¿Cuál?,uno,dos,2', 'multiple_choice: ¿Cuál?  uno | dos  = dos'],
    ['French', 'Question\tRéponse 1\tRéponse 2\tBonne réponse\nLaquelle ?\tun\tdeux\tdeux', 'multiple_choice: Laquelle ?  un | deux  = deux'],
    ['cards', 'Frage;Antwort\nHauptstadt von Peru?;Lima|Ciudad de los Reyes', 'text: Hauptstadt von Peru?  = Lima | Ciudad de los Reyes'],
    ['the key first', 'No,Correct Option,Question,Option A,Option B\n1,b,Which?,x,y', 'multiple_choice: Which?  x | y  = y'],
    ['texts with commas', 'question,choice 1,choice 2,choice 3,answers\nWhich two?,"a, b",c,d,"a, b, d"', 'multi_select: Which two?  a, b | c | d  = a, b | d'],
    ['wrong ones apart', 'Question;Correct answer;Wrong answer 1;Wrong answer 2\nCapital?;Lima;Quito;', 'multiple_choice: Capital?  Lima | Quito  = Lima'],
    ['types', 'Question,Type,Option 1,Option 2,Correct\nBoth?,Checkbox,x,y,"1,2"', 'multi_select: Both?  x | y  = x | y'],
    ['a poll', 'Question Text,Question Type,Option 1,Option 2,Correct Answer\nTea or coffee?,Poll,Tea,Coffee,', 'poll: Tea or coffee?  Tea | Coffee  = '],
    ['more columns', 'round,question,option a,option b,answer,points,explanation,tags\n1: Sky,Largest?,Mars,Jupiter,b,3,A giant.,"sky,easy"', 'multiple_choice: Largest?  Mars | Jupiter  = Jupiter  3 p  [sky,easy]  ! A giant.'],
  ])('%s', (_, text, question) => {
    expect(questionsOf(readText(text))[2]).toBe(question);
  });

  it('what is left out has its place', () => {
    const file = readText('Question,Option 1,Option 2,Correct,Image,Seconds,Level,\nA?,x,y,1,https://a.example/a.png,3,hard,note\nB?,x,y,2,,1 hour,,\n,x,y,1,,,,\nD?,x,y,Draw,,,,');
    expect(questionsOf(file).slice(2)).toEqual(['multiple_choice: A?  x | y  = x', 'multiple_choice: B?  x | y  = y']);
    expect(reportOf(file)).toEqual([
      '- out unknown_column Level',
      '- out unknown_column H',
      '2 in left_out media 1 “A?”',
      '2 in bad_timeLimit “A?”',
      '3 in bad_timeLimit “B?”',
      '4 out no_text',
      '5 out unclear_key Draw Correct “D?”',
    ]);
  });

  it.each([
    ['Open-Ended', 'essay'],
    ['Reorder', 'ordering'],
    ['Match', 'matching'],
  ])('%s cannot be played', (type, kind) => {
    const file = readText(`Question Text,Question Type,Option 1,Option 2,Correct Answer\nWhy?,${type},x,y,1`);
    expect(reportOf(file)[0]).toBe(`2 out unsupported_kind ${kind} “Why?”`);
  });

  it('cells that cannot be read leave their question out when it needs them', () => {
    const file = inSheet(
      ['question', 'option 1', 'option 2', 'answer', 'points'],
      ['A?', 'x', { raw: 't="e"><v>#N/A</v>' }, 1, 1],
      ['B?', 'x', 'y', { raw: '><f>1+1</f>' }, 1],
      ['C?', 'x', 'y', 2, { raw: 't="e"><v>#REF!</v>' }],
    );
    expect(questionsOf(file).slice(2)).toEqual(['multiple_choice: C?  x | y  = y']);
    expect(reportOf(file)).toEqual(['2 out unread_cell C2 “A?”', '3 out unread_cell D3 “B?”', '4 in unread_cell E4 “C?”']);
  });
});
