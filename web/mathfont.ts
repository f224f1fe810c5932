// The font of formulas: Noto Sans Math with no more than what temml writes, made at build time. Chromium draws root signs, overlines and
// tall brackets only with a font that says how they grow, and few devices have one. Used by vite.config.ts; typeset.ts loads the file.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

/** What typeset.ts imports: the address of the font. */
const MODULE = 'virtual:math-font';
const FILE = '@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2';

/** First and last code points: Latin, Greek, operators, arrows, what stretches, and the letters of formulas (italic, bold, script, blackboard). */
const RANGES: readonly (readonly [number, number])[] = [
  ...([[0x20, 0x7e], [0xa0, 0xa0], [0xa8, 0xb7], [0xd7, 0xd7], [0xf7, 0xf7], [0x131, 0x131], [0x237, 0x237], [0x2c6, 0x2dd]] as const),
  ...([[0x302, 0x338], [0x391, 0x3c9], [0x3d1, 0x3d6], [0x3f0, 0x3f5], [0x2016, 0x2016], [0x2026, 0x2026], [0x2032, 0x203e]] as const),
  ...([[0x2044, 0x2044], [0x2061, 0x2064], [0x20d0, 0x20d7], [0x2102, 0x2135], [0x2190, 0x21a6], [0x21c4, 0x21d5]] as const),
  ...([[0x2200, 0x228b], [0x2293, 0x229a], [0x22a2, 0x22a8], [0x22b2, 0x22b5], [0x22c0, 0x22d6], [0x22ee, 0x22f1]] as const),
  ...([[0x2308, 0x230b], [0x2320, 0x23b7], [0x23dc, 0x23e1], [0x25a1, 0x25c1], [0x27c2, 0x27c2], [0x27e8, 0x27ef], [0x27f5, 0x27fc]] as const),
  ...([[0x2a00, 0x2a06], [0x2a7d, 0x2a7e], [0x2aaf, 0x2ab0], [0x1d400, 0x1d467], [0x1d49c, 0x1d4b5], [0x1d538, 0x1d550]] as const),
  ...([[0x1d6a4, 0x1d6a5], [0x1d6fc, 0x1d71b]] as const),
];

/** Whether the font of the pages has this character. */
export function isInFont(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return RANGES.some(([first, last]) => first <= point && point <= last);
}

/** The bytes of the font. */
export async function mathFontFile(): Promise<Uint8Array> {
  const whole = readFileSync(createRequire(import.meta.url).resolve(FILE));
  const text = RANGES.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)));
  return subsetFont(whole, text.join(''), { targetFormat: 'woff2' });
}

/** Gives typeset.ts the font's address. A server for development has the whole font. */
export function mathFont(): Plugin {
  let isBuild = false;
  return {
    name: 'quizhall-math-font',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    resolveId: { filter: { id: /^virtual:math-font$/ }, handler: () => `\0${MODULE}` },
    load: {
      filter: { id: /^\0virtual:math-font$/ },
      async handler() {
        if (!isBuild) return `export default '/node_modules/${FILE}';`;
        const file = this.emitFile({ type: 'asset', name: 'formulas.woff2', source: await mathFontFile() });
        return `export default import.meta.ROLLUP_FILE_URL_${file};`;
      },
    },
  };
}
