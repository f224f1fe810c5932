// The steps of the build that go by what others write: Svelte's own file as it is installed, and Vite's list of licences.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Plugin } from 'vite';
import { expect, it } from 'vitest';

import { allLicences, LICENCES, neverHydrates, neverProxies, shortStyleNames } from './bundle.ts';

/** Calls a hook of a plugin with a `this` of the test. */
function call(hook: unknown, self: object, ...given: unknown[]): unknown {
  const run = typeof hook === 'function' ? hook : (hook as { handler: unknown }).handler;
  return (run as (...inputs: unknown[]) => unknown).apply(self, given);
}

const failing = {
  error: (text: string) => {
    throw new Error(text);
  },
};

function withoutHydration(plugin: Plugin, code: string): string {
  return (call(plugin.transform, failing, code) as { code: string }).code;
}

it('makes a constant of the question whether Svelte hydrates, and of nothing else', () => {
  const file = join(import.meta.dirname, 'node_modules/svelte/src/internal/client/dom/hydration.js');
  const before = readFileSync(file, 'utf8').split('\n');
  const after = withoutHydration(neverHydrates(), before.join('\n')).split('\n');
  const changed = before.flatMap((line, number) => (line === after[number] ? [] : [[line, after[number]]]));
  expect(changed).toEqual([
    ['export let hydrating = false;', 'export const hydrating = false;'],
    ['\thydrating = value;', ''],
  ]);
});

it.each([
  ['the variable has another name', 'export let is_hydrating = false;'],
  ['it is set in another place, too', 'export let hydrating = false;\nfunction more() {\n\thydrating = true;\n}'],
])('stops the build when %s', (_, code) => {
  expect(() => withoutHydration(neverHydrates(), code)).toThrow('neverHydrates');
});

const REACTIVITY = join(import.meta.dirname, 'node_modules/svelte/src/internal/client/reactivity');

it.each(['sources.js', 'props.js'])('makes no proxies in %s, and changes nothing else', (name) => {
  const id = join(REACTIVITY, name);
  const before = readFileSync(id, 'utf8');
  const { code } = call(neverProxies().transform, failing, before, id) as { code: string };
  expect(code).not.toContain('proxy(value)');
  expect(code.replace('? value :', '? proxy(value) :')).toBe(before);
});

it('stops the build at a state that would be a proxy, and at a Svelte that makes proxies in other places', () => {
  const judge = (code: string, id: string) => () => call(neverProxies().transform, failing, code, id);
  expect(judge('let open = $state(false);', '/play/src/One.svelte')).toThrow('One.svelte');
  expect(judge('let open = $state.raw(false);', '/play/src/One.svelte')()).toBeNull();
  expect(judge('let value = proxied(value);', join(REACTIVITY, 'sources.js'))).toThrow('neverProxies');
});

it('gives the styles of each component a name of their own, and of no other file', () => {
  const name = shortStyleNames(import.meta.dirname);
  const of = (path: string) => name({ filename: join(import.meta.dirname, path) });
  const sheets = ['host/src/run/question/Sheet.svelte', 'host/src/editor/Sheet.svelte', 'play/src/Sheet.svelte', 'ui/src/parts/Button.svelte'].map(of);
  expect(new Set(sheets).size).toBe(4);
  for (const each of sheets) expect(each).toMatch(/^s[0-9a-z]{1,2}$/);
  expect(() => of('node_modules/some/Sheet.svelte')).toThrow('node_modules');
});

it('keeps the licences of the earlier build, each once', () => {
  const root = mkdtempSync(join(tmpdir(), 'quizhall-licences-'));
  try {
    const head = '# Licenses\n\nThe app bundles:\n';
    const entry = (name: string) => `\n## ${name} - 1.0.0 (MIT)\n\n## is no heading of a package\nText of ${name}\n`;
    writeFileSync(join(root, LICENCES), head + entry('both') + entry('phone'));
    const asset = { type: 'asset', source: head + entry('both') + entry('desk') };
    const self = { environment: { config: { root, build: { outDir: '.', emptyOutDir: false } } } };
    call(allLicences().generateBundle, self, {}, { [LICENCES]: asset });
    expect(asset.source).toBe(head + entry('both') + entry('desk') + entry('phone'));
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('adds to Vite’s list, which comes last of the plugins', () => {
  expect(allLicences().generateBundle).toMatchObject({ order: 'post' });
});

it('says the licences of fonts, which no script imports', () => {
  const root = mkdtempSync(join(tmpdir(), 'quizhall-licences-'));
  try {
    writeFileSync(join(root, LICENCES), '# Licenses\n');
    const asset = { type: 'asset', source: '# Licenses\n' };
    const self = { environment: { config: { root, build: { outDir: '.', emptyOutDir: false } } } };
    call(allLicences(['@fontsource/noto-sans-math']).generateBundle, self, {}, { [LICENCES]: asset });
    expect(asset.source).toMatch(/## @fontsource\/noto-sans-math - \d\S* \(OFL-1.1\)/);
    expect(asset.source).toContain('SIL OPEN FONT LICENSE');
  } finally {
    rmSync(root, { recursive: true });
  }
});
