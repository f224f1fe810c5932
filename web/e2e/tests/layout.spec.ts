// The layout check sees each fault that it names, and passes what only looks like one; axe is asked wherever its answer could differ;
// the editor has room for its titles.

import type { Page } from '@playwright/test';

import { hasSoundLayout, layoutFaults } from '../layout.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { WHOLE_QUIZ } from '../support/quizzes.ts';

const PAGE = { width: 800, height: 600 } as const;

async function faultsOf(page: Page, body: string): Promise<readonly string[]> {
  await page.setViewportSize(PAGE);
  await page.setContent(`<!doctype html><body style="margin:0;font:16px sans-serif">${body}</body>`);
  return layoutFaults(page);
}

const ROW = 'display:grid;grid-template-columns:minmax(0,1fr) 780px;gap:8px';
const SIGN = '<svg style="width:20px;height:20px"></svg>';
const BROKEN = {
  'a text that is wider than the page': ['<p style="width:900px;margin:0">Wide</p>', /^wider than the page, 900 of 800 px: p “Wide”$/],
  'a text without room beside a wide one': [`<div style="${ROW}"><p>Capitals</p><p>Many options</p></div>`, /^squeezed to 12 px: p “Capitals”$/],
  'a field without room beside a wide one': [`<div style="${ROW}"><div><textarea style="width:100%;box-sizing:border-box;padding:0;border:0">Capitals</textarea></div><p>Many options</p></div>`, /^squeezed to 12 px: textarea/],
  'an element that is cut off': ['<p style="width:60px;overflow:hidden;white-space:nowrap">A long sentence</p>', /^clipped: p “A long sentence”$/],
  'two buttons on one place': ['<button>One</button><button style="margin-left:-20px">Two</button>', /^overlap: button “One” and button “Two”$/],
  'a button left of the page': ['<button style="position:absolute;left:-90px">Gone</button>', /^out of reach: button “Gone”$/],
  'a button below a window that is fixed': ['<div style="position:fixed;inset:0"><button style="position:absolute;top:700px">Gone</button></div>', /^out of reach: button “Gone”$/],
  'a button in a box that cuts it off': ['<div style="height:40px;overflow:hidden"><p>Tall</p><button style="margin-top:80px">Gone</button></div>', /^out of reach: button “Gone”$/],
  'a menu that opens below the window': ['<div role="menu" style="position:absolute;top:590px;height:60px">Remove</div>', /^menu out of the window: div “Remove”$/],
  'a popover beside the window': ['<div popover style="inset:auto;left:750px;width:200px">Help</div><script>document.querySelector("[popover]").showPopover()</script>', /^menu out of the window: div “Help”$/],
  'a text that is too small': ['<p style="font-size:11px">Small print</p>', /^text of 11\.0 px: p “Small print”$/],
  'a word that is broken in its middle': ['<p style="width:60px;overflow-wrap:anywhere">Michelangelo</p>', /^split: “Michelangelo” of p “Michelangelo”$/],
  'a short word that is broken in large text': ['<style>html { font-size: 200% }</style><p style="width:60px;font-size:32px;overflow-wrap:anywhere">Iceland</p>', /^split: “Iceland” of p “Iceland”$/],
  'a button without a word or a sign': ['<button aria-label="Undo" style="width:48px;height:48px"></button>', /^without a word: button “Undo”$/],
  'a button of which the window hides the word': [`<button>${SIGN}<span style="display:none">Reveal</span></button>`, /^without a word: button “Reveal”$/],
  'a sign that is too small to be seen': ['<button aria-label="Undo"><svg style="width:8px;height:8px"></svg></button>', /^without a word: button “Undo”$/],
  'buttons of a list that wrap in some rows': [`<ul style="padding:0;width:200px">${['Owls', 'Larks of the long name'].map((name) => `<li style="display:flex;flex-wrap:wrap"><span style="flex:1 1 auto">${name}</span><button>Mark it</button></li>`).join('')}</ul>`, /^not in one column: button “Mark it”$/],
  'bars of a list that end at different places': [`<ul style="padding:0;width:300px">${['', 'right'].map((mark) => `<li style="display:flex"><progress style="flex:1"></progress><span>${mark}</span></li>`).join('')}</ul>`, /^not in one column: progress/],
  'a text below the bar at the end of the page': ['<p style="height:580px;margin:0">Tall</p><p style="margin:0">The last</p><div style="position:fixed;inset:auto 0 0;height:20px">Bar</div>', /^covered: p “The last” by div “Bar”$/],
  'a button below the foot of a dialog': ['<dialog style="height:200px;overflow:auto;padding:0"><div style="height:170px"><button>Pub</button></div><button>Make it 10</button><div style="height:90px"></div><div style="position:sticky;bottom:0;background:white">Cancel</div></dialog><script>document.querySelector("dialog").showModal()</script>', /^covered: button “Make it 10” by div “Cancel”$/],
} as const;

const SOUND = {
  'a box to tick beside its words': '<label style="display:flex"><input type="checkbox"><span style="flex:1">Teams</span></label>',
  'a short word in a narrow column': `<div style="display:grid;grid-template-columns:12px 700px"><p>2</p><p>Question</p></div>`,
  'an element that says that it clips': '<p data-clips style="width:60px;overflow:hidden;white-space:nowrap">A long sentence</p>',
  'a box that can be scrolled': '<div style="height:40px;overflow:auto"><p>Tall</p><button style="margin-top:80px">Below</button></div>',
  'a button far down the page': '<button style="margin-top:2000px">Below</button>',
  'a bar that stays over the page': '<button style="margin-top:550px">Below</button><div style="position:fixed;bottom:0"><button>Next</button></div>',
  'a button with a sign that is known': `<button data-sign aria-label="1 screen">${SIGN}<span style="display:none">1 screen</span></button>`,
  'a word that is longer than half of the page': `<p style="width:300px;overflow-wrap:anywhere">${'h'.repeat(60)}</p>`,
  'a long word in large text': '<style>html { font-size: 200% }</style><p style="width:250px;font-size:32px;overflow-wrap:anywhere">Kartoffelsuppenlöffel</p>',
  'buttons that end at one place': '<ul style="padding:0">' + ['Give it', 'Take all'].map((name) => `<li style="display:flex"><span style="flex:1">${name}</span><button>${name}</button></li>`).join('') + '</ul>',
  'a bar with room below the page': '<p style="height:600px">Tall</p><p>The last</p><div style="height:80px"></div><div style="position:fixed;inset:auto 0 0;height:60px">Bar</div>',
  'a menu over the page': '<button>Menu</button><button>Other</button><div role="menu" style="position:absolute;top:0;left:0"><button>Remove</button></div>',
  'what is only read aloud': '<p style="position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap;font-size:8px">Read aloud</p>',
  'the page behind a dialog': '<button style="position:absolute;left:-90px">Gone</button><dialog><button>Close</button></dialog><script>document.querySelector("dialog").showModal()</script>',
} as const;

test('it sees each fault, passes what only looks like one, and wants larger text on the screen', async ({ page }) => {
  for (const [fault, [body, line]] of Object.entries(BROKEN)) {
    expect.soft(await faultsOf(page, body), fault).toEqual([expect.stringMatching(line)]);
  }
  for (const [what, body] of Object.entries(SOUND)) expect.soft(await faultsOf(page, body), what).toEqual([]);
  await test.step('a structure that has passed is looked at again in other colours, and with another element', () => looksAgain(page));
  await test.step('a text on the screen is twice as large, at 1080 lines', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.route('**/screen', (route) => route.fulfill({ contentType: 'text/html', body: '<p style="font-size:23px">Small</p><p style="font-size:24px">Enough</p>' }));
    await page.goto('http://127.0.0.1:9/screen');
    expect(await layoutFaults(page)).toEqual([expect.stringMatching(/^text of 23\.0 px: p “Small”$/)]);
  });
});

async function looksAgain(page: Page): Promise<void> {
  const shows = (colour: string, more = ''): Promise<void> =>
    page.setContent(`<!doctype html><html lang="en"><head><title>Quiz</title></head><body><main><h1 style="color:${colour}">Quiz</h1>${more}</main></body></html>`);
  await shows('black');
  await isAccessible(page, 'black on white');
  await shows('#ddd');
  await expect(isAccessible(page, 'grey on white')).rejects.toThrow('color-contrast');
  await expect(isAccessible(page, 'the same once more'), 'a fault is not passed').rejects.toThrow('color-contrast');
  await shows('black', '<input>');
  await expect(isAccessible(page, 'a field without a name')).rejects.toThrow('label');
  const dialog = (content: string) => `<input><dialog aria-label="Ask">${content}</dialog><script>document.querySelector('dialog').showModal()</script>`;
  await shows('black', dialog('<p>Well?</p>'));
  await isAccessible(page, 'a dialog over such a page');
  await shows('black', dialog('<input>'));
  await expect(isAccessible(page, 'such a field in a dialog')).rejects.toThrow('label');
}

test('a menu at the lower edge of the window is in sight as a whole; the editor has room for titles and choices, also in large text', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await page.goto(`${live.server.url}/host`);
  const opener = page.getByRole('button', { name: `More options for ${WHOLE_QUIZ.title}` }).last();
  const box = await opener.boundingBox();
  if (!box) throw new Error('it is not drawn');
  await page.setViewportSize({ width: 1024, height: Math.ceil(box.y + box.height) });
  await opener.click();
  await expect(page.getByRole('button', { name: 'Duplicate' })).toBeInViewport({ ratio: 1 });
  await hasSoundLayout(page, 'host, a menu at the lower edge');
  await keepPicture(page, 'menu');
  await page.keyboard.press('Escape');

  await host.openQuiz(WHOLE_QUIZ.title);
  const title = page.locator('[data-round] [data-part=title]').first();
  for (const [size, widths] of Object.entries({ '100%': [768, 320], '200%': [1024, 320] })) {
    await page.evaluate((each) => {
      document.documentElement.style.fontSize = each;
    }, size);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const room = await title.evaluate((field) => field.getBoundingClientRect().width);
      expect.soft(room, `the title at ${String(width)} px, text of ${size}`).toBeGreaterThan(Math.min(260, width / 3));
      await isNotTooWide(page, `host, the editor at ${String(width)} px, text of ${size}`);
      await keepPicture(page, `editor-${String(width)}-${size}`);
      const word = page.getByRole('button', { name: 'Settings of the quiz' }).getByText('Settings', { exact: true });
      if (width === 768 && size === '100%') await expect(word, 'the sign has its word where there is room').toBeVisible();
    }
  }

  // Large text on a small phone, in which no word is split.
  await page.getByRole('tab', { name: 'Preview' }).click();
  await hasSoundLayout(page, 'host, the preview with large text');
  await page.getByRole('tab', { name: 'Questions' }).click();
  await expect(page.getByRole('button', { name: 'Settings of the quiz' })).toBeVisible();
  await host.openQuestion('Which planet is the largest?');
  await hasSoundLayout(page, 'host, choices with large text');
});
