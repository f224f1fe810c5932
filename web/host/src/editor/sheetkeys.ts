// The actions on the sheet by key, button or pointer. They are in one place, so that all three do the same, announce the same to screen
// readers, and leave the focus where it belongs. Used by the components of the sheet.

import { count, m } from '$words/language.svelte.ts';

import {
  duplicateQuestion,
  duplicateRound,
  insertQuestion,
  insertRounds,
  isBlank,
  moveQuestion,
  moveRound,
  newQuestion,
  newRound,
  placeOf,
  type QuestionType,
  questionOf,
  quizPoints,
  removeQuestion,
  removeRound,
  roundPoints,
  stepQuestion,
  stepRound,
} from './document.ts';
import { type Editor, truthWords } from './editor.svelte.ts';
import { focusPart, keepFocus } from './keepfocus.ts';
import type { Field } from './mistakes.ts';
import type { Slot } from './slots.ts';

/** The actions on the sheet. */
export class SheetKeys {
  readonly #editor: Editor;
  readonly #root: () => HTMLElement;

  constructor(editor: Editor, root: () => HTMLElement) {
    this.#editor = editor;
    this.#root = root;
  }

  show(key: string): void {
    this.#editor.show(key);
    this.#focus(key, 'text');
  }

  close(key: string): void {
    this.#editor.show(null);
    this.#focus(key, 'line');
  }

  /** Adds a question of the same kind after this one. */
  addAfter(key: string): void {
    const place = placeOf(this.#editor.document, key);
    const question = questionOf(this.#editor.document, key);
    const round = place && this.#editor.document.rounds[place.round];
    // Enter in an empty question would only add more empty ones.
    if (!question || !round) return;
    if (isBlank(question)) this.show(key);
    else this.#add(round.key, place.question + 1, question.type);
  }

  /** Adds a question at the end of a round: of this type, or of the same as the last one. It takes the place of an empty one. */
  addTo(roundKey: string, type?: QuestionType): void {
    const round = this.#editor.document.rounds.find(({ key }) => key === roundKey);
    const last = round?.questions.at(-1);
    if (!round) return;
    const empty = last && isBlank(last) ? last : null;
    this.#add(roundKey, round.questions.length - (empty ? 1 : 0), type ?? last?.type ?? 'text', empty?.key);
  }

  /** Adds a question at the place of work: after the open question, at the end of the round, or at the end of the quiz. */
  addHere(from: Element | null): void {
    const question = from?.closest<HTMLElement>('[data-question]')?.dataset.question;
    const round = from?.closest<HTMLElement>('[data-round]')?.dataset.round;
    const { open, document } = this.#editor;
    const last = document.rounds.at(-1);
    if (question !== undefined) this.addAfter(question);
    else if (round !== undefined) this.addTo(round);
    else if (open !== null) this.addAfter(open);
    else if (last) this.addTo(last.key);
    else this.addRound();
  }

  /** Adds a round with a question, in whose text the focus is: a round needs no title. */
  addRound(): void {
    const question = newQuestion('text', truthWords(), quizPoints(this.#editor.document));
    const at = this.#editor.document.rounds.length;
    this.#editor.act((document) => insertRounds(document, at, [newRound([question])]), {
      open: question.key,
      say: m.host_edit_said_round_added({ number: count(at + 1) }),
    });
    this.#focus(question.key, 'text');
  }

  move(key: string, by: -1 | 1): void {
    void keepFocus(this.#root(), () => {
      this.#editor.act((document) => stepQuestion(document, key, by));
      this.#sayPlace(key);
    });
  }

  moveRound(key: string, by: -1 | 1): void {
    void keepFocus(this.#root(), () => {
      this.#editor.act((document) => stepRound(document, key, by));
      this.#sayRound(key);
    });
  }

  drop(kind: 'question' | 'round', key: string, slot: Slot): void {
    void keepFocus(this.#root(), () => {
      if (kind === 'round') {
        this.#editor.act((document) => moveRound(document, key, slot.at));
        this.#sayRound(key);
      } else {
        this.#editor.act((document) => moveQuestion(document, key, slot.round, slot.at));
        this.#sayPlace(key);
      }
    });
  }

  duplicate(key: string): void {
    const copy = duplicateQuestion(this.#editor.document, key);
    this.#editor.act(() => copy.document, { open: copy.key, say: m.host_edit_said_duplicated() });
    this.#focus(copy.key, 'text');
  }

  duplicateRound(key: string): void {
    const copy = duplicateRound(this.#editor.document, key);
    this.#editor.act(() => copy.document, { open: null, say: m.host_edit_said_duplicated() });
    this.#focus(copy.key, 'title');
  }

  /** Deletes a question; Ctrl+Z brings it back. The focus goes to its neighbour. */
  remove(key: string): void {
    const place = placeOf(this.#editor.document, key);
    const round = place && this.#editor.document.rounds[place.round];
    if (!round) return;
    const next = round.questions[place.question + 1] ?? round.questions[place.question - 1];
    this.#editor.act((document) => removeQuestion(document, key), { open: null, say: m.host_edit_said_deleted() });
    if (next) this.#focus(next.key, 'line');
    else this.#focus(round.key, 'title');
  }

  removeRound(key: string): void {
    const at = this.#editor.document.rounds.findIndex((round) => round.key === key);
    this.#editor.act((document) => removeRound(document, key), { open: null, say: m.host_edit_said_deleted() });
    const { rounds } = this.#editor.document;
    const next = rounds[at] ?? rounds.at(-1);
    if (next) this.#focus(next.key, 'title');
  }

  /** Undoes or redoes a change; the focus moves to its place. */
  undo(isRedo: boolean): void {
    const before = this.#editor.open;
    void keepFocus(this.#root(), () => {
      if (isRedo) this.#editor.redo();
      else this.#editor.undo();
    }).then(() => {
      const { open } = this.#editor;
      if (open !== null && (open !== before || document.activeElement === document.body)) this.#focus(open, 'text');
    });
  }

  /** Opens the first thing to finish. */
  showMistake(): void {
    const mistake = this.#editor.showMistake();
    const first = this.#editor.document.rounds[0]?.questions[0];
    if (!mistake) return;
    if (mistake.code === 'nothing_written' && first) this.show(first.key);
    else if (mistake.question === null) this.#focus(mistake.round ?? 'quiz', partOfField(mistake.field));
    else this.#focus(mistake.question, partOfField(mistake.field));
  }

  /** `instead`: the empty question in whose place it is put. */
  #add(roundKey: string, at: number, type: QuestionType, instead?: string): void {
    const { document } = this.#editor;
    const points = roundPoints(document, document.rounds.find(({ key }) => key === roundKey));
    const question = newQuestion(type, truthWords(), points);
    this.#editor.act((document) => insertQuestion(instead === undefined ? document : removeQuestion(document, instead), roundKey, at, question), {
      open: question.key,
      say: m.host_edit_said_added({ number: count(at + 1) }),
    });
    this.#focus(question.key, 'text');
  }

  #sayPlace(key: string): void {
    const place = placeOf(this.#editor.document, key);
    if (!place) return;
    const words = { number: count(place.question + 1), round: count(place.round + 1) };
    this.#editor.say(m.host_edit_said_moved(words));
  }

  #sayRound(key: string): void {
    const at = this.#editor.document.rounds.findIndex((round) => round.key === key);
    this.#editor.say(m.host_edit_said_round_moved({ number: count(at + 1) }));
  }

  #focus(thing: string, part: string): void {
    void focusPart(this.#root(), thing, part);
  }
}

/** The part of the form with a mistake; in a list, the first input. */
function partOfField(field: Field): string {
  const parts: Partial<Record<Field, string>> = { answers: 'answer-0', choices: 'choice-0', media: 'media-alt', time: 'round-time' };
  return parts[field] ?? field;
}
