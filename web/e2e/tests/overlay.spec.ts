// The overlay for stream software: a plate at the edge that its address names, everything of every picture in it, and nothing beside it.

import { expect, test } from '@playwright/test';

import { SAMPLES } from '../../screen/src/samples.ts';
import { isAccessible } from '../support/checks.ts';
import { keepPicture } from '../support/pictures.ts';
import { Server } from '../support/server.ts';
import { updateOf, Wall } from '../support/wall.ts';

const HALL = { width: 1_920, height: 1_080 } as const;
/** The least size of letters, except for the longest texts that a quiz may have. */
const LEAST = 24;
const CROWDED: readonly string[] = ['questionLong', 'answerLong', 'tallyMany', 'lobbyFull'];

interface Edge {
  /** Which of the pictures are shown at it. */
  readonly every: number;
  readonly from: number;
  /** Whether the fullest pictures are shown at it as well. */
  readonly isFull: boolean;
  /** The largest plate, and its distance from the sides of the window, in percent. */
  readonly most: { readonly width: number; readonly height: number };
  readonly sides: Readonly<Partial<Record<'left' | 'right' | 'top' | 'bottom', number>>>;
}

/** The edge that each address names, and the words of every picture, are tested in overlay.test.ts. The pictures are shown along one edge and
 * beside one, by turns; the plates of opposite edges have one shape, so that a few are enough for the second of them. */
const EDGES: Readonly<Record<string, Edge>> = {
  '?overlay': { every: 4, from: 0, isFull: true, most: { width: 100, height: 34 }, sides: { bottom: 5, left: 5, right: 5 } },
  '?overlay=top': { every: 18, from: 1, isFull: false, most: { width: 100, height: 34 }, sides: { top: 5, left: 5, right: 5 } },
  '?overlay=left': { every: 4, from: 2, isFull: true, most: { width: 31, height: 90 }, sides: { top: 5, left: 4 } },
  '?overlay=right': { every: 18, from: 0, isFull: false, most: { width: 31, height: 90 }, sides: { top: 5, right: 4 } },
};

test('the plate lies at the edge that the address names, with a ground behind every word', async ({ browser }) => {
  await using server = await Server.start();
  const page = await browser.newPage({ viewport: HALL, reducedMotion: 'reduce' });
  for (const [search, edge] of Object.entries(EDGES)) {
    await test.step(search, async () => {
      const wall = await Wall.open(page, server.url, false, search);
      for (const [name, view] of Object.entries(SAMPLES).filter(([name], at) => at % edge.every === edge.from || (edge.isFull && CROWDED.includes(name)))) {
        await wall.shows(updateOf(view));
        await liesAtItsEdge(wall, edge, `${search}, ${name}`);
        if (!CROWDED.includes(name)) {
          const small = (await wall.letters('main')).filter(({ size }) => size < LEAST - 0.01);
          expect.soft(small, `${search}, ${name}: small letters`).toEqual([]);
        }
        await keepPicture(page, `${search}-${name}`);
      }
      const grounds = await page.evaluate(() => [document.documentElement, document.body, document.querySelector('main.plate')].map((each) => each && getComputedStyle(each).backgroundColor));
      expect(grounds.slice(0, 2), 'stream software sees through the page').toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
      expect(grounds[2], 'and not through the plate').toMatch(/^rgb\(/);
      await isAccessible(page, `overlay ${search}`);
    });
  }
  await page.close();
});

/** The one plate, its place in percent of the window, and nothing of it cut off. */
async function liesAtItsEdge(wall: Wall, { most, sides }: Edge, what: string): Promise<void> {
  const plate = wall.page.locator('main.plate');
  await expect(plate, what).toHaveCount(1);
  const box = (await plate.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const percent = {
    ...{ left: (box.x / HALL.width) * 100, right: 100 - ((box.x + box.width) / HALL.width) * 100 },
    ...{ top: (box.y / HALL.height) * 100, bottom: 100 - ((box.y + box.height) / HALL.height) * 100 },
  };
  for (const [side, wanted] of Object.entries(sides)) expect.soft(Math.abs(percent[side as keyof typeof percent] - wanted), `${what}: ${side}`).toBeLessThan(0.5);
  expect.soft((box.width / HALL.width) * 100, `${what}: width`).toBeLessThanOrEqual(most.width);
  expect.soft((box.height / HALL.height) * 100, `${what}: height`).toBeLessThanOrEqual(most.height);
  expect.soft(await wall.cut(), `${what}: cut off`).toEqual([]);
}
