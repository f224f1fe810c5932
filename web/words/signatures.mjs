// Writes the types of `m` (ui/src/words/generated/messages.d.ts) from the words: which sentences there are and the inputs of
// each. Run by `npm run words`; the functions themselves are made by plugin.ts when the pages are built.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const target = join(folder, '../ui/src/words/generated');

const areas = readdirSync(folder).filter((name) => name.endsWith('.json'));
const lines = areas.flatMap((name) => {
  const sentences = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return Object.keys(sentences).sort().map((key) => {
    const inputs = [...JSON.stringify(sentences[key]).matchAll(/\{(\w+)\}|"(?:counts|ranks|by)":"(\w+)"/g)];
    const types = [...new Set(inputs.map((match) => match[1] ?? match[2]))].sort().map((input) => `${input}: string | number`);
    return `export declare const ${key}: (${types.length > 0 ? `inputs: { ${types.join('; ')} }` : ''}) => string;`;
  });
});

mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'messages.d.ts'), `// Made by words/signatures.mjs.\n${lines.join('\n')}\n`);
