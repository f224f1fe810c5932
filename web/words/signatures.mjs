// Writes the types of `m` (ui/src/words/generated/messages.d.ts) from the words: which sentences there are and what each
// must be told. Run by `npm run words`; the functions themselves are made by plugin.ts when the pages are built.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const target = join(folder, '../ui/src/words/generated');

const areas = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const lines = areas.flatMap(({ name }) => {
  const files = readdirSync(join(folder, name)).map((file) => JSON.parse(readFileSync(join(folder, name, file), 'utf8')));
  const keys = [...new Set(files.flatMap((words) => Object.keys(words)))].filter((key) => !key.startsWith('$'));
  return keys.sort().map((key) => {
    const texts = JSON.stringify(files.map((words) => words[key]));
    const inputs = [...texts.matchAll(/\{(\w+)\}|input (\w+)/g)].map((match) => match[1] ?? match[2]);
    const told = [...new Set(inputs)].sort().map((input) => `${input}: string | number`);
    return `export declare const ${key}: (${told.length > 0 ? `inputs: { ${told.join('; ')} }` : ''}) => string;`;
  });
});

mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'messages.d.ts'), `// Made by words/signatures.mjs.\n${lines.join('\n')}\n`);
