// @vitest-environment jsdom
// Spreadsheets as programs write them: cells as they show their numbers, and packages whose parts stand anywhere.

import { expect, it } from 'vitest';

import { readFormat } from './formats.ts';
import { questionsOf, reportOf } from './reading.ts';
import { sheetsOf } from './sheets.ts';
import { type TestCell, testBook } from './testbook.ts';
import { Zip } from './zip.ts';

const cellsOf = (rows: readonly (readonly TestCell[])[], date1904 = false) => sheetsOf(new Zip(testBook(rows, { date1904 })))?.[0]?.rows ?? [];

it.each<[value: number, format: string | number, shown: string]>([
  [3.125, 'General', '3.125'],
  [0.1 + 0.2, 0, '0.3'],
  [123456789012345, 0, '123456789012345'],
  [25404, 14, '1969-07-20'],
  [45749.5, 22, '2025-04-02 12:00'],
  [45749, 15, '2-Apr-25'],
  [45749, 17, 'Apr-25'],
  [45749, 'dd.mm.yyyy', '02.04.2025'],
  [45749, '[$-407]d. mmmm yyyy', '2. April 2025'],
  [45749, '[$-F800]dddd, mmmm dd, yyyy', 'Wednesday, April 2, 2025'],
  [0.625, 18, '3:00 PM'],
  [0.625, 20, '15:00'],
  [1.5, 46, '36:00:00'],
  [0.71, 9, '71%'],
  [0.0712, 10, '7.12%'],
  [5.5, '#,##0.00 "€"', '5.50 €'],
  [1234.5, '_("$"* #,##0.00_)', '$1,234.50'],
  [1000000, 3, '1,000,000'],
  [12345, 11, '1.23E+04'],
  [0.75, 12, '3/4'],
  [2.5, 13, '2 1/2'],
  [0.375, '# ?/8', '3/8'],
  [5, '0" km"', '5 km'],
  [7, '0000', '0007'],
  [-5, '0.00;[Red]-0.00', '-5.00'],
  [5, 49, '5'],
])('%d by %s shows %s', (value, format, shown) => {
  expect(cellsOf([[[value, format]]])[0]?.cells).toEqual([shown]);
});

it('days of old Macs count from 1904', () => {
  expect(cellsOf([[[24000, 14]]], true)[0]?.cells).toEqual(['1969-09-16']);
  expect(cellsOf([[{ raw: 't="d" s="1"><v>1969-07-20T00:00:00</v>' }, [1, 14]]], true)[0]?.cells).toEqual(['1969-07-20', '1904-01-02']);
});

it.each<[what: string, cell: TestCell]>([
  ['an error', { raw: 't="e"><v>#DIV/0!</v>' }],
  ['a formula without its value', { raw: '><f>A1+1</f>' }],
  ['a text that the file does not have', { raw: 't="s"><v>7</v>' }],
  ['a format that is none', [5, '"unfinished']],
  ['a date before all dates', [-800000, 'yyyy-mm-dd']],
  ['no number', { raw: '><v>five</v>' }],
])('%s is a cell that cannot be read', (_, cell) => {
  expect(cellsOf([['A', cell]])[0]?.unread).toEqual(new Set([1]));
});

it('numbers of our own columns are what they are, whatever shows them', () => {
  const file = readFormat(
    testBook([
      ['question', 'type', 'answers', 'points', 'tolerance', 'time_limit'],
      ['Grams?', 'numeric', 453.592, [1000, 3], [0.5, '0.00'], 30],
      ['Thousand?', 'numeric', [1665, 3], 1, 0, 30],
      ['Pi?', 'numeric', [3.14159, '0.00'], 1, 0, 30],
      ['Share?', 'numeric', [0.71, 9], 1, 0, 30],
      ['Version?', 'text', 3.125, 1, '', 30],
    ]),
    'From a file',
  );
  expect(questionsOf(file).slice(2)).toEqual([
    'numeric: Grams?  = 453.5920  ± 0.5  1000 p  30 s',
    'numeric: Thousand?  = 1665  ± 0  1 p  30 s',
    'numeric: Pi?  = 3.14  ± 0  1 p  30 s',
    'text: Version?  = 3.125  1 p  30 s',
  ]);
  expect(reportOf(file)).toEqual(['5 out answer_not_a_number “Share?”']);
});

const ROWS = [['question', 'answers'], ['Capital of Peru?', 'Lima']];

it.each<[what: string, change: (files: Record<string, string>) => Record<string, string>]>([
  ['absolute targets', (files) => replaced(files, 'xl/_rels/workbook.xml.rels', 'worksheets/', '/xl/worksheets/')],
  ['targets with dots', (files) => replaced(files, 'xl/_rels/workbook.xml.rels', 'worksheets/', '../xl/./worksheets/')],
  ['another folder', (files) => moved(files, [['xl/', 'book/'], ['"xl/', '"book/'], ['"/xl/', '"/book/']])],
  ['another workbook', (files) => moved(files, [['workbook.xml', 'workbook22.xml']])],
  ['names in capitals', (files) => Object.fromEntries(Object.entries(files).map(([name, text]) => [name.toUpperCase(), text]))],
  ['backslashes', (files) => Object.fromEntries(Object.entries(files).map(([name, text]) => [name.replaceAll('/', '\\'), text]))],
  ['percent signs', (files) => replaced(moved(files, [['sheet1.xml', 'sheet 1.xml']]), 'xl/_rels/workbook.xml.rels', 'sheet 1', 'sheet%201')],
  ['a sheet of any name', (files) => moved(files, [['worksheets/sheet1.xml', 'a.xml']])],
  ['no relationships of the package', (files) => without(files, '_rels/.rels')],
  ['no content types', (files) => without(files, '[Content_Types].xml')],
  ['neither', (files) => without(without(files, '_rels/.rels'), '[Content_Types].xml')],
  ['content types alone', (files) => without(moved(files, [['xl/', 'x/'], ['"/xl/', '"/x/']]), '_rels/.rels')],
  ['the strict version of the standard', (files) => moved(files, [['http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'http://purl.oclc.org/ooxml/officeDocument/relationships']])],
])('a package with %s', (_, change) => {
  const file = readFormat(testBook(ROWS, { change }), 'From a file');
  expect(questionsOf(file)).toEqual(['From a file', '# ', 'text: Capital of Peru?  = Lima']);
  expect(file.skipped).toEqual([]);
});

it('a package whose sheet is missing is damaged', () => {
  const file = readFormat(testBook(ROWS, { change: (files) => without(files, 'xl/worksheets/sheet1.xml') }), 'From a file');
  expect(reportOf(file)).toEqual(['- out damaged 0']);
});

function replaced(files: Record<string, string>, name: string, from: string, to: string): Record<string, string> {
  return { ...files, [name]: (files[name] ?? '').replaceAll(from, to) };
}

/** The same words in names and contents. */
function moved(files: Record<string, string>, words: readonly (readonly [from: string, to: string])[]): Record<string, string> {
  const change = (text: string): string => words.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [change(name), change(text)]));
}

function without(files: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([each]) => each !== name));
}
