// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';

import { keepDeparture, takeReturn } from './providerlink.ts';

const arrive = (search: string) => {
  history.replaceState(null, '', `/host/signed-in${search}`);
};

beforeEach(() => {
  sessionStorage.clear();
});

describe('coming back from a provider', () => {
  it('takes state, code and what was kept, once', () => {
    keepDeparture('a-verifier', '/host/games/7');
    arrive('?code=c&state=s&iss=x');
    expect(takeReturn()).toEqual({ state: 's', code: 'c', verifier: 'a-verifier', page: '/host/games/7' });
    expect(location.href).not.toContain('code=');
    arrive('?code=c&state=s');
    expect(takeReturn()).toBeNull();
  });

  it('is nothing without a code or without having gone', () => {
    arrive('?code=c&state=s');
    expect(takeReturn()).toBeNull();
    keepDeparture('a-verifier', '/host');
    arrive('?error=access_denied&state=s');
    expect(takeReturn()).toBeNull();
    expect(sessionStorage.length).toBe(0);
  });

  it('leads to pages of this app only', () => {
    for (const page of ['https://evil.example.org', '//evil.example.org', '/host/signed-in', 'host', '/elsewhere']) {
      keepDeparture('a-verifier', page);
      arrive('?code=c&state=s');
      expect(takeReturn()?.page).toBe('/host');
    }
  });
});
