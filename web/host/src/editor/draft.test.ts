import { describe, expect, it } from 'vitest';

import { newQuestion, newRound, type QuizDocument } from './document.ts';
import { Drafts, type DraftStorage, isLocal, localId } from './draft.ts';

/** The storage of this test; `isFull` makes it refuse. */
class Shelf implements DraftStorage {
  readonly #kept = new Map<string, string>();
  isFull = false;

  get length(): number {
    return this.#kept.size;
  }

  key(at: number): string | null {
    return [...this.#kept.keys()][at] ?? null;
  }

  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
    this.#kept.set(key, value);
  }

  removeItem(key: string): void {
    this.#kept.delete(key);
  }
}

const sheet = (title: string): QuizDocument => ({ title, rounds: [newRound([newQuestion('text', ['T', 'F'])])] });

describe('Drafts', () => {
  it('gives back what was kept', () => {
    const drafts = new Drafts(new Shelf(), 'tab', 'Ann');
    const document = sheet('a');
    expect(drafts.save('q', document, 'v1', 5)).toBe(true);
    expect(drafts.newest('q')).toEqual({ quizId: 'q', host: 'Ann', base: 'v1', at: 5, document });
    drafts.forget('q');
    expect(drafts.newest('q')).toBeNull();
  });

  it('keeps tabs apart, and gives the newest to a tab that has none', () => {
    const shelf = new Shelf();
    const [one, two, three] = ['1', '2', '3'].map((tab) => new Drafts(shelf, tab, 'Ann'));
    one?.save('q', sheet('one'), null, 1);
    two?.save('q', sheet('two'), null, 2);
    expect(one?.newest('q')?.document.title).toBe('one');
    expect(three?.newest('q')?.document.title).toBe('two');
    expect(three?.all().map(({ document }) => document.title)).toEqual(['two']);
  });

  it('forgets its own and what it had taken over, not what another tab wrote since', () => {
    const shelf = new Shelf();
    const [one, two] = ['1', '2'].map((tab) => new Drafts(shelf, tab, 'Ann'));
    two?.save('q', sheet('old'), null, 1);
    one?.save('q', sheet('mine'), null, 2);
    one?.forget('q', 1);
    expect(two?.newest('q')).toBeNull();
    two?.save('q', sheet('new'), null, 3);
    one?.forget('q', 1);
    expect(two?.newest('q')?.document.title).toBe('new');
  });

  it('shows nothing of another account', () => {
    const shelf = new Shelf();
    new Drafts(shelf, 'tab', 'Ann').save('q', sheet('a'), null, 1);
    expect(new Drafts(shelf, 'tab', 'Ben').all()).toEqual([]);
    expect(new Drafts(shelf, 'tab', 'Ben').newest('q')).toBeNull();
  });

  it('says so when nothing can be kept', () => {
    const shelf = new Shelf();
    shelf.isFull = true;
    expect(new Drafts(shelf, 'tab', 'Ann').save('q', sheet('a'), null, 1)).toBe(false);
    expect(new Drafts(null, 'tab', 'Ann').save('q', sheet('a'), null, 1)).toBe(false);
  });

  it('reads a draft that was written before a field came', () => {
    const shelf = new Shelf();
    const drafts = new Drafts(shelf, 'tab', 'Ann');
    const document = sheet('a');
    drafts.save('q', document, null, 1);
    const key = shelf.key(0) ?? '';
    shelf.setItem(key, (shelf.getItem(key) ?? '').replace(',"tolerance":""', ''));
    expect(shelf.getItem(key)).not.toContain('tolerance');
    expect(drafts.newest('q')?.document).toEqual(document);
  });

  it.each([
    'nonsense',
    'null',
    '{"quizId":"q"}',
    '{"quizId":"q","host":"Ann","at":1,"base":null,"document":{"title":"x","rounds":[{"key":"r","title":"","questions":[{}]}]}}',
    '{"quizId":"q","host":"Ann","at":1,"base":null,"document":{"title":"x","rounds":"none"}}',
    '{"quizId":"q","host":"Ann","at":1,"base":null,"document":{"title":"x","rounds":[{"key":"r","title":"","questions":[{"key":"k","text":"?","type":"text","points":null,"answers":[],"choices":[],"truth":[]}]}]}}',
  ])('does not trip over %s', (text) => {
    const shelf = new Shelf();
    shelf.setItem('quizhall.draft.q.tab', text);
    const drafts = new Drafts(shelf, 'tab', 'Ann');
    expect(drafts.newest('q')).toBeNull();
    expect(drafts.all()).toEqual([]);
  });
});

describe('ids of quizzes that are on this device only', () => {
  it('are known by sight and differ', () => {
    expect(isLocal(localId())).toBe(true);
    expect(isLocal('0198f1c2-7d10-7c4e-9d6c-2f1f5b1f7a11')).toBe(false);
    expect(localId()).not.toBe(localId());
  });
});
