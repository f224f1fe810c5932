import { describe, expect, it } from 'vitest';

import { msLeft } from '../src/index.ts';
import { autopilotStatus, autopilotStep, hostStatus, questionClosed, released, roundEnded, roundStarted } from './messages.ts';
import { comeBack, hosting, lives } from './playing.ts';

const PLAN = { answerFor: 30, revealFor: 8, breakFor: 10, holdWithoutHost: true };

describe('a host with an autopilot', () => {
  it('starts and stops it once, until that is confirmed', () => {
    const { world, game } = hosting(roundStarted());
    expect([game.stopAutopilot(), game.startAutopilot(PLAN), game.startAutopilot(PLAN)]).toEqual([false, true, false]);
    expect(game.view.pending).toEqual(['start_autopilot']);
    world.socket.deliver(autopilotStatus(PLAN), autopilotStep('release', 10_000));
    world.pass(0);
    expect([game.view.pending, game.view.autopilot]).toEqual([[], PLAN]);
    expect(game.startAutopilot(PLAN), 'it runs so already').toBe(false);
    expect([game.startAutopilot({ ...PLAN, breakFor: 20 }), game.stopAutopilot()]).toEqual([true, true]);
    world.socket.deliver(autopilotStatus({ ...PLAN, breakFor: 20 }), autopilotStatus());
    world.pass(0);
    expect([game.view.pending, game.view.autopilot, game.view.nextStep]).toEqual([[], null, null]);
    expect(world.socket.sent.map(({ type }) => type)).toEqual(['start_autopilot', 'start_autopilot', 'stop_autopilot']);
  });

  it('shows what comes next and when, while no question is open', () => {
    const { world, game } = hosting(roundStarted(), released('q1'), autopilotStatus(PLAN));
    lives(world.socket);
    expect(game.view.nextStep).toBeNull();
    world.socket.deliver(questionClosed('q1'), autopilotStep('release', 10_000));
    world.pass(4_000);
    const step = game.view.nextStep;
    expect([step?.next, step && msLeft(step, world.time)]).toEqual(['release', 6_000]);
    world.socket.deliver(autopilotStep('release', 10_000, false));
    world.pass(30_000);
    const held = game.view.nextStep;
    expect(held && [held.running, msLeft(held, world.time)]).toEqual([false, 10_000]);
    world.socket.deliver(released('q2'));
    world.pass(0);
    expect([game.view.nextStep, game.view.autopilot]).toEqual([null, PLAN]);
    world.socket.deliver(questionClosed('q2'), autopilotStep('end_round', 10_000), roundEnded);
    world.pass(0);
    expect([game.view.nextStep, game.view.autopilot, game.view.phase]).toEqual([null, PLAN, 'round_review']);
    world.socket.deliver(autopilotStep('release_scores', 10_000), roundStarted(2));
    world.pass(0);
    expect([game.view.nextStep, game.view.autopilot]).toEqual([null, PLAN]);
  });

  it('shows on a new connection what runs then', () => {
    const { world, game } = hosting(roundStarted(), autopilotStatus(PLAN), autopilotStep('release', 10_000));
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), autopilotStatus(PLAN), released('q1'), questionClosed('q1'), autopilotStep('end_round', 7_000));
    expect([game.view.autopilot, game.view.nextStep?.next]).toEqual([PLAN, 'end_round']);
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'));
    expect([game.view.autopilot, game.view.nextStep]).toEqual([null, null]);
  });
});
