// Ends a test run with one plain line that a script can read: "12 passed, 0 failed".

import type { Reporter, TestModule } from "vitest/node";

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    const skipped = counts.skipped + counts.pending;
    const tail = skipped === 0 ? "" : `, ${skipped} skipped`;
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${tail}\n`);
  }
}
