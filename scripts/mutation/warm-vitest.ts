// Runs files of tests again and again without starting anew, for the process that starts it. It is killed when a mutant
// does not end.
import { createVitest } from 'vitest/node';
import type { TestOrder, TestResult } from './test-runner.ts';

const vitest = await createVitest('test', {
  watch: false,
  reporters: [{}],
  maxWorkers: 2,
  // No module of the last mutant is left.
  isolate: true,
  bail: 1,
  testTimeout: 120_000,
  silent: true,
});

process.on('message', (order: TestOrder) => {
  void run(order).then((results) => process.send!(results));
});

async function run({ changed, files }: TestOrder): Promise<readonly TestResult[]> {
  for (const file of changed) vitest.invalidateFile(file);
  const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications([...files]));
  // Those of earlier orders are there as well.
  const own = testModules.filter(({ moduleId }) => files.includes(moduleId));
  return own.map((module) => {
    const failed = [...module.children.allTests('failed')][0];
    const errors = failed === undefined ? module.errors() : failed.result().errors;
    return {
      file: module.moduleId,
      passed: module.ok(),
      failed: failed?.fullName,
      message: errors?.[0]?.message.slice(0, 200),
    };
  });
}
