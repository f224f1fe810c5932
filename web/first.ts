// What a page shows before its script has started: its name; without JavaScript, and in a browser that cannot start it, a sentence in
// each language. The browsers that can are named here, for the build and for that sentence. Used by vite.config.ts.

import type { Plugin } from 'vite';

import { LOCALES } from './ui/src/words/locales.ts';
import { sentences } from './words/plugin.ts';

/** The oldest browsers that the pages are built for. Chrome stands for Edge and for all that are made of it. */
export const BROWSERS = { chrome: '110', firefox: '115', safari: '16.4' } as const;

/** As the build wants them. */
export const TARGETS = Object.entries(BROWSERS).map(([name, version]) => `${name}${version}`);

/** As people say them. */
export const BROWSER_NAMES = `Chrome, Edge ${BROWSERS.chrome}, Firefox ${BROWSERS.firefox}, Safari ${BROWSERS.safari}`;

const PLACE = '<div id="app"></div>';

/** A paragraph of this sentence for each language. */
function paragraphs(key: string, attributes: string): string {
  const words = sentences().get(key);
  if (!words) throw new Error(`there are no words for ${key}`);
  return LOCALES.map((locale) => {
    const text = String(words[locale]).replace('{browsers}', BROWSER_NAMES);
    return `<p lang="${locale}"${attributes}>${text}</p>`;
  }).join('');
}

/** Puts the first words into each page; public/start.js shows the hidden ones when nothing has replaced them. */
export function firstWords(): Plugin {
  return {
    name: 'quizhall-first-words',
    transformIndexHtml(html) {
      if (!html.includes(PLACE)) throw new Error(`a page without ${PLACE}`);
      const script = `<noscript>${paragraphs('everywhere_no_script', '')}</noscript>`;
      const first = `<div class="starting"><p>Quizhall</p>${script}${paragraphs('everywhere_not_started', ' hidden')}</div>`;
      return html.replace(PLACE, `<div id="app">${first}</div>\n    <script src="/start.js" defer></script>`);
    },
  };
}
