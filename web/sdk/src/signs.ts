// Which signs of a text count, as in crates/rules/src/base/fold/signs.rs, which explains each rule. Pure; used by fold.ts on letters
// that letters.ts has made equal.

import { decimalOf, ungroup } from './number.ts';

const SHORT = 2;

const isDigit = (c: string | undefined): boolean => c !== undefined && /^[0-9]$/.test(c);
const isLetter = (c: string | undefined): boolean => c !== undefined && !isDigit(c) && /^[\p{L}\p{M}\p{N}]$/u.test(c);
const isWord = (c: string | undefined): boolean => isDigit(c) || isLetter(c);
const isSpace = (c: string | undefined): boolean => c !== undefined && /^\p{White_Space}$/u.test(c);
const isOperator = (c: string | undefined): boolean => c !== undefined && /^[&^\p{Sm}]$/u.test(c);
const isCurrency = (c: string | undefined): boolean => c !== undefined && /^\p{Sc}$/u.test(c);
/** Letters of scripts that write no space between words. */
const SPACELESS = /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\u{20000}-\u{3ffff}]$/u;

/** The text without the signs that do not count, and without needless spaces. */
export function bare(text: readonly string[]): string[] {
  return new Scan(text).run();
}

class Scan {
  readonly #text: readonly string[];
  #at = 0;
  #out: string[] = [];
  #gap = false;
  #isQuoted = false;
  #isStarred = false;
  #isSpread = false;
  #isJoining = false;
  #unit: string | null = null;

  constructor(text: readonly string[]) {
    this.#text = text;
  }

  run(): string[] {
    for (let c = this.#text[this.#at]; c !== undefined; c = this.#text[this.#at]) {
      if (isDigit(c)) {
        this.#number();
        continue;
      }
      if (isSpace(c)) {
        this.#gap = true;
        this.#isSpread = false;
      } else if (isLetter(c)) this.#keep(c);
      else this.#sign(c);
      this.#at += 1;
    }
    return this.#out;
  }

  #sign(c: string): void {
    switch (c) {
      case "'":
      case '"':
        this.#quote(c);
        return;
      case '.':
        this.#point();
        return;
      case ',':
        this.#comma();
        return;
      case ':':
        if (isDigit(this.#last()) && isDigit(this.#ahead())) this.#join(c);
        else this.#pause();
        return;
      case '-':
        this.#dash();
        return;
      case '/':
        this.#slash();
        return;
      case '*':
        this.#star();
        return;
      case '&':
        this.#keep(c);
        return;
      case '#':
        this.#keepIf(c, this.#touchesWord() || isDigit(this.#ahead()));
        return;
      case '@':
        this.#keepIf(c, this.#touchesWord());
        return;
      case '!':
        this.#keepIf(c, this.#isBetween(isLetter));
        return;
      case '\u00a7':
        this.#keepIf(c, isDigit(this.#ahead()));
        return;
      case ';':
      case '?':
      case '\\':
      case '\u1361':
        this.#pause();
        return;
      default:
        this.#otherSign(c);
    }
  }

  #otherSign(c: string): void {
    if (c === '+' && this.#out.length === 0 && isDigit(this.#after())) return;
    if (c === '^' && isLetter(this.#before()) && isDigit(this.#after())) return;
    if (c === '%' || c === '‰' || isCurrency(c)) this.#ofUnit(c);
    else if (c === '_' && this.#isBetween(isDigit)) this.#keep(c);
    else if (/^\p{P}$/u.test(c)) this.#gap ||= this.#isBetween(isDigit);
    else this.#keep(c);
  }

  /** Feet and minutes count; an apostrophe and a quote do not. */
  #quote(c: string): void {
    const after = this.#after();
    if (!isDigit(this.#before())) this.#isQuoted = true;
    else if (isDigit(after) || !(this.#isQuoted || isLetter(after))) this.#keep(c);
  }

  #point(): void {
    const [before, after] = [this.#before(), this.#after()];
    if (after === '.' || this.#text[this.#at - 1] === '.') this.#pause();
    else if (isLetter(before) && isLetter(after)) {
      this.#isSpread ||= this.#isLongWordBefore() || this.#isLongWordAfter();
      if (this.#isSpread) this.#pause();
    } else if (!isWord(before)) {
      if (isDigit(after)) this.#keep('0');
      this.#keepIf('.', isWord(after));
    }
  }

  #comma(): void {
    const begins = this.#out.length === 0 || this.#before() === '-';
    if (begins && isDigit(this.#after())) {
      this.#keep('0');
      this.#keep('.');
    } else this.#pause();
  }

  #dash(): void {
    const [before, after, last, ahead] = [this.#before(), this.#after(), this.#last(), this.#ahead()];
    const second = this.#text[this.#at + 2];
    const amount = after !== undefined && !isCurrency(after) ? after : second;
    const isTerm = isDigit(last) || isCurrency(last) || (last !== undefined && '%‰°\'"'.includes(last));
    if (after === '-' || this.#text[this.#at - 1] === '-') this.#pause();
    else if (isDigit(ahead) && isTerm) this.#join('-');
    else if (isWord(before)) {
      if (!isWord(after)) this.#keepIf('-', isLetter(before) && !this.#isLongWordBefore() && !isDigit(ahead));
    } else if (isDigit(amount) || (last === undefined && isDigit(ahead))) this.#keep('-');
    else this.#keepIf('-', isLetter(after) && !isWord(second));
  }

  #slash(): void {
    const [last, ahead] = [this.#last(), this.#ahead()];
    if ((isDigit(last) || isDigit(ahead)) && isWord(last) && isWord(ahead)) this.#join('/');
    else if (!this.#isBetween(isLetter)) this.#pause();
  }

  #star(): void {
    const [last, ahead, before] = [this.#last(), this.#ahead(), this.#before()];
    if ((isDigit(last) || isDigit(ahead)) && isWord(last) && isWord(ahead)) this.#join('*');
    else if (this.#isBetween(isLetter)) return;
    else if (isWord(before) || before === '*') this.#keepIf('*', !this.#isStarred);
    else {
      this.#isStarred = true;
      this.#pause();
    }
  }

  /** Units of one sign are moved right after their number, wherever they were written. */
  #ofUnit(c: string): void {
    const follows = isDigit(this.#last());
    const leads = isDigit(this.#ahead()) && !(follows && (!this.#gap || !isDigit(this.#after())));
    if (leads && this.#unit === null) this.#unit = c;
    else if (follows) this.#attach(c);
    else this.#keepIf(c, isCurrency(c) || this.#touchesWord());
  }

  #number(): void {
    const end = endOfNumber(this.#text, this.#at, this.#gap && isDigit(this.#last()));
    this.#makeRoom(this.#text[this.#at] ?? '');
    this.#out.push(...spelledNumber(this.#text.slice(this.#at, end)));
    if (this.#unit !== null) this.#out.push(this.#unit);
    this.#unit = null;
    this.#at = end;
  }

  #keep(c: string): void {
    this.#makeRoom(c);
    this.#out.push(c);
  }

  #keepIf(c: string, counts: boolean): void {
    if (counts) this.#keep(c);
    else this.#pause();
  }

  /** Keeps a sign between two terms, without space around it. */
  #join(c: string): void {
    this.#attach(c);
    this.#isJoining = true;
  }

  #attach(c: string): void {
    this.#gap = false;
    this.#out.push(c);
  }

  #pause(): void {
    this.#gap ||= !SPACELESS.test(this.#before() ?? '');
  }

  /** A space between a letter and a digit, around operators and before units has no meaning. */
  #makeRoom(next: string): void {
    const last = this.#last();
    const isApart = this.#gap && !this.#isJoining;
    this.#gap = false;
    this.#isJoining = false;
    if (!isApart || last === undefined) return;
    const isMixed = (isLetter(last) && isDigit(next)) || (isDigit(last) && isLetter(next));
    const isOfSign = isOperator(last) || isOperator(next) || (last === '°' && /^[cfk]$/.test(next));
    const isOfNumber = (isDigit(next) && '-\'"#\u00a7'.includes(last)) || (isDigit(last) && '°%‰'.includes(next));
    if (!isMixed && !isOfSign && !isOfNumber) this.#out.push(' ');
  }

  #last(): string | undefined {
    return this.#out.at(-1);
  }

  #before(): string | undefined {
    return this.#gap ? undefined : this.#out.at(-1);
  }

  #after(): string | undefined {
    const after = this.#text[this.#at + 1];
    return isSpace(after) ? undefined : after;
  }

  #ahead(): string | undefined {
    let at = this.#at + 1;
    while (isSpace(this.#text[at])) at += 1;
    return this.#text[at];
  }

  #touchesWord(): boolean {
    return isWord(this.#before()) || isWord(this.#after());
  }

  #isBetween(is: (c: string | undefined) => boolean): boolean {
    return is(this.#before()) && is(this.#after());
  }

  #isLongWordBefore(): boolean {
    const before = this.#text.slice(Math.max(0, this.#at - SHORT - 1), this.#at);
    return before.length > SHORT && before.every(isWord);
  }

  #isLongWordAfter(): boolean {
    const next = this.#text.slice(this.#at + 1, this.#at + SHORT + 2);
    return next.length > SHORT && next.every(isWord);
  }
}

function endOfNumber(text: readonly string[], at: number, isListed: boolean): number {
  const digits = (from: number): number => {
    let end = from;
    while (isDigit(text[end])) end += 1;
    return end - from;
  };
  let end = at + digits(at);
  let mayBeGrouped = !isListed && end - at <= 3;
  for (let sign = text[end]; sign !== undefined; sign = text[end]) {
    const next = digits(end + 1);
    const isPart = ".,'".includes(sign) ? next > 0 : isSpace(sign) && mayBeGrouped && next === 3;
    if (!isPart) break;
    mayBeGrouped &&= isSpace(sign);
    end += 1 + next;
  }
  return end;
}

function spelledNumber(number: readonly string[]): string {
  const text = number.map((c) => (isSpace(c) ? ' ' : c)).join('');
  const mayGroup = !text.startsWith('0') && text.replace(/\d/g, '') !== '.';
  const whole = mayGroup ? ungroup(text) : null;
  const decimal = decimalOf(text);
  if (whole !== null) return whole;
  return decimal ? decimal.join('.') : text.replaceAll(',', ' ');
}
