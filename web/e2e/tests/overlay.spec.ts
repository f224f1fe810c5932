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

/** The edge that each address names is tested in overlay.test.ts. The plates of opposite edges have one shape, so that a sample of the
 * pictures is enough for the second of them. */
const EDGES = {
  '?overlay': { every: 1, bottom: 5, left: 5, right: 5, most: { width: 100, height: 34 } },
  '?overlay=top': { every: 3, top: 5, left: 5, right: 5, most: { width: 100, height: 34 } },
  '?overlay=left': { every: 1, top: 5, left: 4, most: { width: 31, height: 90 } },
  '?overlay=right': { every: 3, top: 5, right: 4, most: { width: 31, height: 90 } },
} as const;

for (const [search, { every, most, ...sides }] of Object.entries(EDGES)) {
  test(`${search}: the plate lies at its edge, with a ground behind every word`, async ({ browser }) => {
    await using server = await Server.start();
    const page = await browser.newPage({ viewport: HALL, reducedMotion: 'reduce' });
    const wall = await Wall.open(page, server.url, false, search);
    for (const [name, view] of Object.entries(SAMPLES).filter((_, at) => at % every === 0)) {
      await wall.shows(updateOf(view));
      const plate = page.locator('main.plate');
      await expect(plate, name).toHaveCount(1);
      const box = (await plate.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const percent = {
        ...{ left: (box.x / HALL.width) * 100, right: 100 - ((box.x + box.width) / HALL.width) * 100 },
        ...{ top: (box.y / HALL.height) * 100, bottom: 100 - ((box.y + box.height) / HALL.height) * 100 },
      };
      for (const [side, wanted] of Object.entries(sides)) expect.soft(Math.abs(percent[side as keyof typeof percent] - wanted), `${name}: ${side}`).toBeLessThan(0.5);
      expect.soft((box.width / HALL.width) * 100, `${name}: width`).toBeLessThanOrEqual(most.width);
      expect.soft((box.height / HALL.height) * 100, `${name}: height`).toBeLessThanOrEqual(most.height);
      expect.soft(await wall.cut(), `${name}: cut off`).toEqual([]);
      if (!CROWDED.includes(name)) {
        const small = (await wall.letters('main')).filter(({ size }) => size < LEAST - 0.01);
        expect.soft(small, `${name}: small letters`).toEqual([]);
      }
      await keepPicture(page, name);
    }
    const grounds = await page.evaluate(() => [document.documentElement, document.body, document.querySelector('main.plate')].map((each) => each && getComputedStyle(each).backgroundColor));
    expect(grounds.slice(0, 2), 'stream software sees through the page').toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    expect(grounds[2], 'and not through the plate').toMatch(/^rgb\(/);
    await isAccessible(page, `overlay ${search}`);
    await page.close();
  });
}
