import { expect, test } from 'vitest';

import { answerScreens, askForLink } from './channel.ts';

const soon = (): Promise<void> => new Promise((done) => setTimeout(done, 30));

test('a window that asks gets one link, and asks no more', async () => {
  let made = 0;
  const stopAnswers = answerScreens('game', () => {
    made += 1;
    return Promise.resolve(`KTM472/qw_${String(made)}`);
  });
  const got: string[] = [];
  const stop = askForLink('game', (link) => got.push(link));
  await soon();
  expect(got).toEqual(['KTM472/qw_1']);
  stop();
  stopAnswers();
});

test('a window that asks again before its link is there, or as it comes, gets one link; another window gets its own', async () => {
  let made = 0;
  const stopAnswers = answerScreens('game', async () => {
    await soon();
    made += 1;
    return `KTM472/qw_${String(made)}`;
  });
  const asker = new BroadcastChannel('quizhall.screen.game');
  const links: string[] = [];
  asker.onmessage = ({ data }: MessageEvent<{ id: string; link?: string }>) => {
    if (data.id === 'one' && data.link !== undefined) links.push(data.link);
  };
  const ask = () => {
    asker.postMessage({ kind: 'ask', id: 'one' });
  };
  ask();
  ask();
  for (let waits = 0; waits < 4; waits += 1) await soon();
  ask();
  const got: string[] = [];
  const stop = askForLink('game', (link) => got.push(link));
  for (let waits = 0; waits < 4; waits += 1) await soon();
  expect(new Set(links)).toEqual(new Set(['KTM472/qw_1']));
  expect(got).toEqual(['KTM472/qw_2']);
  asker.close();
  stop();
  stopAnswers();
});

test('a page that has no link does not answer, and another game is not asked', async () => {
  const stops = [
    answerScreens('game', () => Promise.resolve(null)),
    answerScreens('other', () => Promise.resolve('never')),
  ];
  const got: string[] = [];
  stops.push(askForLink('game', (link) => got.push(link)));
  await soon();
  expect(got).toEqual([]);
  for (const stop of stops) stop();
});
