// @vitest-environment jsdom
// The sample of each format, written for these tests from the description of the format: the imported questions, and the report
// of the rest.

import { describe, expect, it } from 'vitest';

import { questionsOf, readSample, reportOf } from './reading.ts';

describe('the samples', () => {
  it('GIFT', () => {
    const file = readSample('science.gift.txt');
    expect(file.format?.name).toBe('GIFT');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# Warm-up',
      'multiple_choice: Which planet is the largest?  Jupiter | Mars | Venus | Saturn  = Jupiter',
      'true_false: A spider has eight legs.  True | False  = True',
      'text: The capital of Iceland is _____ in the south west.  = Reykjavík | Reykjavik',
      'numeric: How many keys does a piano have?  = 88  ± 0',
      '# Numbers',
      'numeric: What is π, to two decimals?  = 3.14  ± 0.005',
      'numeric: At how many °C do we learn best?  = 20  ± 2  ! As a Danish study has it.',
      'text: What is H₂O called?  = water',
      'multi_select: Which of these are prime?  2 | 3 | 4 | 9  = 2 | 3',
      'multiple_choice: Which one is even: 7, 8 or 9?  7 | 8 | 9  = 8',
      'text: Which sign opens a set in {1, 2}?  = { | brace',
      'numeric: When did the Second World War end?  = 1945  ± 0',
    ]);
    expect(reportOf(file)).toEqual([
      '- in left_out feedback 2',
      '25 in partial_answer “What is H₂O called?”',
      '25 in wildcard_answer “What is H₂O called?”',
      '40 out unsupported_kind matching “Match them.”',
      '46 out unsupported_kind essay “Why is the sky blue?”',
      '48 out unsupported_kind information “Read the next two questions with care.”',
      '52 out unsupported_kind gaps “{=Paris} is the capital of {=France}.”',
      '54 in partial_answer “When did the Second World War end?”',
    ]);
  });

  it('Aiken', () => {
    const file = readSample('geography.aiken.txt');
    expect(file.format?.name).toBe('Aiken');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# ',
      'multiple_choice: Which river is the longest?  Danube | Nile | Rhine  = Nile',
      'multiple_choice: Which ocean is the largest,⏎by its surface?  Atlantic | Indian | Pacific  = Pacific',
      'multiple_choice: A. Humboldt travelled to which continent?  South America, and Asia | Australia  = South America, and Asia',
    ]);
    expect(reportOf(file)).toEqual([
      '14 out no_answers “Which of these has no answer?”',
      '18 out answer_not_a_choice “Which answer is not there?”',
    ]);
  });

  it('Moodle XML', () => {
    const file = readSample('bank.moodle.xml');
    expect(file.format?.name).toBe('Moodle XML');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# Antiquity',
      'multiple_choice: On how many hills was Rome built?  Nine | Seven | Three & a half  = Seven  1 p  ! The seven hills lie east of the Tiber.',
      'true_false: Julius Caesar was an emperor.  True | False  = False  2 p',
      'text: Who founded the city with Remus?  = Romulus  1 p  [picture: Picture]',
      '# Years',
      'numeric: In which year did Rome fall, give or take two?⏎Count from the birth of Christ.  = 476  ± 2',
      'multi_select: Which of these were consuls?  Cicero | Crassus | Spartacus  = Cicero | Crassus',
    ]);
    expect(reportOf(file)).toEqual([
      '- in left_out hints 1',
      '- in left_out case 1',
      '- in left_out feedback 1',
      '- in left_out units 1',
      '3 in partial_answer “Who founded the city with Remus?”',
      '3 in wildcard_answer “Who founded the city with Remus?”',
      '3 in no_alt “Who founded the city with Remus?”',
      '4 in bad_points “In which year did Rome fall, give or take two? Count from th…”',
      '6 out unsupported_kind matching “Match the gods.”',
      '7 out unsupported_kind essay “Why did it fall?”',
      '8 out unsupported_kind gaps “Veni, {1:SHORTANSWER:=vidi}, vici.”',
      '9 out unsupported_kind stack “Prove it.”',
    ]);
  });

  it('one item of QTI', () => {
    const file = readSample('item.qti.xml');
    expect(file.format?.name).toBe('QTI');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# ',
      'multiple_choice: Look at the sign beside the door.⏎⏎What does it say?  You must stay with your luggage at all times. | ' +
        'Do not let someone else look after your luggage. | Remember your luggage when you leave.  ' +
        '= Do not let someone else look after your luggage.',
    ]);
    expect(reportOf(file)).toEqual([
      '- in left_out feedback 1',
      '1 in left_out media 1 “Look at the sign beside the door. What does it say?”',
    ]);
  });

  it('a package of QTI', () => {
    const file = readSample('sea.qti.zip');
    expect(file.format?.name).toBe('QTI');
    expect(questionsOf(file)).toEqual([
      'A day at sea',
      '# Water',
      'multiple_choice: What pulls the tides?  A wind | Ships | The Moon  = The Moon',
      'numeric: Water freezes at _____ kelvin.  = 273.15  ± 0.5',
      '# Books and kings',
      'text: Who wrote “Jane Eyre”?  = Brontë',
      'multiple_choice: The sun king was Louis _____ of France.  X | XIV  = XIV',
      'multi_select: Which are prime?  2 | 3 | 4  = 2 | 3',
      'order: First to last?  2 | 1  = 1 | 2',
    ]);
    expect(reportOf(file)).toEqual([
      '- out missing_part items/lost.xml',
      '3 in partial_answer “Who wrote “Jane Eyre”?”',
      '7 out unsupported_kind essay “Why?”',
    ]);
  });

  it('Open Trivia DB', () => {
    const file = readSample('mixed.opentdb.json');
    expect(file.format?.name).toBe('Open Trivia DB');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# ',
      'multiple_choice: Which instrument has 88 keys & three pedals?  Accordion | Harpsichord | Organ | Piano  = Piano',
      'true_false: "H2O" is café for water.  True | False  = False',
      "multiple_choice: How many bones has a grown person's body?  99 | 206 | 212 | 1003  = 206",
    ]);
    expect(reportOf(file)).toEqual(['- in left_out categories 3', '- in left_out difficulty 3', '4 out unsupported_kind picture “Who painted it?”']);
  });

  it('the template of Kahoot', () => {
    const file = readSample('friday.kahoot.xlsx');
    expect(file.format?.name).toBe('Kahoot');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# ',
      'multiple_choice: Which part of the question is read first?  The end | The beginning | The middle | None of it  = The beginning  20 s',
      'multi_select: Which of these is a primary colour of light?  Red | Green | Blue | Yellow  = Red | Green | Blue  30 s',
      'multiple_choice: In which year did the first person walk on the Moon?  1969 | 1971  = 1969  10 s',
      'multi_select: Which two count here, in a table made in Berlin?  One | Two | Three  = One | Three  20 s',
    ]);
    expect(reportOf(file)).toEqual([
      '10 in all_of_several “Which of these is a primary colour of light?”',
      '12 in all_of_several “Which two count here, in a table made in Berlin?”',
      '13 out no_answers “Is this question without a right answer?”',
      '14 out no_text',
    ]);
  });

  it('a spreadsheet with the columns of our own', () => {
    const file = readSample('party.xlsx');
    expect(file.format?.name).toBe('Excel');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# Food',
      'text: What is tofu made of?  = Soy | soya  2 p',
      'numeric: How many grams has a pound?  = 453.5920  ± 0.5',
      '# ',
      'true_false: Honey never spoils.  True | False  = True',
      'text: =SUM(1,2) is what?  = 3',
    ]);
    expect(reportOf(file)).toEqual(['- out unread_sheets Notes', '1 out unknown_column Remark', '6 out no_choices “Only one choice”']);
  });

  it('CSV of a program without Unicode', () => {
    const file = readSample('drinks.csv');
    expect(file.format?.name).toBe('CSV');
    expect(questionsOf(file)).toEqual([
      'From a file',
      '# Getränke',
      'text: Woraus macht man Met?  = Honig',
      'multiple_choice: Was ist kein Käse?  Gouda | Brie | Möhre  = Möhre  500 p',
      '# ',
      'numeric: Wie viel Grad hat siedendes Wasser in °C?  = 100  ± 0.5',
    ]);
    expect(reportOf(file)).toEqual(['- in read_as windows-1252', '5 out no_answers “Ohne Antwort?”']);
  });

  it('JSON of our own', () => {
    const file = readSample('evening.json');
    expect(file.format?.name).toBe('JSON');
    expect(questionsOf(file)).toEqual([
      'An evening of everything',
      '# Warm-up',
      'multiple_choice: Which planet is the largest?  Mars | Jupiter  = Jupiter  500 p',
      'text: What is the capital of Peru?  = Lima',
    ]);
    expect(reportOf(file)).toEqual(['- out no_questions']);
  });
});
