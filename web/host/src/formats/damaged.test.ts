// @vitest-environment jsdom
// Files that are broken, cut off, hostile or something else: each is a sentence, and none brings in half a quiz.

import { zipSync } from 'fflate';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { randomFrom, times, WAIT } from '../../../sdk/test/fake.ts';
import { LARGEST_FILE, readFormat } from './formats.ts';
import { questionsOf, readText, reportOf, sample, SAMPLES } from './reading.ts';
import { Zip } from './zip.ts';

const read = (bytes: Uint8Array) => readFormat(bytes, 'From a file');
const text = (name: string) => new TextDecoder().decode(sample(name));

describe('a damaged file is one sentence', () => {
  const cut = (name: string, share: number) => sample(name).slice(0, sample(name).length * share);

  it.each([
    ['bank.moodle.xml', 0.5, 38],
    ['item.qti.xml', 0.7, 14],
    ['mixed.opentdb.json', 0.6, 0],
    ['evening.json', 0.6, 0],
    ['friday.kahoot.xlsx', 0.9, 0],
    ['party.xlsx', 0.5, 0],
    ['sea.qti.zip', 0.98, 0],
  ])('%s cut off at %d', (name, share, line) => {
    const file = read(cut(name, share));
    expect(file.quiz).toBeNull();
    expect(reportOf(file)).toEqual([`- out damaged ${String(line)}`]);
  });

  it('GIFT that ends inside braces, with the line', () => {
    expect(reportOf(readText('One?{=1}\n\nTwo?{=2'))).toEqual(['- out damaged 3']);
  });

  it('XML names the line also for entities that it lacks and for signs that it must not have', () => {
    expect(reportOf(read(sample('entities.moodle.xml')))).toEqual(['- out damaged 3']);
    expect(reportOf(read(sample('control.moodle.xml')))).toEqual(['- out damaged 2']);
  });

  it('Aiken that ends before the answer, with the line', () => {
    const file = readText('One?\nA. 1\nB. 2\nANSWER: A\n\nTwo?\nA. 1\nB. 2\n');
    expect(file.quiz).toBeNull();
    expect(reportOf(file)).toEqual(['- out damaged 6']);
  });

  it('XML with entities of its own', () => {
    const bomb = '<!DOCTYPE quiz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><quiz><question type="essay">&b;</question></quiz>';
    expect(reportOf(readText(bomb))).toEqual(['- out damaged 1']);
  });

  it('an archive with a flipped bit in its content', () => {
    const whole = { 'imsmanifest.xml': new TextEncoder().encode('<manifest>hello there</manifest>') };
    const stored = zipSync(whole, { level: 0 });
    const at = new TextDecoder('latin1').decode(stored).indexOf('hello');
    stored[at] = 0x48;
    expect(reportOf(read(stored))).toEqual(['- out damaged 0']);
  });

  it('an archive that unfolds into more than it says', () => {
    const packed = zipSync({ 'imsmanifest.xml': new Uint8Array(8 * 1_024 * 1_024) });
    const view = new DataView(packed.buffer);
    const directory = view.getUint32(packed.length - 6, true);
    view.setUint32(directory + 24, 1_000, true);
    expect(() => new Zip(packed).read('imsmanifest.xml')).toThrow('damaged');
  });

  it('an archive that says it unfolds into too much', () => {
    const packed = zipSync({ 'imsmanifest.xml': new Uint8Array(33 * 1_024 * 1_024) });
    expect(packed.length).toBeLessThan(100_000);
    expect(reportOf(read(packed))).toEqual(['- out damaged 0']);
  });
});

describe('what is something else', () => {
  it.each([
    ['a letter', 'Dear host,\n\nhello'],
    ['nothing', ''],
    ['a list', '[1, 2, 3]'],
    ['a text in braces', '{hello}'],
  ])('is said to be: %s', (_, content) => {
    const file = readText(content);
    expect(file).toMatchObject({ format: null, quiz: null });
    expect(reportOf(file)).toEqual(['- out not_a_quiz_file']);
  });

  it('is another version of QTI', () => {
    expect(reportOf(readText('<qti-assessment-item/>'))).toEqual(['- out unsupported_version QTI 3.0']);
  });

  it('is too large', () => {
    expect(reportOf(read(new Uint8Array(LARGEST_FILE + 1)))).toEqual(['- out too_large 16']);
  });
});

describe('hostile texts take no longer than others', () => {
  it.each([
    ['blank lines', '\n'.repeat(2_000_000)],
    ['tags that do not close', '<a '.repeat(700_000)],
    ['comments', `${'<!-- > --><!-- -->'.repeat(100_000)}<other/>`],
    ['comments that do not close', '<!--'.repeat(500_000)],
    ['braces', '{ '.repeat(1_000_000)],
    ['signs of GIFT', `::a::Q?{${'=~#:%'.repeat(300_000)}}`],
    ['backslashes', `::a::Q?{=${'\\'.repeat(1_000_000)}}`],
    ['formulas that do not close', `Q? \\\\(${'\\\\(x '.repeat(300_000)}{=a <b}`],
    ['many formulas', `Q? ${Array.from({ length: 20_000 }, (_, at) => `$$x_\\{${String(at)}\\}$$`).join(' ')}{=a}`],
    ['signs that are no tags', `Q? ${'a<b c>d <img <!-- '.repeat(60_000)}{=a}`],
    ['languages that do not end', `Q? \\{mlang ${' '.repeat(200_000)}${'\\{mlang de\\}'.repeat(50_000)}{=a}`],
    ['elements inside elements', `<quiz><question type="shortanswer"><questiontext><text><![CDATA[${'<div>'.repeat(3_000)}x${'</div>'.repeat(3_000)}]]></text></questiontext></question></quiz>`],
    ['formulas inside formulas', `<quiz><question type="shortanswer"><questiontext><text><![CDATA[<math>${'<msqrt>'.repeat(150)}<mi>x</mi>${'</msqrt>'.repeat(150)}</math>]]></text></questiontext></question></quiz>`],
    ['many choices', `<quiz><question type="multichoice"><questiontext><text>Q?</text></questiontext><single>false</single>${'<answer fraction="1"><text>a\nb</text></answer>'.repeat(10_000)}</question></quiz>`],
    ['a table of long names', `question,answer 1,answer 2,${'a1 '.repeat(400_000)},${' '.repeat(400_000)}x\na,b,c,d`],
    ['a long key', `question,answer 1,answer 2,correct\na,b,c,1${' '.repeat(400_000)}x`],
    ['a cell without an end', `question,answers\n"${'a,""'.repeat(400_000)}`],
  ])('%s', (_, content) => {
    const start = performance.now();
    readText(content);
    expect(performance.now() - start).toBeLessThan(10_000);
  }, 60_000);
});

describe('character sets', () => {
  const gift = 'Où est le musée ?{=à Paris}';

  it.each([
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, ...new TextEncoder().encode(gift)]],
    ['UTF-16, small end first', [0xff, 0xfe, ...Buffer.from(gift, 'utf16le')]],
    ['UTF-16, big end first', [0xfe, 0xff, ...Buffer.from(gift, 'utf16le').swap16()]],
  ])('%s needs no remark', (_, bytes) => {
    const file = read(Uint8Array.from(bytes));
    expect(questionsOf(file)[2]).toBe('text: Où est le musée ?  = à Paris');
    expect(file.skipped).toEqual([]);
  });

  it('a single byte for each letter is a guess', () => {
    const file = read(Uint8Array.from(Buffer.from(gift, 'latin1')));
    expect(questionsOf(file)[2]).toBe('text: Où est le musée ?  = à Paris');
    expect(reportOf(file)).toEqual(['- in read_as windows-1252']);
  });

  it('XML says which it is', () => {
    const xml = `<?xml version="1.0" encoding="ISO-8859-2"?><quiz><question type="shortanswer"><questiontext><text>Kto?</text></questiontext>
      <answer fraction="100"><text>\xb6wi\xeaty</text></answer></question></quiz>`;
    const file = read(Uint8Array.from(Buffer.from(xml, 'latin1')));
    expect(questionsOf(file)[2]).toBe('text: Kto?  = święty');
    expect(file.skipped).toEqual([]);
  });
});

describe('limits', () => {
  it('a long list goes on in the next round, up to what a quiz may have', () => {
    const many = readText(Array.from({ length: 520 }, (_, at) => `Q${String(at)}?{=a}`).join('\n\n'));
    expect(many.quiz?.rounds.map(({ questions }) => questions.length)).toEqual([100, 100, 100, 100, 100]);
    expect(reportOf(many)).toEqual(['- out too_many_questions 0 20']);
  });

  it('too many categories', () => {
    const many = readText(Array.from({ length: 53 }, (_, at) => `$CATEGORY: c${String(at)}\n\nQ?{=a}`).join('\n\n'));
    expect(many.quiz?.rounds).toHaveLength(50);
    expect(reportOf(many)).toEqual(['- out too_many_rounds 50 3']);
  });
});

/** A few bytes changed, taken out, doubled, or the rest cut off. */
function mutated(bytes: Uint8Array, random: () => number): Uint8Array {
  const signs = '{}<>=~#:%&;"\'\\/|\n\t\0AZ09é'.split('');
  let list = [...bytes];
  for (let change = 1 + random() * 4; change > 0; change -= 1) {
    const at = Math.floor(random() * list.length);
    const kind = random();
    if (kind < 0.4) list[at] = Math.floor(random() * 256);
    else if (kind < 0.6) list.splice(at, 1 + Math.floor(random() * 20));
    else if (kind < 0.8) list.splice(at, 0, ...new TextEncoder().encode(signs[Math.floor(random() * signs.length)]));
    else if (kind < 0.9) list.splice(at, 0, ...list.slice(at, at + Math.floor(random() * 200)));
    else list = list.slice(0, at);
  }
  return Uint8Array.from(list);
}

describe('a file that was changed by chance', () => {
  it.each(readdirSync(SAMPLES))('%s: comes in with a report or not at all, and nothing is thrown', (name) => {
    const bytes = sample(name);
    const random = randomFrom(name.length);
    for (let round = 0; round < times(20); round += 1) {
      const file = read(mutated(bytes, random));
      if (file.quiz === null) expect(file.skipped.length).toBeGreaterThan(0);
      for (const { questions } of file.quiz?.rounds ?? []) {
        for (const { text: asked, choices, correctAnswers } of questions) {
          expect(asked.trim()).not.toBe('');
          expect(correctAnswers.length).toBeGreaterThan(0);
          if (choices) for (const answer of correctAnswers) expect(choices).toContain(answer);
        }
      }
    }
  }, WAIT);

  it('archives are opened again, too: their parts are changed, not the archive alone', () => {
    for (const name of ['sea.qti.zip', 'friday.kahoot.xlsx', 'party.xlsx']) {
      const zip = new Zip(sample(name));
      const files = Object.fromEntries(zip.names.map((part) => [part, zip.read(part) ?? new Uint8Array()]));
      const random = randomFrom(name.length);
      for (let round = 0; round < times(5); round += 1) {
        const part = zip.names[Math.floor(random() * zip.names.length)] ?? '';
        const file = read(zipSync({ ...files, [part]: mutated(files[part] ?? new Uint8Array([1]), random) }, { level: 0 }));
        expect(file.quiz !== null || file.skipped.length > 0).toBe(true);
      }
    }
  }, WAIT);
});

it('the samples are not all ASCII, so that a wrong character set shows', () => {
  expect(text('science.gift.txt')).toContain('Reykjavík');
});
