import { beforeEach, describe, expect, it, vi } from 'vitest';

let address: string;
let past: string[];
let events: EventTarget;

beforeEach(() => {
  address = '/host';
  past = [];
  events = new EventTarget();
  vi.stubGlobal('location', {
    get pathname() {
      return address;
    },
    origin: 'http://hall',
  });
  vi.stubGlobal('history', {
    pushState: (_state: unknown, _title: string, to: string) => {
      past.push(address);
      address = to;
    },
    replaceState: (_state: unknown, _title: string, to: string) => {
      address = to;
    },
  });
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('scrollTo', () => undefined);
});

async function open() {
  vi.resetModules();
  return import('./router.svelte.ts');
}

/** The browser's own way back. */
async function back(): Promise<void> {
  address = past.pop() ?? '/host';
  events.dispatchEvent(new Event('popstate'));
  await Promise.resolve();
  await Promise.resolve();
}

describe('the router', () => {
  it('goes to a page and back', async () => {
    const router = await open();
    expect(await router.go('/host/quizzes/7')).toBe(true);
    expect([address, router.here(), router.visit()]).toEqual(['/host/quizzes/7', { page: 'quiz', id: '7' }, 1]);
    await back();
    expect([router.here(), router.visit()]).toEqual([{ page: 'home' }, 2]);
  });

  it('gives a page another address without leaving it', async () => {
    const router = await open();
    await router.go('/host/quizzes/new-1');
    const visit = router.visit();
    router.rename('/host/quizzes/7');
    expect([address, router.here(), router.visit()]).toEqual(['/host/quizzes/7', { page: 'quiz', id: '7' }, visit]);
  });

  it('stays when the page does not let go, by link and by the way back', async () => {
    const router = await open();
    await router.go('/host/quizzes/7');
    const unguard = router.guardLeaving(() => false);
    expect(await router.go('/host')).toBe(false);
    expect([address, router.here()]).toEqual(['/host/quizzes/7', { page: 'quiz', id: '7' }]);
    await back();
    expect([address, router.here()]).toEqual(['/host/quizzes/7', { page: 'quiz', id: '7' }]);
    unguard();
    expect(await router.go('/host')).toBe(true);
  });

  it('asks each page once only', async () => {
    const router = await open();
    const ask = vi.fn(() => true);
    router.guardLeaving(ask);
    await router.go('/host/quizzes/7');
    await router.go('/host');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is where it is already without asking', async () => {
    const router = await open();
    router.guardLeaving(() => false);
    expect(await router.go('/host')).toBe(true);
    expect(router.visit()).toBe(0);
  });
});
