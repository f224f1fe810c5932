/** The schemas of the messages, as `docs/reference/messages.schema.json` has them, judged by a validator of JSON Schema. */

import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8'));

const schema = read('messages.schema.json') as { $id: string; $defs: Record<string, unknown> };
const asyncapi = read('asyncapi.json') as { components: { messages: Record<string, { examples: { payload: unknown }[] }> } };

// Nothing is ignored: an unknown word or format, or a type that does not match its rules, is an error.
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const STRICT = { strict: true, strictTypes: true, strictTuples: true, strictRequired: true, formats: { uuid: UUID } } as const;
const ajv = new Ajv2020(STRICT);
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

  it('is one in every part for a strict validator', () => {
    const names = Object.keys(schema.$defs);
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) expect(ajv.getSchema(`${schema.$id}#/$defs/${name}`), name).toBeTypeOf('function');
    expect(() => new Ajv2020(STRICT).compile(schema)).not.toThrow();
  });

  it('refuses numbers and ids that the types cannot hold', () => {
    const question = '0195f0a0-0000-7000-8000-000000000001';
    const appeal = (questionId: string) => ({ type: 'appeal', payload: { questionId } });
    expect([appeal(question), appeal('one'), appeal(`${question}0`)].map((message) => fits(message, 'FromPlayerV1'))).toEqual([true, false, false]);
    const counts = [0, 4_294_967_295, 4_294_967_296, -1, 1.5];
    expect(counts.map((count) => fits(count, 'AnswerCount/properties/answerCount'))).toEqual([true, true, false, false, false]);
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
