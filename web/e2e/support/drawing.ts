// Pictures for questions, made by a browser.

import type { Page } from '@playwright/test';

/** A picture of this size in pixels, drawn by a browser: a sky, a sea and a red line. */
export async function picture(page: Page, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      const pen = canvas.getContext('2d');
      if (!pen) throw new Error('no canvas');
      for (const [colour, from] of [['#9bc', 0], ['#357', 0.6]] as const) {
        pen.fillStyle = colour;
        pen.fillRect(0, height * from, width, height);
      }
      pen.fillStyle = '#c30';
      pen.fillRect(0, height * 0.5, width, height * 0.05);
      return canvas.toDataURL('image/png');
    },
    [width, height] as const,
  );
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}
