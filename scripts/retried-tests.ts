import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Lists the tests that needed a second try at the end of a run: each is a defect of the test, or of Assay. `RETRIED_TESTS` names a
 * file that gets the same lines, for several runs together.
 */
export default class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
      .map((test) => `${test.module.relativeModuleId} > ${test.fullName} (${test.result().state})`);
    if (lines.length > 0) console.log(`\nTests that needed a second try:\n${lines.join('\n')}\n`);
    const file = process.env['RETRIED_TESTS'];
    if (file !== undefined) appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
  }
}
