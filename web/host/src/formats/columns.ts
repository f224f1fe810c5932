// Recognises the columns of a table of questions by their names: those of Kahoot, Quizizz, Blooket and Gimkit, and those of people's own
// tables. Used by tables.ts. Pure.

/** The contents of columns that occur once. */
const NAMES = {
  question: [
    ...['question text', 'question', 'questions', 'prompt', 'term', 'text', 'frage', 'fragetext', 'pregunta', 'texto de la pregunta'],
    ...['intitulé', 'énoncé', 'domanda', 'pergunta', 'vraag', 'pytanie', 'fråga', 'otázka', 'вопрос', 'питання'],
  ],
  key: [
    ...['correct answers', 'correct answer', 'correct options', 'correct option', 'correct choices', 'correct choice', 'right answers'],
    ...['right answer', 'correct', 'solution', 'answer key', 'key', 'answers', 'answer', 'definition'],
    ...['richtige antworten', 'richtige antwort', 'korrekte antwort', 'richtig', 'lösung', 'antwort', 'antworten'],
    ...['respuestas correctas', 'respuesta correcta', 'correcta', 'respuesta', 'solución'],
    ...['bonnes réponses', 'bonne réponse', 'réponses correctes', 'réponse correcte', 'réponse', 'solution'],
    ...['risposta corretta', 'resposta correta', 'juiste antwoord', 'correct antwoord', 'poprawna odpowiedź', 'rätt svar'],
    ...['správná odpověď', 'правильный ответ', 'ответ', 'правильна відповідь'],
  ],
  type: ['question type', 'type', 'fragetyp', 'typ', 'tipo', 'tipo de pregunta', 'type de question'],
  time: [
    ...['time limit', 'time in seconds', 'time allotted to answer', 'time', 'timer', 'seconds', 'duration', 'zeitlimit', 'zeit', 'sekunden'],
    ...['tiempo límite', 'límite de tiempo', 'tiempo', 'tiempo en segundos', 'segundos', 'limite de temps', 'temps', 'secondes'],
  ],
  explanation: ['answer explanation', 'explanation', 'feedback', 'erklärung', 'erläuterung', 'explicación', 'explication'],
  points: ['points', 'punkte', 'puntos'],
  tolerance: ['tolerance', 'toleranz', 'tolerancia', 'tolérance'],
  round: ['round', 'runde', 'ronda', 'manche'],
  tags: ['tags', 'tag'],
  note: ['host note'],
  picture: ['image link', 'image url', 'image', 'picture', 'media', 'bild', 'imagen', 'photo'],
  /** A running number without a meaning. */
  number: ['question number', 'question #', '#', 'no', 'no.', 'nr', 'nr.', 'id', 'number', 'nummer', 'número', 'numéro'],
} as const satisfies Record<string, readonly string[]>;

/** The content of a column that occurs once. */
export type Role = keyof typeof NAMES;

/** The names of numbered or lettered columns of choices, before the number. */
const CHOICES = new Set([
  ...['answer', 'option', 'choice', 'answer option', 'answer choice', 'possible answer', 'alternative', 'antwort', 'antwortmöglichkeit'],
  ...['auswahl', 'opción', 'opcion', 'respuesta', 'réponse', 'reponse', 'choix', 'option de réponse', 'opzione', 'risposta', 'opção'],
  ...['resposta', 'antwoord', 'optie', 'odpowiedź', 'svar', 'odpověď', 'ответ', 'вариант', 'відповідь', ''],
]);

/** The names of columns of wrong choices, before the number. */
const WRONG = new Set(['incorrect answer', 'wrong answer', 'incorrect', 'wrong', 'distractor', 'falsche antwort', 'respuesta incorrecta', 'mauvaise réponse']);

/** The most choices that are read from a table. */
const MOST = 20;

/** The most characters of a column's name. A longer text is not a name, and examining it would take long. */
const LONGEST_NAME = 200;

const nameOf = (cell: string): string => (cell.length > LONGEST_NAME ? '' : cell);

/** The places of the contents of a table. */
export interface Columns {
  readonly roles: ReadonlyMap<Role, number>;
  /** The columns of the choices, in their order; empty where only the key exists. */
  readonly choices: readonly number[];
  /** The columns of wrong choices, where the right one has a separate column. */
  readonly wrong: readonly number[];
  /** The columns with unknown names. */
  readonly unknown: readonly number[];
}

/** The columns of a table whose first row this is; undefined where no question or no right answer has a name. */
export function columnsOf(head: readonly string[]): Columns | undefined {
  const names = head.map(plainName);
  const choices = numbered(names, CHOICES);
  const wrong = wrongOf(names);
  const roles = rolesOf(names, new Set([...choices, ...wrong]));
  if (!roles.has('question') || !roles.has('key')) return undefined;
  const used = new Set([...roles.values(), ...choices, ...wrong]);
  const unknown = names.flatMap((name, at) => (name === '' || used.has(at) ? [] : [at]));
  return { roles, choices, wrong, unknown };
}

/** Whether there is a column for each choice. */
export function hasChoiceColumns(head: readonly string[]): boolean {
  const names = head.map(plainName);
  return numbered(names, CHOICES).length > 0 || wrongOf(names).length > 0;
}

/** The template of Kahoot in a language that is not known here: the question and each answer name how long they may be. */
export function templateOf(cells: readonly string[]): Columns | undefined {
  const head = cells.map(nameOf);
  const isLimited = (name: string | undefined): boolean => /\p{L}.*\d{2,3}(?!\d)/su.test(name ?? '');
  const first = head.findIndex((name) => /^\D*\p{L}\D*1\D+\d{2,3}\D/u.test(name));
  const stem = /^\D*/.exec(head[first] ?? '')?.[0] ?? '';
  let end = first;
  while (end - first < MOST && (head[end] ?? '').startsWith(`${stem}${String(end - first + 1)}`) && isLimited(head[end])) end += 1;
  if (first < 1 || end - first < 2 || !isLimited(head[first - 1])) return undefined;
  const [time = '', key = ''] = head.slice(end);
  if (time.trim() === '' || key.trim() === '') return undefined;
  const choices = Array.from({ length: end - first }, (_, at) => first + at);
  const roles = new Map<Role, number>([['question', first - 1], ['time', end], ['key', end + 1]]);
  const unknown = head.flatMap((name, at) => (name.trim() === '' || (at >= first - 1 && at <= end + 1) ? [] : [at]));
  return { roles, choices, wrong: [], unknown };
}

/** The name of a column without its explanation: `Answer 3 (Optional)`, `Question - max 120 characters`. */
export function plainName(cell: string): string {
  const name = nameOf(cell).normalize('NFC').trim().toLowerCase();
  const short = name.replace(/\s*(?:[([\n:]|\s[-–—]\s)[^]*$/u, '') || name;
  return short.replace(/[\s_]+/g, ' ').trim();
}

/** Columns called `… 1`, `… 2` or `… a`, `… b` after one of these words, from the first one without a gap; at least two. */
function numbered(names: readonly string[], words: ReadonlySet<string>): number[] {
  const places = new Map<string, (number | undefined)[]>();
  for (const [at, name] of names.entries()) {
    const [, word = '', index = ''] = /^(.*?)[\s._-]*(\d{1,2}|[a-t])$/u.exec(name) ?? [];
    if (!words.has(word) || index === '' || (word === '' && /\d/.test(index))) continue;
    const isLetter = /[a-t]/.test(index);
    const row = `${word} ${String(isLetter)}`;
    const place = isLetter ? index.charCodeAt(0) - 97 : Number(index) - 1;
    const known = places.get(row) ?? [];
    known[place] ??= at;
    places.set(row, known);
  }
  const whole = [...places.values()].map((row) => {
    const gap = Array.from(row).indexOf(undefined);
    return row.slice(0, gap < 0 ? MOST : gap).filter((at) => at !== undefined);
  });
  const [longest = []] = whole.sort((a, b) => b.length - a.length);
  return longest.length >= 2 ? longest.slice(0, MOST) : [];
}

function wrongOf(names: readonly string[]): number[] {
  return names.flatMap((name, at) => (WRONG.has(name.replace(/\s*\d{1,2}$/, '')) && /\d$/.test(name) ? [at] : []));
}

/** Of several columns that could have the same content, the one with the clearest name. */
function rolesOf(names: readonly string[], taken: ReadonlySet<number>): Map<Role, number> {
  const roles = new Map<Role, number>();
  for (const [role, words] of Object.entries(NAMES) as [Role, readonly string[]][]) {
    const word = words.find((each) => names.some((name, at) => name === each && !taken.has(at)));
    if (word !== undefined) roles.set(role, names.findIndex((name, at) => name === word && !taken.has(at)));
  }
  return roles;
}
