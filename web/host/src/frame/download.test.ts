import { describe, expect, it } from 'vitest';

import { fileName, titleOfFile } from './download.ts';

describe('file names', () => {
  it.each([
    ['Friday quiz: round 1/2', 'Friday-quiz-round-1-2'],
    ['  Ärger über Öl  ', 'Ärger-über-Öl'],
    ['クイズの夜', 'クイズの夜'],
    ['../../..', 'quiz'],
    ['x'.repeat(100), 'x'.repeat(60)],
  ])('%s becomes %s', (title, name) => {
    expect(fileName(title)).toBe(name);
  });

  it('become titles', () => {
    expect(titleOfFile('friday_quiz-2.csv')).toBe('friday quiz 2');
    expect(titleOfFile('plain')).toBe('plain');
  });
});
