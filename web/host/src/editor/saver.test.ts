import { describe, expect, it } from 'vitest';

import { REST, RETRIES, Saver, type SaveState } from './saver.ts';

/** A saver with a clock that the test sets and a server that answers when the test lets it. */
class Desk {
  readonly states: string[] = [];
  readonly written: string[] = [];
  #now = 0;
  #timers: { at: number; run: () => void }[] = [];
  #answers: { done: () => void; fail: (error: unknown) => void }[] = [];

  readonly saver = new Saver<string>({
    write: (body) => {
      this.written.push(body);
      return new Promise<void>((done, fail) => this.#answers.push({ done, fail }));
    },
    failureOf: (error) => (error === 'gone' ? 'gone' : 'unreachable'),
    report: (state: SaveState) => this.states.push(state.kind === 'failed' ? `failed:${state.why}` : state.kind),
    clock: {
      set: (run, ms) => {
        const timer = { at: this.#now + ms, run };
        this.#timers.push(timer);
        return timer;
      },
      clear: (timer) => {
        this.#timers = this.#timers.filter((one) => one !== timer);
      },
    },
  });

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
  }

  async answer(error?: unknown): Promise<void> {
    const [next, ...rest] = this.#answers;
    this.#answers = rest;
    if (error === undefined) next?.done();
    else next?.fail(error);
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe('Saver', () => {
  it('writes a moment after the last change, once', async () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.pass(REST - 1);
    desk.saver.changed({ body: 'ab' });
    desk.pass(REST - 1);
    expect(desk.written).toEqual([]);
    desk.pass(1);
    expect(desk.written).toEqual(['ab']);
    await desk.answer();
    expect(desk.states).toEqual(['waiting', 'waiting', 'saving', 'saved']);
    desk.pass(60_000);
    expect(desk.written).toEqual(['ab']);
  });

  it('has one write under way, and then writes what came meanwhile', async () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.pass(REST);
    desk.saver.changed({ body: 'b' });
    desk.saver.changed({ body: 'c' });
    desk.pass(10 * REST);
    expect(desk.written).toEqual(['a']);
    await desk.answer();
    desk.pass(REST);
    expect(desk.written).toEqual(['a', 'c']);
    await desk.answer();
    expect(desk.saver.state).toEqual({ kind: 'saved' });
  });

  it('waits while something is unfinished', () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.saver.changed('unfinished');
    desk.pass(60_000);
    expect(desk.written).toEqual([]);
    expect(desk.saver.state).toEqual({ kind: 'unfinished' });
  });

  it('says unfinished when that came during a write', async () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.pass(REST);
    desk.saver.changed('unfinished');
    await desk.answer();
    expect(desk.saver.state).toEqual({ kind: 'unfinished' });
  });

  it('has nothing to write when the sheet is as it was saved', () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.saver.changed('as_saved');
    desk.pass(60_000);
    expect(desk.written).toEqual([]);
    expect(desk.saver.state).toEqual({ kind: 'saved' });
  });

  it('tries again by itself, less and less often, with the newest', async () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.pass(REST);
    for (const wait of RETRIES) {
      const before = desk.written.length;
      await desk.answer('no answer');
      expect(desk.saver.state).toEqual({ kind: 'failed', why: 'unreachable' });
      desk.pass(wait - 1);
      expect(desk.written).toHaveLength(before);
      desk.pass(1);
      expect(desk.written).toHaveLength(before + 1);
    }
    desk.saver.changed({ body: 'b' });
    await desk.answer();
    desk.pass(REST);
    expect(desk.written.at(-1)).toBe('b');
    await desk.answer();
    expect(desk.saver.state).toEqual({ kind: 'saved' });
  });

  it('does not repeat what cannot work, until it is asked to', async () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.pass(REST);
    await desk.answer('gone');
    expect(desk.saver.state).toEqual({ kind: 'failed', why: 'gone' });
    desk.pass(600_000);
    expect(desk.written).toEqual(['a']);
    desk.saver.retry();
    await Promise.resolve();
    expect(desk.written).toEqual(['a', 'a']);
  });

  it('flushes at once, and says whether all is saved', async () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    const flushed = desk.saver.flush();
    await Promise.resolve();
    expect(desk.written).toEqual(['a']);
    await desk.answer();
    expect(await flushed).toBe(true);

    desk.saver.changed('unfinished');
    expect(await desk.saver.flush()).toBe(false);
  });

  it('flushes what came during a write too', async () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.pass(REST);
    desk.saver.changed({ body: 'b' });
    const flushed = desk.saver.flush();
    await desk.answer();
    await desk.answer();
    expect(await flushed).toBe(true);
    expect(desk.written).toEqual(['a', 'b']);
  });

  it('writes nothing by itself after it was closed', () => {
    const desk = new Desk();
    desk.saver.changed({ body: 'a' });
    desk.saver.close();
    desk.pass(60_000);
    expect(desk.written).toEqual([]);
  });
});
