/** The schemas of the messages, as `docs/reference/messages.schema.json` has them, judged by a validator of JSON Schema. */

import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8'));

const schema = read('messages.schema.json') as { $id: string; $defs: Record<string, unknown> };
const asyncapi = read('asyncapi.json') as { components: { messages: Record<string, { examples: { payload: unknown }[] }> } };

// The numbers of serde have formats of their own, such as `uint32`.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema);
const fits = (message: unknown, name?: string) => {
  return ajv.validate(name === undefined ? schema.$id : `${schema.$id}#/$defs/${name}`, message);
};

describe('the schema of the messages', () => {
  it('takes every example', () => {
    const examples = Object.values(asyncapi.components.messages).flatMap((message) => message.examples);
    expect(examples.length).toBeGreaterThan(30);
    expect(examples.filter(({ payload }) => !fits(payload))).toEqual([]);
  });

  it('refuses what no message is', () => {
    const refused = [
      { type: 'rubbish' },
      {},
      [],
      'start_game',
      { type: 'submit_answer' },
      { type: 'submit_answer', payload: { questionId: 7, answer: 'a' } },
      { type: 'override_answer', payload: { playerId: '4f1c9f0e-8a51-7b57-8f6f-6b1f2b6c7d01' } },
    ];
    expect(refused.filter((message) => fits(message))).toEqual([]);
  });

  it('separates the directions', () => {
    const start = { type: 'start_game' };
    expect([fits(start), fits(start, 'FromHost'), fits(start, 'FromPlayer'), fits(start, 'HeardByHost')]).toEqual([true, true, false, false]);
  });
});
