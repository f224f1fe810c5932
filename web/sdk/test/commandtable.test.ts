/** The table of the host's commands beside the reference of the messages, which the server's own table generates. */

import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { COMMANDS } from '../src/commandtable.ts';

interface Message {
  readonly name: string;
  /** What the command does, as a sentence that names the messages. */
  readonly description?: string;
  readonly 'x-phase'?: string;
}

const { messages } = (
  JSON.parse(readFileSync(new URL('../../../docs/reference/asyncapi.json', import.meta.url), 'utf8')) as {
    components: { messages: Record<string, Message> };
  }
).components;

const rows = Object.entries(COMMANDS).map(([name, row]) => {
  const message = Object.values(messages).find((each) => each.name === name);
  return { name, row, effect: message?.description ?? '', phase: message?.['x-phase'] };
});

it.each(rows)('$name is allowed where the server takes it', ({ row, phase }) => {
  expect(row.phases.join(', ')).toBe(phase);
});

it.each(rows)('$name is confirmed by what the server says of it', ({ row, effect }) => {
  const named = [...effect.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  if (row.turns) expect(effect).toMatch(/^The game moves to|^As `release_scores`/);
  else if (row.marks) expect(named).toEqual(expect.arrayContaining([expect.stringMatching(/^override_applied$|^answers_marked$/)]));
  else expect(row.by.filter((name) => named.includes(name))).not.toEqual([]);
});
