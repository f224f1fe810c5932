// Whole games in a real browser against the real server. No retries and no sleeps: a flake is a bug.
// Needs the server's binary (QUIZHALL_BINARY, otherwise target/debug/quizhall) with the app embedded, and Chromium
// (QUIZHALL_CHROMIUM, which .ci/web sets, otherwise /usr/bin/chromium). Every test starts its own server on loopback.

import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './tests',
  outputDir: './test-results',
  fullyParallel: true,
  // Three workers use 80 to 90 % of two cores.
  workers: 4,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['./support/figures.ts']],
  projects: [
    // The longest tests begin first, so that the workers end at the same time.
    { name: 'tour', testMatch: 'tour.spec.ts' },
    { name: 'timers', testMatch: 'timers.spec.ts' },
    { name: 'games', testIgnore: ['tour.spec.ts', 'timers.spec.ts', 'figures.spec.ts'] },
    { name: 'figures', testMatch: 'figures.spec.ts', dependencies: ['tour', 'timers', 'games'], fullyParallel: false, workers: 1 },
  ],
  // A test of a promised time sets its own limit (`within`). These only end a test that waits for what never comes; the longest test takes
  // half a minute of a core, of which it may have a small part.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    actionTimeout: 20_000,
    launchOptions: {
      executablePath: process.env.QUIZHALL_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Every page may play sounds: a page that stays silent does so by its own decision.
        '--autoplay-policy=no-user-gesture-required',
      ],
    },
  },
});
