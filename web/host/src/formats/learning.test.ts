// @vitest-environment jsdom
// Files of learning platforms that lost something on the way in once, and packages: which questions come in, with which keys,
// pictures and remarks.

import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';

import { type ReadFile, readFormat } from './formats.ts';
import { questionsOf, readSample, reportOf, sample } from './reading.ts';

/** The questions without the title and an untitled round. */
const lines = (file: ReadFile): string[] => questionsOf(file).slice(1).filter((line) => line !== '# ');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const readZip = (files: Readonly<Record<string, Uint8Array | string>>): ReadFile => {
  const packed = Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? bytes(content) : content]);
  return readFormat(zipSync(Object.fromEntries(packed) as Record<string, Uint8Array>), 'From a file');
};

const EACH: readonly (readonly [name: string, questions: readonly string[], report: readonly string[]])[] = [
  [
    'code.moodle.xml',
    [
      'multiple_choice: What does this print?⏎x = 3⏎if x > 2:⏎    x = x * 2⏎    print(x)⏎else:⏎    print(0)⏎⏎A)⏎6⏎⏎B)⏎a⏎ b  A | B  = A',
      'multiple_choice: Line one⏎Line two  a | b  = a',
    ],
    ['1 in choices_moved “What does this print? x = 3 if x > 2:     x = x * 2     prin…”'],
  ],
  ['mathml.qti.xml', ['multiple_choice: What is $\\frac{1}{2} + 2^{10}$?  1024.5 | √2  = 1024.5'], []],
  ['macosx.qti.zip', ['multiple_choice: Question 1?  Yes | No  = Yes'], []],
  ['backslash.qti.zip', ['multiple_choice: Question 1?  Yes | No  = Yes', 'multiple_choice: Question 2?  Yes | No  = Yes'], []],
  [
    'sectionref.qti.zip',
    ['# First', 'multiple_choice: Question 1?  Yes | No  = Yes', '# Second', 'multiple_choice: Question 2?  Yes | No  = Yes'],
    [],
  ],
  ['neighbour.qti.zip', ['multiple_choice: Question 1?  Yes | No  = Yes'], ['- out broken_part styles/broken.xml 1']],
  [
    'variants.aiken.txt',
    [
      'multiple_choice: Which river is the longest?  Nile | Rhine  = Nile',
      'multiple_choice: Which is red?  Sky | Blood  = Blood',
      'multiple_choice: Which is even?  One | Two  = Two',
      'multi_select: Two of these are even.  One | Two | Four  = Two | Four',
      'multiple_choice: Which is round?  Ball | Cube  = Ball  ! A ball is a sphere.',
      'multiple_choice: Which is wet?  Rain | Sand  = Rain',
    ],
    [],
  ],
  ['math.moodle.xml', ['multiple_choice: Solve $x^2 = 9$ for $x > 0$.  3 | 9/2  = 3'], []],
  ['several.gift.txt', ['multi_select: Which of these are prime?  2 | 3 | 4 | 6  = 2 | 3'], []],
  [
    'unclosed.gift.txt',
    ['multiple_choice: Which is even?  2 | 3  = 2', 'multiple_choice: Which is prime?  5 | 6  = 5'],
    ['4 out malformed “Which is odd? {=3 ~4”'],
  ],
  [
    'dense.gift.txt',
    ['multiple_choice: Which is even?  2 | 3  = 2', 'multiple_choice: Which is odd?  3 | 4  = 3', 'multiple_choice: Which is prime?  5 | 6  = 5'],
    [],
  ],
  [
    'tags.gift.txt',
    [
      'multiple_choice: Which tag makes a link?  <a> | <link> | <href>  = <a>',
      'multiple_choice: What does #include <stdio.h> give?  printf | cout  = printf',
      'true_false: Is a<b and c>d when a=1, b=2, c=4, d=3?  True | False  = True',
      'multiple_choice: Which type is List<String>?  generic | raw  = generic',
    ],
    [],
  ],
  [
    'old.moodle.xml',
    [
      'multiple_choice: Who is this?  Ann | Ben  = Ann  [picture: Picture]',
      'true_false: Ice floats.  Vrai | Faux  = Vrai',
      'numeric: Pi?  = 3.14  ± 0.01',
      'numeric: Speed of light in m/s?  = 3e8  ± 10000000',
      'multi_select: Two are right.  A | B | C  = A | B',
    ],
    ['1 in no_alt “Who is this?”'],
  ],
  ['languages.moodle.xml', ['multiple_choice: Which is even?  two | three  = two'], ['- in left_out languages 1']],
  ['cdata.qti.xml', ['multiple_choice: Which is even?  two | three  = two'], []],
  ['order.qti.xml', ['order: Smallest first?  2 | 1  = 1 | 2'], []],
  [
    'pictures.moodle.xml',
    [
      '# Flags',
      'multiple_choice: Which colour is this?  Red | Blue  = Red  [picture: A field of one colour]',
      'text: And which one is this?  = Blue  [picture: Picture]',
      'true_false: This one is on another site.  True | False  = True',
      'true_false: This one is cut off.  True | False  = False  [picture: Cut off]',
    ],
    [
      '2 in no_alt “And which one is this?”',
      '3 in left_out media 1 “This one is on another site.”',
      '5 out unsupported_kind pictures “Pick the red one.”',
    ],
  ],
];

it.each(EACH)('%s', (name, questions, report) => {
  const file = readSample(name);
  expect(lines(file)).toEqual(questions);
  expect(reportOf(file)).toEqual(report);
});

const CANVAS = [
  'multiple_choice: Which planet is this?  Jupiter | Mars | Venus  = Jupiter  2 p  ! It is the fifth from the sun.',
  'true_false: Ice floats.  True | False  = True  1 p',
  'text: H₂O is …  = water | Water | aqua  1 p',
  'multi_select: Which are prime?  2 | 4 | 5  = 2 | 5  1 p',
  'numeric: What is 25 / 8?  = 3.1250  ± 0.01  1 p',
  'numeric: A number from 10 to 20.  = 15  ± 5  1 p',
  '# Drawn',
  'multiple_choice: What is $\\sqrt{9}$?  3 | 9  = 3  1 p',
];
const CANVAS_REPORT = [
  '7 out unsupported_kind matching “Match the gods. Ares Zeus”',
  '8 out unsupported_kind essay “Why is the sky blue?”',
  '9 out unsupported_kind gaps “Roses are [a], violets are [b].”',
  '10 out unsupported_kind calculated “What is 5 plus [x]?”',
  '11 out unsupported_kind information “Read with care.”',
];

describe('QTI 1.2 as Canvas exports it', () => {
  it('alone: the picture and the bank are elsewhere', () => {
    const file = readSample('canvas.qti1.xml');
    expect(file.quiz?.title).toBe('A night of planets');
    expect(lines(file)).toEqual(CANVAS);
    const whole = ['- out missing_part bank77', '- in left_out selection 1'];
    expect(reportOf(file)).toEqual([...whole, '1 in left_out media 1 “Which planet is this?”', ...CANVAS_REPORT]);
  });

  it('in its package, with the picture, its bank, its time limit, and choices by the alphabet', () => {
    const [, red = ''] = /encoding="base64">([^<]*)/.exec(new TextDecoder().decode(sample('pictures.moodle.xml'))) ?? [];
    const file = readZip({
      'imsmanifest.xml': '<manifest><resources><resource type="imsqti_xmlv1p2"><file href="g1/g1.xml"/></resource></resources></manifest>',
      'g1/g1.xml': sample('canvas.qti1.xml'),
      'g1/assessment_meta.xml': '<quiz xmlns="http://canvas.instructure.com/xsd/cccv1p0"><shuffle_answers>true</shuffle_answers><time_limit>30</time_limit></quiz>',
      'Uploaded Media/planet.png': Uint8Array.from(Buffer.from(red, 'base64')),
      'non_cc_assessments/bank77.xml.qti': '<questestinterop><objectbank ident="bank77"><qtimetadata><qtimetadatafield><fieldlabel>bank_title</fieldlabel>' +
        '<fieldentry>Moons</fieldentry></qtimetadatafield></qtimetadata><item ident="m"><presentation><material><mattext>Is Io a moon?</mattext></material>' +
        '<response_lid ident="r"><render_choice><response_label ident="y"><material><mattext>Yes</mattext></material></response_label><response_label ident="n">' +
        '<material><mattext>No</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar>' +
        '<varequal respident="r">y</varequal></conditionvar><setvar varname="SCORE">1</setvar></respcondition></resprocessing></item></objectbank></questestinterop>',
    });
    const [first = '', ...rest] = CANVAS;
    expect(lines(file)).toEqual([first.replace('  2 p', '  2 p  [picture: A large red disc]'), ...rest, '# Moons', 'multiple_choice: Is Io a moon?  Yes | No  = Yes']);
    expect(reportOf(file)).toEqual(['- in left_out time 7', '- in left_out selection 1', ...CANVAS_REPORT]);
    const media = file.quiz?.rounds[0]?.questions[0]?.media;
    expect(file.files?.get(media?.id ?? '')).toMatchObject({ type: 'image/png', size: Buffer.from(red, 'base64').length });
  });

  const condition = (inside: string, points = '1', action = 'Add') =>
    `<respcondition><conditionvar>${inside}</conditionvar><setvar varname="SCORE" action="${action}">${points}</setvar></respcondition>`;
  const equal = (id: string) => `<varequal respident="r">${id}</varequal>`;
  const one = (kind: string, ids: string, processing: string) =>
    readFormat(
      bytes(
        `<questestinterop><item title="Q?"><presentation><${kind}><render_choice shuffle="yes">${[...ids].map((id) => `<response_label ident="${id}"><material><mattext>${id}</mattext></material></response_label>`).join('')}` +
          `</render_choice></${kind.split(' ')[0] ?? ''}></presentation><resprocessing>${processing}</resprocessing></item></questestinterop>`,
      ),
      'From a file',
    );

  it.each([
    ['one choice, parts for another', 'response_lid ident="r"', 'cab', condition(equal('a'), '2') + condition(equal('b')), ['multiple_choice: Q?  a | b | c  = a'], ['1 in partial_answer “Q?”']],
    ['points for each of several', 'response_lid ident="r" rcardinality="Multiple"', 'abc', condition(equal('a')) + condition(equal('b')) + condition(equal('c'), '-1'), ['multi_select: Q?  a | b | c  = a | b'], []],
    ['an order', 'response_lid ident="r" rcardinality="Ordered"', 'abc', condition(equal('c') + equal('b') + equal('a')), ['order: Q?  a | b | c  = c | b | a'], []],
    ['anything else is right', 'response_lid ident="r"', 'ab', condition(`<not>${equal('a')}</not>`), [], ['1 out malformed “Q?”', '- out no_questions', '- out no_questions']],
    ['sets that exclude each other', 'response_lid ident="r" rcardinality="Multiple"', 'abc', condition(equal('a') + equal('b')) + condition(equal('b') + equal('c')), [], ['1 out unsupported_kind several_answers “Q?”', '- out no_questions', '- out no_questions']],
    ['no key', 'response_lid ident="r"', 'ab', '', [], ['1 out no_answers “Q?”', '- out no_questions', '- out no_questions']],
  ] as const)('%s', (_, kind, ids, processing, questions, report) => {
    const file = one(kind, ids, processing);
    expect(lines(file)).toEqual(questions);
    expect(reportOf(file)).toEqual(report);
  });
});

describe('packages of QTI 2', () => {
  const item = (asked: string, extra = '') =>
    `<assessmentItem title="T"><responseDeclaration identifier="R" cardinality="single"><correctResponse><value>a</value></correctResponse></responseDeclaration>${extra}` +
    `<itemBody>${asked}<choiceInteraction responseIdentifier="R"><simpleChoice identifier="a">Yes</simpleChoice><simpleChoice identifier="b">No</simpleChoice></choiceInteraction></itemBody></assessmentItem>`;
  const test = (inside: string, title = 'Test') => `<assessmentTest title="${title}"><testPart>${inside}</testPart></assessmentTest>`;
  const section = (title: string, inside: string) => `<assessmentSection title="${title}">${inside}</assessmentSection>`;
  const ref = (href: string, inside = '') => `<assessmentItemRef href="${href}">${inside}</assessmentItemRef>`;

  it('several tests, nested sections, weights, times, an item of none, and one that is broken', () => {
    const file = readZip({
      'a/test.xml': test(section('Outer', section('Inner', ref('../i/1.xml', '<weight value="3"/><timeLimits maxTime="20"/>')) + ref('../i/2.xml')), 'First'),
      'b/test.xml': test(`${ref('../i/3.xml')}${ref('../i/lost.xml')}<assessmentSectionRef href="no.xml"/>`, 'Second'),
      'i/1.xml': item('<p>1?</p>'),
      'i/2.xml': item('<p>2?</p>'),
      'i/3.xml': '<assessmentItem>',
      'i/4.xml': item('<p>4?</p>'),
    });
    expect(file.quiz?.title).toBe('First');
    expect(lines(file)).toEqual(['# Inner', 'multiple_choice: 1?  Yes | No  = Yes  3 p  20 s', '# Outer', 'multiple_choice: 2?  Yes | No  = Yes']);
    expect(reportOf(file)).toEqual(['- out broken_part i/3.xml 1', '- out missing_part b/no.xml', '- out missing_part i/lost.xml', '- out unused_part i/4.xml']);
  });

  it('pictures and sounds beside the item, by their first bytes', () => {
    const png = bytes('\0').map(() => 0x89);
    const file = readZip({
      'i/1.xml': item('<p>1?<img src="../m/a%20b.png" alt="A and B"/></p>'),
      'i/2.xml': item('<p>2?<object data="s.mp3" type="audio/mpeg"/><img src="none.png" alt=""/></p>'),
      'i/3.xml': item('<p>3?<img src="fake.png" alt="No picture"/></p>'),
      'm/a b.png': Uint8Array.from([...png, 0x50, 0x4e, 0x47, 13]),
      'i/s.mp3': 'ID3 and more',
      'i/fake.png': '<html>',
    });
    expect(lines(file)).toEqual(['multiple_choice: 1?  Yes | No  = Yes  [picture: A and B]', 'multiple_choice: 2?  Yes | No  = Yes  [sound: ]', 'multiple_choice: 3?  Yes | No  = Yes']);
    expect(reportOf(file)).toEqual(['2 in left_out media 1 “2?”', '3 in left_out media 1 “3?”']);
    expect(Array.from(file.files?.values() ?? [], ({ type }) => type)).toEqual(['image/png', 'audio/mpeg']);
  });

  it('no item can hold up the page by the number of its choices', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `<simpleChoice identifier="c${String(at)}">${String(at)}</simpleChoice>`).join('');
    const values = Array.from({ length: 2_000 }, (_, at) => `<value>c${String(at)}</value><value>d${String(at)}</value>`).join('');
    const file = readFormat(bytes(item('<p>1?</p>').replace('<value>a</value>', values).replace(/<simpleChoice.*<.simpleChoice>/, many)), 'From a file');
    expect(reportOf(file)).toEqual(['1 out bad_choices 20 “1?”', '- out no_questions', '- out no_questions']);
  }, 60_000);

  it('a path that points out of the package is none of its files', () => {
    const file = readZip({
      'test.xml': test(section('S', `${ref('../../1.xml')}${ref('/etc/passwd')}${ref('https://example.org/1.xml')}`)),
      '1.xml': item('<p>1?</p>'),
      '../2.xml': item('<p>2?</p>'),
      'C:\\3.xml': item('<p>3?</p>'),
    });
    expect(lines(file)).toEqual(['# S', 'multiple_choice: 1?  Yes | No  = Yes']);
    expect(reportOf(file)).toEqual(['- out missing_part etc/passwd', '- out missing_part https://example.org/1.xml']);
  });

  it('sections that refer to themselves and to each other end', () => {
    const twice = (name: string) => section('S', `<assessmentSectionRef href="${name}"/><assessmentSectionRef href="${name}"/>`);
    const names = Array.from({ length: 30 }, (_, at) => `s${String(at)}.xml`);
    const many = Object.fromEntries(names.map((name, at) => [name, twice(names[at + 1] ?? '1.xml')]));
    const file = readZip({ 'test.xml': test('<assessmentSectionRef href="s0.xml"/>'), ...many, '1.xml': item('<p>1?</p>') });
    expect(reportOf(file)).toEqual(['- out damaged 0']);
    const loop = readZip({ 'test.xml': test(`${ref('1.xml')}<assessmentSectionRef href="a.xml"/>`), 'a.xml': section('A', '<assessmentSectionRef href="a.xml"/>'), '1.xml': item('<p>1?</p>') });
    expect(lines(loop)).toEqual(['multiple_choice: 1?  Yes | No  = Yes']);
    expect(reportOf(loop)).toEqual(['- out missing_part a.xml']);
  });

  it('entries that unfold into more than they say are broken, and what was unfolded in vain counts', () => {
    const bombs = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`b${String(at)}.xml`, new Uint8Array(12 * 1_024 * 1_024)]));
    const packed = zipSync({ ...bombs, 'last.xml': bytes(item('<p>1?</p>')) });
    const view = new DataView(packed.buffer);
    let entry = view.getUint32(packed.length - 6, true);
    for (let each = 0; each < 3; each += 1) {
      view.setUint32(entry + 24, 1_000, true);
      entry += 46 + view.getUint16(entry + 28, true);
    }
    const file = readFormat(packed, 'From a file');
    expect(file.quiz).toBeNull();
    expect(reportOf(file)).toEqual(['- out damaged 0']);
    view.setUint32(view.getUint32(packed.length - 6, true) + 24, 1_000_000_000, true);
    expect(lines(readFormat(packed, 'From a file'))).toEqual(['multiple_choice: 1?  Yes | No  = Yes']);
  }, 60_000);
});
