import { expect, test } from 'vitest';

import { paced, type Timers } from './pace.ts';

function clock() {
  let now = 0;
  const waiting = new Map<number, { at: number; run: () => void }>();
  let last = 0;
  const timers: Timers = {
    set: (run, ms) => {
      last += 1;
      waiting.set(last, { at: now + ms, run });
      return last;
    },
    clear: (timer) => waiting.delete(timer as number),
  };
  const pass = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const due = [...waiting].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      now = due[1].at;
      waiting.delete(due[0]);
      due[1].run();
    }
    now = end;
  };
  return { timers, pass };
}

test('the first goes at once, the newest of the others when its time has come', () => {
  const { timers, pass } = clock();
  const sent: number[] = [];
  const line = paced<number>(100, (value) => sent.push(value), timers);
  line.push(1);
  expect(sent).toEqual([1]);
  line.push(2);
  line.push(3);
  expect(sent).toEqual([1]);
  pass(100);
  expect(sent).toEqual([1, 3]);
});

test('never more than ten in a second, and the last always arrives', () => {
  const { timers, pass } = clock();
  const sent: number[] = [];
  const line = paced<number>(100, (value) => sent.push(value), timers);
  for (let value = 0; value < 1000; value += 1) {
    line.push(value);
    pass(1);
  }
  expect(sent.length).toBeLessThanOrEqual(11);
  pass(100);
  expect(sent.at(-1)).toBe(999);
});

test('after a pause the next goes at once again; what waits when it stops is dropped', () => {
  const { timers, pass } = clock();
  const sent: number[] = [];
  const line = paced<number>(100, (value) => sent.push(value), timers);
  line.push(1);
  pass(500);
  line.push(2);
  expect(sent).toEqual([1, 2]);
  line.push(3);
  line.stop();
  pass(500);
  expect(sent).toEqual([1, 2]);
});
