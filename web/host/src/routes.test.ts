import { describe, expect, it } from 'vitest';

import { ACCOUNT, ACCOUNTS, gamePath, HOME, printPath, quizPath, replayPath, resultsPath, routeOf } from './routes.ts';

const ID = '0198f1c2-7d10-7c4e-9d6c-2f1f5b1f7a11';

describe('routeOf', () => {
  it('reads back every path that is written', () => {
    expect(routeOf(HOME)).toEqual({ page: 'home' });
    expect(routeOf(ACCOUNT)).toEqual({ page: 'account' });
    expect(routeOf(ACCOUNTS)).toEqual({ page: 'accounts' });
    expect(routeOf(quizPath(ID))).toEqual({ page: 'quiz', id: ID });
    expect(routeOf(printPath(ID))).toEqual({ page: 'print', id: ID });
    expect(routeOf(gamePath(ID))).toEqual({ page: 'game', id: ID });
    expect(routeOf(resultsPath(ID))).toEqual({ page: 'results', id: ID });
    expect(routeOf(replayPath(ID))).toEqual({ page: 'replay', id: ID });
  });

  it('does not mind a slash at the end', () => {
    expect(routeOf('/host/')).toEqual({ page: 'home' });
    expect(routeOf('/setup/')).toEqual({ page: 'setup' });
    expect(routeOf('/host/signed-in/')).toEqual({ page: 'signed-in' });
    expect(routeOf('/host/invited/')).toEqual({ page: 'invited' });
    expect(routeOf(`${gamePath(ID)}/`)).toEqual({ page: 'game', id: ID });
  });

  it('says so when nothing is there', () => {
    const nowhere = ['/', '/host/quizzes', '/host/other/7', '/host/signed-in/x', '/host/invited/x', `/host/games/${ID}/other`, `/host/games/${ID}/results/x`];
    for (const path of [...nowhere, '/host/quizzes/%2e%2e', '/setup/x']) {
      expect(routeOf(path), path).toEqual({ page: 'missing' });
    }
  });
});
