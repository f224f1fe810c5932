// Compares answers that are written apart, joined or with other separators, as in crates/rules/src/base/fold/joined.rs: enough for a
// near miss, never for a right answer. Pure; used by the marking desk.

const ARTICLES = new Set(
  'the a an le la les un une des der die das den dem ein eine el los las una uno il lo gli i de het een o os as um uma az ο η το οι τα'.split(' '),
);
const CONJUNCTIONS = new Set('and und et y e i n og och en ve'.split(' '));

const isDigit = (c: string | undefined): boolean => c !== undefined && /^[0-9]$/.test(c);
const isLetter = (c: string | undefined): boolean => c !== undefined && /^\p{Alphabetic}$/u.test(c);

/** A folded answer without its spaces, separators and leading article. */
export function joined(written: string, folded: string): string {
  const words = withoutArticle(written, folded).split(' ');
  let out = '';
  for (const [at, word] of words.entries()) {
    if (isConjunction(word, words[at - 1], words[at + 1])) out += '&';
    else out += `${isDigit(out.at(-1)) && isDigit(word.at(0)) ? ' ' : ''}${join(word)}`;
  }
  return out;
}

function withoutArticle(written: string, folded: string): string {
  if (/^\s*[lL]['’´`]/.test(written)) return folded.length > 1 && folded.startsWith('l') ? folded.slice(1) : folded;
  const end = Math.max(0, folded.search(/[ 0-9]/));
  const [article, rest] = [folded.slice(0, end), folded.slice(end)];
  if ((rest.startsWith(' ') || article.length > 1) && ARTICLES.has(article)) return rest.trimStart();
  return folded.startsWith('ال') && Array.from(folded).length > 4 ? folded.slice(2) : folded;
}

/** Within a name. A conjunction of a single letter is between longer words; otherwise it is a letter. */
function isConjunction(word: string, before = '', after = ''): boolean {
  const least = word.length > 1 ? 1 : 3;
  return CONJUNCTIONS.has(word) && [before, after].every((neighbour) => Array.from(neighbour).length >= least);
}

function join(word: string): string {
  const letters = Array.from(word);
  return letters.map((c, at) => joinedSign(c, letters, at)).join('');
}

function joinedSign(c: string, letters: readonly string[], at: number): string {
  const [before, after] = [letters[at - 1], letters[at + 1]];
  const between = (is: (c: string | undefined) => boolean): boolean => is(before) && is(after);
  if ('/:_-'.includes(c) && between(isDigit)) return ' ';
  if (c === '-') return isDigit(after) ? '-' : '';
  if (c === '.' && between(isDigit)) return isOfThousands(letters, at) ? '' : '.';
  const ornament = between(isLetter) ? { '!': 'i', $: 's', '@': 'a' }[c] : undefined;
  if (ornament !== undefined) return ornament;
  if ((c === '#' || c === '@') && before === undefined && isLetter(after)) return '';
  return '/._'.includes(c) ? '' : c;
}

function isOfThousands(letters: readonly string[], at: number): boolean {
  const before = /\d*$/.exec(letters.slice(0, at).join(''))?.[0] ?? '';
  const after = /^\d*/.exec(letters.slice(at + 1).join(''))?.[0].length ?? 0;
  return after === 3 && before.length <= 3 && !before.startsWith('0');
}
