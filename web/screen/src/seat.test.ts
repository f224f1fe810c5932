import { expect, test } from 'vitest';

import { fragmentOf, placeOf } from './seat.ts';

test('a fragment names a game, a seat, or nothing', () => {
  expect(placeOf('')).toEqual({ kind: 'none' });
  expect(placeOf('0199-id')).toEqual({ kind: 'asks', gameId: '0199-id' });
  expect(placeOf('KTM472/qw_x')).toEqual({ kind: 'seat', gameCode: 'KTM472', token: 'qw_x', origin: null });
});

test('the page of spectators names a game until it has a token', () => {
  expect(placeOf('', '/watch/KTM472')).toEqual({ kind: 'watches', gameCode: 'KTM472' });
  expect(placeOf('KTM472/qv_x', '/watch/KTM472')).toMatchObject({ kind: 'seat', token: 'qv_x' });
  expect(placeOf('', '/screen/')).toEqual({ kind: 'none' });
});

test('where players join is kept when this page is from elsewhere', () => {
  const link = 'https://quiz.example.org/screen#KTM472/qw_x';
  expect(fragmentOf(link, 'https://quiz.example.org')).toBe('KTM472/qw_x');
  const fragment = fragmentOf(link, 'http://localhost:8080');
  expect(placeOf(fragment)).toMatchObject({ gameCode: 'KTM472', token: 'qw_x', origin: 'https://quiz.example.org' });
});
