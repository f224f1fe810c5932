// Builds the four pages into web/dist, which the server embeds: index.html (play), host.html, results.html, screen.html. The phone page
// and the screen page are each built by themselves: what other pages use of the libraries that they share must not weigh on them, and
// what pages share comes in files of its own, each of which is one more request.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { EnvironmentOptions, Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

import { allLicences, LICENCES, neverHydrates, neverProxies, plainImports, shortStyleNames } from './bundle.ts';
import { firstWords, TARGETS } from './first.ts';
import { mathFont } from './mathfont.ts';
import { compiledWords, completeWords } from './words/plugin.ts';

const SERVER = process.env.QUIZHALL_URL ?? 'http://127.0.0.1:8080';

/** In this order; the first empties the folder. */
const BUILDS = ['phone', 'screen', 'client'] as const;

/** A build of these pages. */
function pages(name: (typeof BUILDS)[number], input: Record<string, string>): EnvironmentOptions {
  const first = name === BUILDS[0];
  return { consumer: 'client', build: { emptyOutDir: first, copyPublicDir: first, rolldownOptions: { input } } };
}

function onlyFor(name: (typeof BUILDS)[number], plugin: Plugin): Plugin {
  return { ...plugin, applyToEnvironment: (environment) => environment.name === name };
}

const phone = pages('phone', { index: 'index.html' });
// One file of styles: in two they weigh more, and the second would need a loader. And one of what the first view takes, and one of the
// game's part, from which the later parts import: by itself the bundler puts what they share into a file of its own.
const files = [
  { name: 'index', tags: ['$initial' as const], priority: 2 },
  { name: 'game', test: /\/play\/src\/game\.ts$/, priority: 1 },
];
phone.build = {
  ...phone.build,
  cssCodeSplit: false,
  modulePreload: false,
  rolldownOptions: { ...phone.build?.rolldownOptions, output: { codeSplitting: { groups: files } } },
};

const client = pages('client', { host: 'host.html', results: 'results.html' });
// Parts of these two pages share small modules, each set of parts others, and each would be a request of the first view.
const shared = [
  { name: 'Button', test: /\/(words\/(sentence|plural)\.ts|parts\/Button\.svelte)$/, priority: 2 },
  { name: 'limits', test: /\/sdk\/src\/(generated\/limits|fold|letters|signs|number)\.ts$/, priority: 1 },
  { name: 'replaywords', test: /words\/results_(replay|again|failed_about)/, priority: 1 },
];
client.build = {
  ...client.build,
  rolldownOptions: { ...client.build?.rolldownOptions, output: { codeSplitting: { groups: shared } } },
};

export default defineConfig(({ command }) => ({
  plugins: [
    completeWords(),
    compiledWords(),
    firstWords(),
    // Not while files come and go.
    svelte(command === 'build' ? { compilerOptions: { cssHash: shortStyleNames(import.meta.dirname), discloseVersion: false } } : {}),
    neverHydrates(),
    onlyFor('phone', neverProxies()),
    onlyFor('phone', plainImports(['game'])),
    mathFont(),
    allLicences(['@fontsource-variable/bricolage-grotesque', '@fontsource/noto-sans-math']),
  ],
  resolve: {
    alias: {
      $sdk: `${import.meta.dirname}/sdk/src`,
      $ui: `${import.meta.dirname}/ui/src`,
      $words: `${import.meta.dirname}/ui/src/words`,
    },
  },
  build: {
    target: TARGETS,
    // Everything a page needs is in files of its own origin: no data: scripts or styles, as the policy forbids them.
    assetsInlineLimit: 0,
    license: { fileName: LICENCES },
    modulePreload: { polyfill: false },
  },
  environments: {
    phone,
    screen: pages('screen', { screen: 'screen.html' }),
    client,
  },
  builder: {
    async buildApp(builder) {
      for (const name of BUILDS) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
  server: {
    proxy: {
      '/api': SERVER,
      '/join': SERVER,
      '/ws': { target: SERVER, ws: true },
    },
  },
  test: {
    include: ['*.test.ts', '{sdk,ui,play,host,results,screen,words}/**/*.test.ts'],
    environment: 'node',
    pool: 'threads',
    isolate: false,
    setupFiles: './vitest.setup.ts',
  },
}));
