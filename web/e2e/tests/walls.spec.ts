// What a wall can show: every choice of every question is on it, nothing covers anything, and the text can be read from the back of
// the room, whatever the question has: a picture, a formula, lines, letters from right to left, and ten questions before it.

import { expect, test } from '@playwright/test';

import type { ScreenQuestion } from '../../sdk/src/generated/protocol.ts';
import { picture } from '../support/drawing.ts';
import { keepPicture } from '../support/pictures.ts';
import { Server } from '../support/server.ts';
import { asked, type Box, ROUND, Wall } from '../support/wall.ts';

const LONG =
  'In a letter to a friend, a composer who had been losing his hearing for years wrote that he had been thinking of ending it all, ' +
  'and that only his art held him back. He never sent the letter; it was found among his papers after his death and is named after ' +
  'the small town near Vienna where he wrote it. Who was he, and which of these did he write in the same year?';
const TEXTS = {
  short: 'Which bridge is this?',
  long: LONG,
  formula: 'How much is $\\sqrt{\\frac{3}{4}} + x_1^2$ for $x_1 = 2$?',
  tall: 'Which is $\\begin{pmatrix} a & b \\\\ c & d \\\\ e & f \\\\ g & h \\end{pmatrix} \\cdot \\frac{\\frac{1}{\\sqrt{x}}}{\\frac{2}{y}}$?',
  wide: 'Is $x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9 + x_{10} + x_{11} + x_{12} = \\overline{AB}$?',
  fromRight: 'מהי בירת אוסטרליה מאז שנת 1913, ומה שמה של העיר שנבנתה במיוחד לשם כך?',
  lines: 'What does this print?\nfor (let i = 0; i < 3; i++) {\n  if (i % 2 === 0) {\n    console.log(i);\n  }\n}',
} as const;
const PHRASE = 'the one of the nine symphonies and no opera but one';
const short = ['Sydney', 'Canberra', 'Melbourne', 'Perth', 'Hobart', 'Darwin', 'Adelaide', 'Brisbane'];
const CHOICES = {
  two: short.slice(0, 2),
  four: short.slice(0, 4),
  eight: short,
  longFour: short.slice(0, 4).map((name) => `${name}, ${PHRASE}`),
  longEight: short.map((name) => `${name}, ${PHRASE}`),
} as const;
const PICTURES = { none: null, wide: [1_600, 500], tall: [450, 1_600] } as const;
const BEFORE = [0, 3, 10] as const;
/** They keep their ids, as in a game, so that the page does not draw them again. */
const EARLIER = Array.from({ length: 10 }, (_, at) => asked(at + 1, at % 2 ? TEXTS.formula : LONG));

/** Sizes of walls. They have one shape, so that one has all questions, and each of the others a sample. */
const WALLS = [
  { width: 1_920, height: 1_080, every: 1 },
  { width: 1_280, height: 720, every: 4 },
  { width: 3_840, height: 2_160, every: 7 },
] as const;

/** What one question has, by the names above. */
interface Kind {
  readonly text: keyof typeof TEXTS;
  readonly choices: keyof typeof CHOICES;
  readonly pictured: keyof typeof PICTURES;
  readonly before: number;
}

/** Each text with the most choices, where it has the least room, and with others by turns. */
const KINDS: readonly Kind[] = Object.keys(TEXTS).flatMap((text, row) =>
  [row % 4, 4].map((column) => {
    const pictured = Object.keys(PICTURES)[(row + column) % 3];
    return { text, choices: Object.keys(CHOICES)[column], pictured, before: BEFORE[(row + 2 * column) % 3] ?? 0 } as Kind;
  }),
);

test('every question is whole on a wall of any size', async ({ browser }) => {
  await using server = await Server.start();
  const page = await browser.newPage({ viewport: WALLS[0], reducedMotion: 'reduce' });
  const wall = await Wall.open(page, server.url);
  await wall.shows(ROUND);
  const media = { none: null, wide: wall.picture(await picture(page, ...PICTURES.wide), 'A bridge'), tall: wall.picture(await picture(page, ...PICTURES.tall), 'A tower') };
  for (const { width, height, every } of WALLS) {
    await page.setViewportSize({ width, height });
    for (const kind of KINDS.filter((_, at) => (at + 1) % every === 0)) {
      const { before } = kind;
      const what = `${String(width)} × ${String(height)}: ${kind.text}, ${kind.choices}, picture ${kind.pictured}, ${String(before)} before`;
      const [text, choices, file] = [TEXTS[kind.text], CHOICES[kind.choices], media[kind.pictured]];
      const newest: ScreenQuestion = asked(before + 1, text, { choices: [...choices], ...(file && { media: file }) });
      await wall.shows({ ...ROUND, questions: [...EARLIER.slice(0, before), newest] });
      await isWhole(wall, { what, choices, isPictured: file !== null, least: height / (isCrowded(kind) ? 40 : 30) });
      await keepPicture(page, what);
    }
  }
  await page.close();
});

/** The most that a wall can show: its text is smaller. */
function isCrowded({ text, choices, pictured }: Kind): boolean {
  return choices === 'longEight' && (text === 'long' || text === 'lines' || text === 'tall' || pictured !== 'none');
}

interface Whole {
  readonly what: string;
  readonly choices: readonly string[];
  readonly isPictured: boolean;
  /** The least height of letters, in pixels. */
  readonly least: number;
}

async function isWhole(wall: Wall, { what, choices, isPictured, least }: Whole): Promise<void> {
  const boxes = await wall.boxes('article .kind, article h1, article .choices li, article img, main > .answered p, .earlier .line, .earlier p');
  const [article] = await wall.boxes('main');
  expect.soft(boxes.filter(({ what }) => what.startsWith('LI ')).length, what).toBe(choices.length);
  expect.soft(boxes.filter(({ what }) => what.startsWith('IMG')).length, what).toBe(isPictured ? 1 : 0);
  const { width, height } = wall.page.viewportSize() ?? { width: 0, height: 0 };
  const outside = boxes.filter(({ left, top, right, bottom }) => left < -1 || top < -1 || right > width + 1 || bottom > height + 1);
  expect.soft(outside, `outside of the wall: ${what}`).toEqual([]);
  expect(article, what).toBeDefined();
  expect.soft(overlapping(boxes), `covers another: ${what}`).toEqual([]);
  const small = (await wall.letters('.sheet')).filter(({ size }) => size < least);
  expect.soft(small, `smaller than ${String(least)} px: ${what}`).toEqual([]);
}

/** A line of text is higher than its letters: a fifth of it may overlap the next. */
function overlapping(boxes: readonly Box[]): string[] {
  return boxes.flatMap((one, at) =>
    boxes.slice(at + 1).filter((other) => {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return across > 2 && down > 8;
    }).map((other) => `${one.what} | ${other.what}`),
  );
}
