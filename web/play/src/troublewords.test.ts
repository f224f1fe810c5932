// @vitest-environment jsdom
// The sentences for failed joins that name a control of the page.
import { afterAll, describe, expect, it } from 'vitest';

import { m } from '$words/language.svelte.ts';
import { LOCALES } from '$words/locales.ts';
import { speakBy } from '$words/sentence.ts';

import { TROUBLE_WORDS } from './troublewords.ts';

describe('TROUBLE_WORDS', () => {
  afterAll(() => {
    speakBy(() => LOCALES[0]);
  });

  it.each(LOCALES)('lead a player whose name is taken to the way back: %s', (locale) => {
    speakBy(() => locale);
    expect(TROUBLE_WORDS.name_taken?.()).toContain(m.play_take_instead());
  });
});
