// Files of learning platforms as people and programs write them: odd white space, entities, prefixes, markup inside markup. Each
// has its expected questions and report; oddities.test.ts reads them. For tests only.

/** What it is, its text, the questions that come in, and the report. */
export type Oddity = readonly [what: string, text: string, questions: readonly string[], report: readonly string[]];

const moodle = (...questions: string[]): string => `<?xml version="1.0"?>\n<quiz>\n${questions.join('\n')}\n</quiz>`;
const asked = (html: string, format = 'html'): string => `<questiontext format="${format}"><text><![CDATA[${html}]]></text></questiontext>`;
const answer = (text: string, share: number | string = 100): string => `<answer fraction="${String(share)}" format="html"><text><![CDATA[${text}]]></text></answer>`;
const choices = (html: string, ...answers: string[]): string => {
  return `<question type="multichoice">${asked(html)}<single>true</single>${answers.join('')}</question>`;
};
const typed = (html: string, format?: string): string => `<question type="shortanswer">${asked(html, format)}${answer('x')}</question>`;
const item = (body: string, declaration = '', prefix = ''): string => {
  const names = `xmlns${prefix && `:${prefix.slice(0, -1)}`}="http://www.imsglobal.org/xsd/imsqti_v2p2"`;
  return `<${prefix}assessmentItem ${names} identifier="i" title="T">${declaration}<${prefix}itemBody>${body}</${prefix}itemBody></${prefix}assessmentItem>`;
};
const right = (values: readonly string[], cardinality = 'single', type = 'identifier', prefix = ''): string => {
  const inside = values.map((value) => `<${prefix}value>${value}</${prefix}value>`).join('');
  return `<${prefix}responseDeclaration identifier="R" cardinality="${cardinality}" baseType="${type}"><${prefix}correctResponse>${inside}</${prefix}correctResponse></${prefix}responseDeclaration>`;
};

export const MOODLE: readonly Oddity[] = [
  [
    'code indented by tabs and by spaces that cannot be broken',
    moodle(typed('<p>Look:</p><pre>if a:\n\tb()</pre><p>and</p><p>for c:<br>&nbsp;&nbsp;&nbsp; d()</p><p>&nbsp;</p>')),
    ['text: Look:⏎if a:⏎\tb()⏎and⏎for c:⏎    d()  = x'],
    [],
  ],
  [
    'a list, a table and a quotation',
    moodle(typed('<ol><li>One</li><li>Two</li></ol><table><tr><td>a</td><td>b</td></tr></table><blockquote>Said</blockquote>')),
    ['text: One⏎Two⏎⏎a b⏎⏎Said  = x'],
    [],
  ],
  [
    'signs of programs that are no tags',
    moodle(choices('Is <b>x</b> < y && y > z in vector<int>?', answer('Map<String, List<Integer>>'), answer('<div>', 0), answer('&lt;p&gt;', 0))),
    ['multiple_choice: Is x < y && y > z in vector<int>?  Map<String, List<Integer>> | <div> | <p>  = Map<String, List<Integer>>'],
    [],
  ],
  [
    'formulas in a text, in a choice, and one that cannot be set',
    moodle(choices('With \\[a < b\\] and \\(\\notacommand{x}\\), and $$c$$5?', answer('\\(x^{2}+1\\)'), answer('\\(\\begin{matrix}1\\\\2\\end{matrix}\\)', 0))),
    ['multiple_choice: With $a < b$ and \\(\\notacommand{x}\\), and $c$ 5?  x²+1 | \\(\\begin{matrix}1\\\\2\\end{matrix}\\)  = x²+1'],
    ['1 in formula 2 “With $a < b$ and \\(\\notacommand{x}\\), and $c$ 5?”'],
  ],
  [
    'MathML in HTML, with and without its source',
    moodle(
      typed('<p>Is <math><msup><mi>x</mi><mn>2</mn></msup></math> or <math><semantics><mi>y</mi><annotation encoding="application/x-tex">\\hat{y}</annotation></semantics></math>?</p>'),
      typed('<p>Is <math><mtable><mtr><mtd><mn>7</mn></mtd></mtr></mtable></math>?</p>'),
    ),
    ['text: Is $x^{2}$ or $\\hat{y}$?  = x', 'text: Is $\\begin{matrix}7\\end{matrix}$?  = x'],
    [],
  ],
  [
    'thirds, a whole that is not whole, and shares that differ',
    moodle(
      `<question type="multichoice">${asked('Thirds?')}<single>false</single>${answer('a', 33.333)}${answer('b', '33,333')}${answer('c', 33.333)}${answer('d', -100)}</question>`,
      `<question type="multichoice">${asked('Half of it?')}<single>false</single>${answer('a', 50)}${answer('b', 0)}</question>`,
      `<question type="multichoice">${asked('More and less?')}<single>false</single>${answer('a', 70)}${answer('b', 30)}${answer('c', 0)}</question>`,
      `<question type="multichoiceset">${asked('All of them?')}${answer('a')}${answer('b')}${answer('c', 0)}</question>`,
    ),
    ['multi_select: Thirds?  a | b | c | d  = a | b | c', 'multi_select: More and less?  a | b | c  = a | b', 'multi_select: All of them?  a | b | c  = a | b'],
    ['2 out unsupported_kind several_answers “Half of it?”', '3 in uneven_answers “More and less?”'],
  ],
  [
    'things in their order, of which others draw a part',
    moodle(`<question type="ordering">${asked('First to last?')}${answer('Two', 2)}${answer('Three', 3)}${answer('One', 1)}<selecttype>RANDOM</selecttype></question>`),
    ['order: First to last?  One | Three | Two  = One | Two | Three'],
    ['- in left_out selection 1'],
  ],
  [
    'numbers in every spelling',
    moodle(
      ...['3.125', '3,14', '12345678901234567890', '6.02*10^23', '−5', '1,234'].map(
        (number) => `<question type="numerical">${asked(`${number}?`)}<answer fraction="100"><text>${number}</text><tolerance>0</tolerance></answer></question>`,
      ),
      `<question type="calculated">${asked('{a} + {b}?')}</question>`,
    ),
    ['numeric: 3.125?  = 3.1250  ± 0', 'numeric: 3,14?  = 3.14  ± 0', 'numeric: 12345678901234567890?  = 12345678901234567890  ± 0', 'numeric: 6.02*10^23?  = 6.02e23  ± 0', 'numeric: −5?  = -5  ± 0'],
    ['6 out malformed “1,234?”', '7 out unsupported_kind calculated “{a} + {b}?”'],
  ],
  [
    'a name space with a prefix, and an attribute that no one expects',
    '<m:quiz xmlns:m="urn:x"><m:question type=" truefalse " extra="1"><m:questiontext format="html"><m:text>Ice floats.</m:text></m:questiontext>' +
      '<m:answer fraction="100"><m:text> true </m:text></m:answer><m:answer fraction="0"><m:text>false</m:text></m:answer></m:question></m:quiz>',
    ['true_false: Ice floats.  True | False  = True'],
    [],
  ],
  [
    'languages in blocks, for others, and nested markup',
    moodle(typed('{mlang de}<b>Was?</b>{mlang}{mlang other}<i>What?</i>{mlang} {mlang fr,en}Now?{mlang}')),
    ['text: Now?  = x'],
    ['- in left_out languages 1'],
  ],
  [
    'a question whose markup has no end, and one after it',
    moodle(`<question type="shortanswer"><name><text>Deep</text></name>${asked(`${'<div>'.repeat(300)}x${'</div>'.repeat(300)}`)}${answer('x')}</question>`, typed('Next?')),
    ['text: Next?  = x'],
    ['1 out malformed “Deep”'],
  ],
  ['a text in the markup of plain files', moodle(typed('a <b> c &amp; d\n  e', 'plain_text')), ['text: a <b> c &amp; d⏎  e  = x'], []],
];

export const GIFT: readonly Oddity[] = [
  [
    'no blank lines and no names',
    'Two?{=2}\nThree? {\n=3\n~4\n}\nWhich is\nfour?{=4 ~5}',
    ['text: Two?  = 2', 'multiple_choice: Three?  3 | 4  = 3', 'multiple_choice: Which is⏎four?  4 | 5  = 4'],
    [],
  ],
  [
    'categories and comments between the lines',
    '$CATEGORY: $course$/top/A//B\n::a::Q1?{=1}\n// said\n$CATEGORY: C\n::b::Q2?{=2}',
    ['# A/B', 'text: Q1?  = 1', '# C', 'text: Q2?  = 2'],
    [],
  ],
  [
    'several gaps, a brace too many, and one that opens again',
    '{=A} is {=B}.\n\nToo many?{=1}}\n\nOpen?{=1\n\nNext?{=2 ~3}',
    ['multiple_choice: Next?  2 | 3  = 2'],
    ['1 out unsupported_kind gaps “{=A} is {=B}.”', '3 out malformed “Too many?{=1}}”', '5 out malformed “Open?{=1”'],
  ],
  [
    'answers with markups of their own, a share for all, and formulas with escaped braces',
    '::h::[html]<p>Which is \\\\(\\\\frac\\{1\\}\\{2\\}\\\\)?</p>{=[plain]<b> ~<i>two</i>}\n\nHalf?{~%50%a ~%50%b ~c}',
    ['multiple_choice: Which is $\\frac{1}{2}$?  <b> | two  = <b>', 'multi_select: Half?  a | b | c  = a | b'],
    [],
  ],
  ['numbers with a decimal comma', 'Pi?{#3,14:0,01}\n\nRange?{#1e-7..3e-7}\n\nWhat?{#abc}', ['numeric: Pi?  = 3.14  ± 0.01', 'numeric: Range?  = 2e-7  ± 1e-7'], ['5 out malformed “What?”']],
  ['a tag as the whole answer', 'Which breaks a line? {=<br> ~<hr>}', ['multiple_choice: Which breaks a line?  <br> | <hr>  = <br>'], []],
];

export const AIKEN: readonly Oddity[] = [
  ['an answer by its text, and one that is no choice', 'Which?\nA) One\nB) Two\nANSWER: Two\n\nWhich?\nA) One\nB) Two\nANSWER: D\n', ['multiple_choice: Which?  One | Two  = Two'], ['6 out answer_not_a_choice “Which?”']],
  [
    'no blank lines, answers joined by a word, feedback',
    'One?\nA. 1\nB. 2\nC. 3\nANSWER: A and C\nFEEDBACK: Both.\nTwo at 9 a.m.?\na. 1\nb. 2\nAnswers : b\n',
    ['multi_select: One?  1 | 2 | 3  = 1 | 3  ! Both.', 'multiple_choice: Two at 9 a.m.?  1 | 2  = 2'],
    [],
  ],
];

export const QTI: readonly Oddity[] = [
  [
    'prefixes, and a formula with a prefix of its own',
    item(
      '<q:choiceInteraction responseIdentifier="R" maxChoices="2"><q:prompt>What is <m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:msqrt><m:mn>9</m:mn></m:msqrt></m:math>?</q:prompt>' +
        '<q:simpleChoice identifier="a">3</q:simpleChoice><q:simpleChoice identifier="b">−3</q:simpleChoice><q:simpleChoice identifier="c">9</q:simpleChoice></q:choiceInteraction>',
      right(['a', 'b'], 'multiple', 'identifier', 'q:'),
      'q:',
    ),
    ['multi_select: What is $\\sqrt{9}$?  3 | −3 | 9  = 3 | −3'],
    [],
  ],
  [
    'an order of which only a part has a place',
    item('<orderInteraction responseIdentifier="R" maxChoices="2"><prompt>Two of three?</prompt>' + ['a', 'b', 'c'].map((id) => `<simpleChoice identifier="${id}">${id}</simpleChoice>`).join('') + '</orderInteraction>', right(['a', 'b'], 'ordered')),
    [],
    ['1 out unsupported_kind ordering “Two of three?”', '- out no_questions', '- out no_questions'],
  ],
  [
    'values by chance',
    item('<p>What is <printedVariable identifier="x"/>?</p><textEntryInteraction responseIdentifier="R"/>', `${right(['1'], 'single', 'integer')}<templateDeclaration identifier="x" cardinality="single" baseType="integer"/>`),
    [],
    ['1 out unsupported_kind calculated “What is ?”', '- out no_questions', '- out no_questions'],
  ],
  [
    'points and code',
    item('<p>What?</p><pre>a\n  b</pre><textEntryInteraction responseIdentifier="R"/>', right(['1.50'], 'single', 'float') + '<outcomeDeclaration identifier="MAXSCORE"><defaultValue><value>3</value></defaultValue></outcomeDeclaration>'),
    ['numeric: What?⏎a⏎  b  = 1.50  ± 0'],
    [],
  ],
];
