/** Each call of a host beside the OpenAPI document, which the server's own routes generate. */

import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { HostApi } from '../src/index.ts';

const { paths } = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, object>>;
};
const routes = Object.entries(paths).flatMap(([path, methods]) => {
  const form = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
  return Object.keys(methods).map((method) => ({ method: method.toUpperCase(), form }));
});

const calls = Object.getOwnPropertyNames(HostApi.prototype).filter((name) => name !== 'constructor');

it('has all calls of the class', () => {
  expect(calls.length).toBeGreaterThan(40);
});

it.each(calls)('%s asks for a route that the server has', async (name) => {
  const asked: string[] = [];
  const api = new HostApi('', 'qh', {
    fetch: (url, { method = 'GET' }) => {
      asked.push(`${method} ${new URL(url, 'http://h').pathname}`);
      return Promise.resolve(Response.json({}));
    },
  });
  await (api as unknown as Record<string, (...ids: string[]) => Promise<unknown>>)[name]?.('one', 'two', 'three');
  const [[method = '', path = ''] = []] = asked.map((each) => each.split(' '));
  expect(asked).toHaveLength(1);
  expect(routes.some((route) => route.method === method && route.form.test(path)), asked[0]).toBe(true);
});
