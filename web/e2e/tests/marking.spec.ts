// The marking desk by keyboard: near misses first, one key for a whole group, every action also undone, reload.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { join } from '../support/api.ts';
import { expect, test } from '../support/livegame.ts';

const ONE_QUESTION: QuizBody = {
  title: 'Spelling',
  rounds: [
    {
      title: '',
      questions: [{ text: 'Who painted Guernica?', type: 'text', correctAnswers: ['Picasso', 'Pablo Picasso'] }],
    },
  ],
};

test.use({ quiz: ONE_QUESTION });

test('who came after the round is not among those without an answer, nor after a reload', async ({ live }) => {
  const host = await live.host();
  const { url } = live.server;
  const code = live.game.gameCode;
  const ann = await live.guest('Ann');
  await join(url, code, 'Gus');
  await host.start();
  await host.release();
  await ann.write(1, 'Picasso');
  await ann.hasStored(1);
  await host.endRound();
  await join(url, code, 'Late Lou');
  const silent = host.page.getByText('1 without an answer');
  for (const page of ['as it was', 'reloaded']) {
    await test.step(page, async () => {
      await expect(host.page.getByRole('button', { name: '3 players' })).toBeVisible();
      await silent.click();
      await expect(host.page.getByRole('button', { name: 'Mark as right for Gus' })).toBeVisible();
      await expect(host.page.getByRole('button', { name: 'Mark as right for Late Lou' })).toHaveCount(0);
      await host.page.reload();
    });
  }
  for (const each of [host, ann]) each.watch.verify();
});

test('a round is marked with the keyboard alone, and every mark can be taken back', async ({ live }) => {
  const host = await live.host();
  const answers = { Ann: 'Picasso', Ben: 'Picaso', Cleo: 'picaso ', Dora: 'Dalí', Emil: 'Dali', Fay: 'Miró' };
  const phones = [];
  for (const [name, answer] of Object.entries(answers)) {
    phones.push({ phone: await live.guest(name), answer });
  }
  await join(live.server.url, live.game.gameCode, 'Gus');
  await host.start();
  await host.release();
  for (const { phone, answer } of phones) {
    await phone.write(1, answer);
    await phone.hasStored(1);
  }
  await host.endRound();

  const keys = host.page.keyboard;
  await test.step('the near miss is first, and A lets it count for all who wrote it', async () => {
    await expect(host.group('Picaso')).toContainText('2 answers');
    await keys.press('a');
    await host.isMarked('Picaso', 'Right');
  });
  // After a mark, the next group is selected automatically.
  await test.step('X says no again, U takes that back, U once more the first mark', async () => {
    await keys.press('ArrowUp');
    await keys.press('x');
    await host.isMarked('Picaso', 'Wrong');
    await keys.press('u');
    await host.isMarked('Picaso', 'Right');
    await keys.press('Control+z');
    await host.isUndecided('Picaso');
    await expect(host.page.getByRole('button', { name: /^Undo/ })).toBeDisabled();
  });
  await test.step('a mark and its undo survive a reload', async () => {
    await host.mark('Picaso', 'Right');
    await host.page.reload();
    await host.isMarked('Picaso', 'Right');
    await host.undo();
    await host.isUndecided('Picaso');
    await host.mark('Picaso', 'Right');
  });
  await test.step('one answer of a group, and one of a player who gave none', async () => {
    await host.group('Dalí').getByRole('button', { expanded: false }).click();
    const dora = host.page.getByRole('group', { name: 'Mark “Dora”' });
    await dora.getByRole('button', { name: 'Right', exact: true }).click();
    await expect(host.group('Dalí')).toContainText('mixed');
    await host.page.getByText('1 without an answer').click();
    await host.page.getByRole('button', { name: 'Mark as right for Gus' }).click();
    await expect(host.page.getByText('1 without an answer')).toBeHidden();
  });
  await host.releaseScores();
  const [ann, ben, cleo, dora, emil] = phones.map(({ phone }) => phone);
  for (const winner of [ann, ben, cleo, dora]) await winner?.sees('1,000');
  await expect(host.page.getByRole('listitem').filter({ hasText: 'Gus' }).first()).toContainText('1,000');
  await emil?.sees('Right answer: Picasso');
  for (const { phone } of phones) phone.watch.verify();
  host.watch.verify();
});
