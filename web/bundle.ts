// Steps of the build that keep the pages light: they leave out of the libraries what these pages never do. Used by vite.config.ts;
// nothing of it runs in a browser.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { Plugin } from 'vite';

/** What others want said of their work; also the name of the file in the dist. */
export const LICENCES = 'licences.md';

/** The folders with components. */
const ROOMS = ['host', 'play', 'results', 'screen', 'ui'];

/**
 * Names the scoped styles of a component by its number among all components. Svelte's own names are hashes, of which each is ten bytes that
 * nothing compresses, in the styles and again in the scripts.
 */
export function shortStyleNames(root: string): (component: { filename: string }) => string {
  const all = ROOMS.flatMap((room) => readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)));
  const components = all.filter((name) => name.endsWith('.svelte')).sort();
  return ({ filename }) => {
    const at = components.indexOf(relative(root, filename));
    if (at < 0) throw new Error(`${filename} is in none of the folders ${ROOMS.join()}`);
    return `s${at.toString(36)}`;
  };
}

/**
 * Removes Svelte's code for hydration. No page has a body rendered by a server, so Svelte never hydrates. It tests a variable at
 * each step; as a constant, the bundler drops the code that depends on it. A Svelte that tests otherwise fails the build.
 */
export function neverHydrates(): Plugin {
  return {
    name: 'quizhall-never-hydrates',
    apply: 'build',
    transform: {
      filter: { id: /\/svelte\/src\/internal\/client\/dom\/hydration\.js$/ },
      handler(code) {
        const fixed = code
          .replace('export let hydrating = false;', 'export const hydrating = false;')
          .replace('\thydrating = value;', '');
        if (!fixed.includes('const hydrating') || /\bhydrating = (?!false;)/.test(fixed)) {
          this.error('this version of Svelte hydrates in another way: see neverHydrates in bundle.ts');
        }
        return { code: fixed, map: null };
      },
    },
  };
}

/**
 * Removes Svelte's proxies from a page that has only `$state.raw`: values there are replaced and never changed in place. A component with
 * another state fails the build, and so does a Svelte that makes proxies in other places.
 */
export function neverProxies(): Plugin {
  return {
    name: 'quizhall-never-proxies',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (/\.svelte(\.ts)?$/.test(id) && code.includes('$state(')) this.error(`${id} has a state that is not raw`);
      if (!/\/svelte\/src\/internal\/client\/reactivity\/(sources|props)\.js$/.test(id)) return null;
      const parts = code.split('? proxy(value) :');
      if (parts.length !== 2) this.error('this version of Svelte makes proxies in another way: see neverProxies in bundle.ts');
      return { code: parts.join('? value :'), map: null };
    },
  };
}

/**
 * For a page whose styles are in one file: `import()` as the browser has it, without Vite's loader for what a later part would need
 * besides. A later part takes what it shares from the first view, or from the parts `asked`, which the page has by then.
 */
export function plainImports(asked: readonly string[]): Plugin {
  return {
    name: 'quizhall-plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load();',
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isDynamicEntry) continue;
        const others = chunk.imports.filter((name) => {
          const other = bundle[name];
          return other?.type !== 'chunk' || !(other.isEntry || asked.includes(other.name));
        });
        if (others.length > 0) this.error(`${chunk.fileName} needs ${others.join()}, which no page asks for`);
      }
    },
  };
}

/** The licences of all builds into the one folder, each once, and those of the packages of fonts, which are no scripts. */
export function allLicences(fonts: readonly string[] = []): Plugin {
  return {
    name: 'quizhall-all-licences',
    apply: 'build',
    // After Vite's own list, which is the last of the plugins.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const { root, build } = this.environment.config;
        const earlier = join(root, build.outDir, LICENCES);
        const now = bundle[LICENCES];
        if (build.emptyOutDir !== false || now?.type !== 'asset' || !existsSync(earlier)) return;
        const [title = '', ...entries] = sections(String(now.source));
        const all = new Set([...entries, ...sections(readFileSync(earlier, 'utf8')).slice(1), ...fonts.map(licenceOf)]);
        now.source = [title, ...[...all].sort()].join('\n\n') + '\n';
      },
    },
  };
}

function licenceOf(fonts: string): string {
  const folder = join(import.meta.dirname, 'node_modules', fonts);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string; license: string };
  return `## ${fonts} - ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}`;
}

/** What stands above the first package, then each package: `## name - version (licence)` and its text. */
function sections(licences: string): string[] {
  return licences.split(/\n(?=## \S+ - \d)/).map((section) => section.trim());
}
