import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Comparison } from '../../src/base/model/comparison.ts';
import { CompareProject } from './runs.ts';

test('assay grade shows what changed against the recorded verdicts, or that nothing did', async () => {
  const project = new CompareProject(['a', 'b', 'c']);
  await project.run({ b: 'HH', c: 'FF' }, ['--repeats', '2']);
  const same = await project.cli('grade');
  expect(same.stdout).toContain('Against the recorded verdicts: no verdict changed among 6 attempts.');
  expect(same.exitCode).toBe(1);

  // Half a score is not enough any more, and `c` is asked for what it says.
  const file = join(project.path, 'evals/all.eval.json');
  const suite = JSON.parse(readFileSync(file, 'utf8')) as {
    threshold: number;
    evalcases: { evaluators: unknown }[];
  };
  suite.threshold = 0.8;
  suite.evalcases[2]!.evaluators = [{ type: 'contains', value: 'bad' }];
  writeFileSync(file, JSON.stringify(suite, null, 1));
  const changed = await project.cli('grade');
  expect(changed.stdout).toContain(
    'Against the recorded verdicts: 2 new failures, 2 fixes among 6 attempts.',
  );
  expect(changed.stdout).toMatch(
    /New failures \(1 test\)\n {2}✗ evals\/all\.eval\.json:\d+ b {2}2\/2 → 0\/2 passed/,
  );
  expect(changed.stdout).not.toMatch(/chance|p = |Regression:/);

  const { stdout } = await project.cli('grade', '--reporter', 'json');
  const { comparison } = JSON.parse(stdout) as { comparison: Comparison };
  project.remove();
  expect(comparison).toMatchObject({
    same_replies: true,
    pairs: 6,
    verdicts: { new_failures: 2, fixes: 2 },
    changes: [
      { test: 'b', kind: 'new_failure' },
      { test: 'c', kind: 'fix' },
    ],
  });
  expect(comparison.verdicts.p_value).toBeUndefined();
});
