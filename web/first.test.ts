// The browsers that the pages are built for are those that the pages and the guide for hosts name.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { BROWSER_NAMES, firstWords, TARGETS } from './first.ts';

function transformed(html: string): string {
  return (firstWords().transformIndexHtml as (html: string) => string)(html);
}

it('the guide for hosts names them', () => {
  expect(readFileSync(join(import.meta.dirname, '../docs/host/guide.md'), 'utf8').replace(/\s+/g, ' ')).toContain(BROWSER_NAMES);
  expect(TARGETS).toEqual(['chrome110', 'firefox115', 'safari16.4']);
});

it.each(['index', 'host', 'results', 'screen'])('%s.html has the first words in each language', (name) => {
  const html = transformed(readFileSync(join(import.meta.dirname, `${name}.html`), 'utf8'));
  const [, inside = ''] = /<noscript>(.*?)<\/noscript>/.exec(html) ?? [];
  expect([...inside.matchAll(/lang="(\w+)"/g)].map((match) => match[1])).toEqual(['en', 'de', 'es', 'fr']);
  expect([...html.matchAll(/<p lang="\w+" hidden>/g)]).toHaveLength(4);
  expect(html.split(BROWSER_NAMES)).toHaveLength(5);
});

it('a page without the place for them stops the build', () => {
  expect(() => transformed('<div id="other"></div>')).toThrow('a page without');
});
