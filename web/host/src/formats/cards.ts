// Flash cards with a question and an answer: notes that Anki exports as text, and pairs from Quizlet. They become questions with a written
// answer. Used by formats.ts.

import type { QuizFile } from '$sdk';
import { type CsvRow, readCsv } from '$sdk/csv.ts';

import { plainOfHtml } from './markup.ts';
import { type Found, quizOf, unsupported } from './readquiz.ts';
import type { Source } from './source.ts';

/** Anki's names for the separators of the fields of a note. */
const SEPARATORS: Readonly<Record<string, string>> = { tab: '\t', comma: ',', semicolon: ';', pipe: '|', colon: ':', space: ' ' };

/** The lines before the notes that describe their form: `#html:true`. */
const SETTING = /^#([a-z][a-z ]*):(.*)$/i;

/** The least number of pairs that count as cards without such a description. */
const FEWEST_PAIRS = 2;

/** The description in the lines before the notes. */
type Settings = ReadonlyMap<string, string>;

/** Whether the text describes the form of its notes. */
export function isAnki({ text }: Source): boolean {
  return /^\ufeff?#(?:separator|html|notetype|deck|tags)(?: column)?:/i.test(text);
}

/** Reads each note: the first field is the question, the second is the answer. */
export function readAnki({ text, title }: Source): QuizFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const count = lines.findIndex((line) => !SETTING.test(line));
  const head = lines.slice(0, count < 0 ? lines.length : count).map((line) => SETTING.exec(line) ?? []);
  const settings = new Map(head.map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]));
  const said = settings.get('separator') ?? 'tab';
  const rows = readCsv(`sep=${SEPARATORS[said.toLowerCase()] ?? said.charAt(0)}\n${lines.slice(head.length).join('\n')}`);
  // The line that names the separator counts for the removed lines.
  return quizOf(title, rows.map((row) => noteOf({ ...row, line: row.line - 1 + head.length }, settings)));
}

/** Whether each line has two fields separated by a tab. */
export function isPairs({ tables: [table], text }: Source): boolean {
  const rows = table?.rows ?? [];
  return rows.length >= FEWEST_PAIRS && text.includes('\t') && rows.every(({ cells: [front, back, ...more] }) => {
    return more.length === 0 && front?.trim() !== '' && (back ?? '').trim() !== '';
  });
}

/** Reads each line: the first field is the question, the second is the answer. */
export function readPairs({ tables: [table], title }: Source): QuizFile {
  const rows = table?.rows ?? [];
  return quizOf(title, rows.map(({ at, cells: [text = '', answer = ''] }) => ({ at, round: '', raw: { text, type: 'text', correctAnswers: [answer] } })));
}

function noteOf({ line, cells }: CsvRow, settings: Settings): Found {
  const columns = ['guid', 'notetype', 'deck', 'tags'].map((name) => Number(settings.get(`${name} column`) ?? 0) - 1);
  const tags = (cells[columns[3] ?? -1] ?? '').split(' ').filter((tag) => tag !== '');
  const fields = cells.filter((_, at) => !columns.includes(at));
  const isHtml = settings.get('html')?.toLowerCase() !== 'false';
  const [front, back, ...more] = fields.map((field) => (isHtml ? plainOfHtml(field) : { text: field, media: [] }));
  const sounds = fields.slice(0, 2).join('').match(/\[sound:[^\]]*\]/g)?.length ?? 0;
  const [text, answer] = [front, back].map((plain) => (plain?.text ?? '').replace(/\[sound:[^\]]*\]/g, '').trim());
  return {
    at: line,
    round: '',
    raw: { text: text ?? '', type: 'text', correctAnswers: [answer ?? ''], tags },
    remarks: /\{\{c\d+::/.test(text ?? '') ? [unsupported('gaps')] : [],
    beside: more.some((field) => field.text !== '') ? ['card_fields'] : [],
    media: (front?.media.length ?? 0) + (back?.media.length ?? 0) + sounds,
  };
}
