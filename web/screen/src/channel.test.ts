// The line between host pages and screens, over the real BroadcastChannel.
import { afterEach, expect, test } from 'vitest';

import { listen, ScreenSender } from './channel.ts';
import { SAMPLES } from './samples.ts';
import type { ScreenView } from './view.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function host(): ScreenSender {
  const sender = new ScreenSender('game');
  ends.push(() => {
    sender.close();
  });
  return sender;
}

/** A screen, and a way to wait for the next thing that it receives. */
function screen(): () => Promise<ScreenView | 'gone'> {
  const received: (ScreenView | 'gone')[] = [];
  let wake = (): void => undefined;
  const receive = (word: ScreenView | 'gone'): void => {
    received.push(word);
    wake();
  };
  ends.push(
    listen('game', {
      view: receive,
      line: () => undefined,
      gone: () => {
        receive('gone');
      },
    }).close,
  );
  return async () => {
    if (received.length === 0) {
      await new Promise<void>((done) => {
        wake = done;
      });
    }
    const [next] = received.splice(0, 1);
    if (next === undefined) throw new Error('nothing was received');
    return next;
  };
}

test('a screen that comes later asks, and gets the picture', async () => {
  host().show(SAMPLES.question);
  expect(await screen()()).toEqual(SAMPLES.question);
});

test('a host page that goes says so once', async () => {
  const sender = host();
  sender.show(SAMPLES.question);
  const next = screen();
  expect(await next()).toEqual(SAMPLES.question);
  sender.rest();
  sender.rest();
  sender.show(SAMPLES.board);
  expect([await next(), await next()]).toEqual(['gone', SAMPLES.board]);
});

test('of two host pages the one that rests is silent, and when it goes the other speaks', async () => {
  const before = host();
  before.show(SAMPLES.question);
  const next = screen();
  expect(await next()).toEqual(SAMPLES.question);
  const now = host();
  now.show(SAMPLES.board);
  expect(await next()).toEqual(SAMPLES.board);
  before.rest();
  expect([await next(), await next()]).toEqual(['gone', SAMPLES.board]);
  expect(await screen()()).toEqual(SAMPLES.board);
  before.close();
  now.show(SAMPLES.podium);
  // The answer to the other screen's question, and then the picture: the host page did not close.
  expect([await next(), await next()]).toEqual([SAMPLES.board, SAMPLES.podium]);
});

test('a screen receives how the connection of its host page is, also when it opens later, and can have it try', async () => {
  let tried = (): void => undefined;
  const retried = new Promise<void>((done) => {
    tried = done;
  });
  const sender = new ScreenSender('game', () => {
    tried();
  });
  ends.push(() => {
    sender.close();
  });
  sender.line({ state: 'open' });
  sender.show(SAMPLES.question);
  const silent = { state: 'silent', offline: false } as const;
  sender.line(silent);
  const line = await new Promise((resolve) => {
    const host = listen('game', { view: () => undefined, line: resolve, gone: () => undefined });
    ends.push(host.close);
    host.retry();
  });
  expect(line).toEqual(silent);
  await retried;
});

test('a host page that stands still counts as closed after three questions, and shows its picture again when it goes on', async () => {
  const asked: string[] = [];
  let view: ScreenView = SAMPLES.question;
  // A page that can be stopped: it answers as the sender does, while it runs.
  let runs = true;
  let noticed = (): void => undefined;
  const page = new BroadcastChannel('quizhall.screen.game');
  page.onmessage = ({ data: { kind } }: MessageEvent<{ kind: string }>) => {
    asked.push(kind);
    if (runs && kind === 'ask') page.postMessage({ kind: 'view', view });
    if (runs && kind === 'ping') page.postMessage({ kind: 'pong' });
    noticed();
  };
  ends.push(() => {
    page.close();
  });
  const received: (ScreenView | 'gone')[] = [];
  const known = (what: () => boolean) =>
    new Promise<void>((done) => {
      const look = (): void => {
        if (what()) done();
      };
      noticed = look;
      look();
    });
  let beat = (): void => undefined;
  const end = listen(
    'game',
    {
      view: (picture) => {
        received.push(picture);
        noticed();
      },
      line: () => undefined,
      gone: () => {
        received.push('gone');
      },
    },
    (ms, run) => {
      expect(ms).toBe(1_000);
      beat = run;
      return () => undefined;
    },
  );
  ends.push(end.close);
  await known(() => received.length === 1);
  runs = false;
  for (let each = 1; each <= 3; each += 1) beat();
  expect(received).toEqual([SAMPLES.question]);
  beat();
  beat();
  expect(received).toEqual([SAMPLES.question, 'gone']);
  await known(() => asked.filter((kind) => kind === 'ping').length === 5);
  runs = true;
  view = SAMPLES.board;
  beat();
  await known(() => received.length === 3);
  expect(received).toEqual([SAMPLES.question, 'gone', SAMPLES.board]);
});

test('a host page answers while it shows something', async () => {
  const said: string[] = [];
  let noticed = (): void => undefined;
  const next = () =>
    new Promise<void>((done) => {
      noticed = done;
    });
  const sender = new ScreenSender('game', () => {
    noticed();
  });
  const screen = new BroadcastChannel('quizhall.screen.game');
  screen.onmessage = ({ data: { kind } }: MessageEvent<{ kind: string }>) => {
    said.push(kind);
    if (kind === 'pong') noticed();
  };
  ends.push(() => {
    sender.close();
    screen.close();
  });
  // Behind the first ping, so that it is known to be read.
  for (const kind of ['ping', 'retry']) screen.postMessage({ kind });
  await next();
  sender.show(SAMPLES.question);
  screen.postMessage({ kind: 'ping' });
  await next();
  expect(said).toEqual(['view', 'pong']);
});
