import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAssay } from '../docs/assay-process.ts';
import { Workspace } from '../docs/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(() => workspace.remove());

test('assay validate examples: no errors, and warnings only about examples without a judge', async () => {
  const { stdout, exitCode } = await runAssay(['validate', 'examples', '--json'], workspace.path);
  const { findings, summary } = JSON.parse(stdout) as {
    findings: { code: string; file: string }[];
    summary: unknown;
  };
  expect(findings.map(({ code, file }) => `${code} ${file}`)).toEqual([
    // A command that only reads executes no evaluator.
    'evaluators_not_read examples/custom-evaluators/assay.config.yaml',
    'no_judge examples/eval-file/dataset-capitals.jsonl',
    'no_judge examples/eval-file/support.eval.yaml',
  ]);
  expect(summary).toMatchObject({ tests: 46, errors: 0, warnings: 3 });
  expect(exitCode).toBe(0);
});

test('assay show examples/eval-file prints what its README says', async () => {
  const { stdout, exitCode } = await runAssay(['show', 'examples/eval-file', '--json'], workspace.path);
  const { suites } = JSON.parse(stdout) as {
    suites: {
      dataset: string;
      description: string;
      tests: { id: string; tags: string[]; input_messages?: { content: unknown }[] }[];
    }[];
  };
  expect(exitCode).toBe(0);
  expect(suites.map(({ dataset, tests }) => [dataset, tests.map(({ id }) => id)])).toEqual([
    ['capitals', ['france', 'japan', 'polite']],
    ['support.eval', ['refund-window', 'classify', 'look-up-first', 'two-steps']],
  ]);
  expect(suites[0]!.tests.map(({ tags }) => tags)).toEqual([['geography'], ['geography'], ['smalltalk']]);
  expect(suites[1]!.tests[0]!.input_messages![1]!.content).toContainEqual(
    expect.objectContaining({ type: 'file', text: expect.stringContaining('30 days') }),
  );
});
