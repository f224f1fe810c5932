// Finds the right choices from the key column of a table: numbers of choices, their letters or their texts. An ambiguous cell is read only
// if the rest of the column decides its meaning. Used by tables.ts. Pure.

/** The contents of the key of a table. */
export type KeyStyle = 'numbers' | 'letters' | 'texts';

/** The key of one question. */
export interface KeyCell {
  readonly text: string;
  /** The number in a cell; null where it shows something else, such as a date. */
  readonly number?: number | null;
  /** The choices by column; empty where the row has none. */
  readonly offered: readonly string[];
  /** The names of these columns. */
  readonly names: readonly string[];
}

/** The most characters of a list of numbers or letters: twenty of them, with some space between. */
const LONGEST_LIST = 100;

type Readings = Partial<Record<KeyStyle, readonly number[]>>;

const STYLES: readonly KeyStyle[] = ['numbers', 'letters', 'texts'];

/** The right choices of each question, from 0; null where they are unclear. `style` is the style that the format requires, if any. */
export function rightChoices(cells: readonly KeyCell[], style?: KeyStyle): (readonly number[] | null)[] {
  const all = cells.map(readingsOf);
  const decisive = new Set(all.map(onlyStyle).filter((only) => only !== undefined));
  const [found] = decisive.size === 1 ? decisive : [];
  return all.map((readings, at) => chosen(readings, cells[at], style, style ?? found));
}

function chosen(readings: Readings, cell: KeyCell | undefined, demanded?: KeyStyle, style?: KeyStyle): readonly number[] | null {
  const usual = style && readings[style];
  if (usual) return usual;
  if (demanded === 'texts') return null;
  // Where numbers are required, another number, a date or a share is a mistake and not the text of a choice.
  if (demanded === 'numbers' && (cell?.number !== undefined || !/\p{L}/u.test(cell?.text ?? ''))) return null;
  const distinct = new Set(Object.values(readings).map(String));
  return distinct.size === 1 ? (Object.values(readings)[0] ?? null) : null;
}

/** Whether the cell is a list of the numbers of choices. */
export function isNumbers(cell: KeyCell): boolean {
  return numbersOf(cell) !== undefined;
}

function readingsOf(cell: KeyCell): Readings {
  const [numbers, letters, texts] = [numbersOf(cell), lettersOf(cell), textsOf(cell)];
  return { ...(numbers && { numbers }), ...(letters && { letters }), ...(texts && { texts }) };
}

/** The only way in which a cell can be read. */
function onlyStyle(readings: Readings): KeyStyle | undefined {
  const [only, ...more] = STYLES.filter((style) => readings[style]);
  return more.length === 0 ? only : undefined;
}

/** `2` or `1, 3`. With a decimal comma, a spreadsheet reads `1,3` as the number 1.3. */
function numbersOf({ text, number, offered }: KeyCell): number[] | undefined {
  const list = typeof number === 'number' ? String(number) : number === null ? '' : text.trim();
  if (list.length > LONGEST_LIST || !/^\d{1,2}(?:\s*[,;.\s]\s*\d{1,2})*$/.test(list)) return undefined;
  return offeredAt((list.match(/\d+/g) ?? []).map((each) => Number(each) - 1), offered);
}

function lettersOf({ text, number, offered }: KeyCell): number[] | undefined {
  if (number !== undefined || text.length > LONGEST_LIST || !/^[a-t][.)]?(?:\s*[,;\s]\s*[a-t][.)]?)*$/i.test(text.trim())) return undefined;
  return offeredAt((text.toLowerCase().match(/[a-t]/g) ?? []).map((each) => each.charCodeAt(0) - 97), offered);
}

/** The text of a choice, the name of its column, or a list of texts. */
function textsOf(cell: KeyCell): number[] | undefined {
  const whole = choiceOf(cell.text.trim(), cell);
  return whole === undefined ? listOf(cell.text.trim().toLowerCase(), cell.offered) : [whole];
}

/** A list of texts, which may contain commas: the longest text that fits is used. */
function listOf(list: string, offered: readonly string[]): number[] | undefined {
  const choices = offered.map((choice, at) => ({ choice: choice.toLowerCase(), at })).filter(({ choice }) => choice !== '');
  choices.sort((a, b) => b.choice.length - a.choice.length);
  const found: number[] = [];
  for (let rest = list; rest !== ''; ) {
    const next = choices.find(({ choice }) => rest.startsWith(choice) && /^\s*(?:$|[,;|\n])/.test(rest.slice(choice.length)));
    if (!next || found.includes(next.at)) return undefined;
    found.push(next.at);
    rest = rest.slice(next.choice.length).replace(/^\s*[,;|\n]?\s*/, '');
  }
  return found.length > 0 ? found.sort((a, b) => a - b) : undefined;
}

function choiceOf(text: string, { offered, names }: KeyCell): number | undefined {
  if (text === '') return undefined;
  const plain = text.toLowerCase();
  const ways = [
    offered.map((choice) => choice === text),
    offered.map((choice) => choice.toLowerCase() === plain),
    names.map((name, at) => name === plain && name.length > 1 && offered[at] !== ''),
  ];
  const places = ways.find((way) => way.includes(true));
  return places?.filter(Boolean).length === 1 ? places.indexOf(true) : undefined;
}

function offeredAt(places: readonly number[], offered: readonly string[]): number[] | undefined {
  return places.every((place) => (offered[place] ?? '') !== '') ? [...new Set(places)].sort((a, b) => a - b) : undefined;
}
