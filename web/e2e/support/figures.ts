// A reporter that prints the figures measured by tests, at the end and in one place.

import type { FullConfig, FullResult, Reporter, Suite } from '@playwright/test/reporter';

export default class Figures implements Reporter {
  #suite: Suite | null = null;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd(_result: FullResult): void {
    const figures = this.#suite?.allTests().flatMap((test) => test.annotations) ?? [];
    const lines = figures.filter((each) => each.type === 'figures').map((each) => `  ${each.description ?? ''}\n`);
    if (lines.length > 0) process.stdout.write(`figures:\n${lines.join('')}`);
  }
}
