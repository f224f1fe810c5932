import { beforeEach, describe, expect, it, vi } from 'vitest';

import { forgetLink, takeLink } from './setuplink.ts';

const SECRET = 'qs_t_CqfH0J8Ui8moLJyOLa72DvH4q';
let hash: string;
let storage: Map<string, string>;

beforeEach(() => {
  hash = '';
  storage = new Map();
  vi.stubGlobal('location', {
    get hash() {
      return hash;
    },
    pathname: '/setup',
    search: '',
  });
  vi.stubGlobal('history', { state: null, replaceState: () => (hash = '') });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});

describe('the set-up link', () => {
  it('is read, and taken out of the address at once', () => {
    hash = `#${SECRET}`;
    expect(takeLink()).toBe(SECRET);
    expect(hash).toBe('');
  });

  it('lasts for a reload, until it is used', () => {
    hash = `#${SECRET}`;
    takeLink();
    expect(takeLink()).toBe(SECRET);
    forgetLink();
    expect(takeLink()).toBeNull();
  });

  it.each(['', '#', '#main', '#qs_', '#qp_abcdefghijkl', `#${SECRET}<b>`])('is nothing else: %s', (other) => {
    hash = other;
    expect(takeLink()).toBeNull();
    expect(hash === '' || hash === '#').toBe(true);
  });

  it('works without storage', () => {
    vi.stubGlobal('sessionStorage', {
      getItem: () => {
        throw new Error('closed');
      },
      setItem: () => {
        throw new Error('closed');
      },
    });
    hash = `#${SECRET}`;
    expect(takeLink()).toBe(SECRET);
    expect(takeLink()).toBeNull();
  });
});
