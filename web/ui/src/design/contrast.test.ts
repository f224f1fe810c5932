// Holds the colours of tokens.css to WCAG 2.2: text 4.5:1, shapes 3:1, in light and in dark.
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

type Scheme = 'light' | 'dark';

const css = readFileSync(`${import.meta.dirname}/tokens.css`, 'utf8');

/** Every colour token with its value in each scheme. */
const colours = new Map(
  [...css.matchAll(/--([\w-]+):\s*(?:light-dark\((#\w{6}),\s*(#\w{6})\)|(#\w{6}));/g)].map(
    ([, name = '', light = '', dark = '', both]) => [name, { light: both ?? light, dark: both ?? dark }],
  ),
);

const GROUNDS = ['paper', 'sheet', 'hover'];
const CHOICES = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `choice-${letter}`);

const TEXT: [text: string, ground: string][] = [
  ...['ink', 'quiet', 'good', 'bad', 'wait'].flatMap((text) => GROUNDS.map((ground): [string, string] => [text, ground])),
  ['on-lamp', 'lamp'],
  ['on-lamp', 'lamp-hover'],
  // The letter inside the shape of a choice.
  ...CHOICES.map((choice): [string, string] => ['paper', choice]),
  ['qr-ink', 'qr-ground'],
];

const SHAPES: [shape: string, ground: string][] = [
  ...CHOICES.flatMap((choice) => ['paper', 'sheet'].map((ground): [string, string] => [choice, ground])),
  ...['paper', 'sheet'].map((ground): [string, string] => ['lamp-edge', ground]),
];

describe.each<Scheme>(['light', 'dark'])('in %s', (scheme) => {
  test.each(TEXT)('the text %s is readable on %s', (text, ground) => {
    expect(contrast(text, ground, scheme)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(SHAPES)('the shape %s stands out from %s', (shape, ground) => {
    expect(contrast(shape, ground, scheme)).toBeGreaterThanOrEqual(3);
  });
});

test('the measure is the one of WCAG', () => {
  expect(ratio('#000000', '#ffffff')).toBeCloseTo(21);
  expect(ratio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

function contrast(one: string, other: string, scheme: Scheme): number {
  return ratio(colour(one, scheme), colour(other, scheme));
}

function colour(name: string, scheme: Scheme): string {
  const token = colours.get(name);
  if (!token) throw new Error(`tokens.css has no colour --${name}`);
  return token[scheme];
}

/** Contrast ratio of two colours `#rrggbb` (WCAG 2.2, "contrast ratio"). */
function ratio(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
