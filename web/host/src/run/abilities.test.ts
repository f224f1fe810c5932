import { expect, test } from 'vitest';

import { type Ability, may, type RunBy } from './abilities.ts';
import { ABILITY_OF, type Shortcut } from './shortcuts.ts';

const ALL: readonly Ability[] = ['steps', 'marks', 'room', 'account'];

test.each<[RunBy, readonly Ability[]]>([
  ['account', ['steps', 'marks', 'room', 'account']],
  ['host', ['steps', 'marks', 'room']],
  ['marker', ['marks']],
  ['moderator', ['room']],
])('%s may %j and nothing else', (by, abilities) => {
  expect(ALL.filter((ability) => may(by, ability))).toEqual(abilities);
});

test('a moderator has the keys of the room, a marker those of the desk', () => {
  const keysOf = (by: RunBy): string[] =>
    Object.entries(ABILITY_OF).flatMap(([shortcut, needs]) => (needs === null || may(by, needs) ? [shortcut] : []));
  expect(keysOf('moderator')).toEqual(['lock', 'code', 'help'] satisfies Shortcut[]);
  expect(keysOf('marker')).toEqual(['marking', 'help'] satisfies Shortcut[]);
});
