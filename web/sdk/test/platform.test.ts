import { afterEach, describe, expect, it, vi } from 'vitest';

import { browser } from '../src/platform.ts';

/** The arguments with which the platform opens a socket. */
function opened(url: string): unknown[] {
  const made = vi.fn();
  vi.stubGlobal('WebSocket', made);
  browser().openSocket(url, 'quizhall.v1');
  return made.mock.calls[0] ?? [];
}

describe('the built-in WebSocket', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each([
    ['wss://quiz.example.org/ws/ABC234?token=t', 'https://quiz.example.org'],
    ['ws://127.0.0.1:8080/ws/ABC234?token=ws', 'http://127.0.0.1:8080'],
  ])('has an Origin in Node, so that a refusal differs from a lost connection: %s', (url, origin) => {
    expect(opened(url)).toEqual([url, { protocols: 'quizhall.v1', headers: { origin } }]);
  });

  it('has only its subprotocol in a page, whose origin the browser sends', () => {
    vi.stubGlobal('document', {});
    expect(opened('wss://quiz.example.org/ws/ABC234?token=t')).toEqual(['wss://quiz.example.org/ws/ABC234?token=t', 'quizhall.v1']);
  });
});
