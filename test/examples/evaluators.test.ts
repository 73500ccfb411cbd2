import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAssertionKinds } from '../../src/checks/registry.ts';
import { runAssay } from '../docs/assay-process.ts';
import { Workspace } from '../docs/workspace.ts';

interface Assertion {
  readonly kind: string;
  readonly passed?: boolean;
}

interface Result {
  readonly test: string;
  readonly verdict: string;
  readonly assertions: readonly Assertion[];
  readonly steps: readonly { readonly assertions: readonly Assertion[] }[];
}

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(() => workspace.remove());

async function run(...options: string[]) {
  const args = ['run', 'examples/evaluators', '--strict', '--reporter', 'json', ...options];
  const { stdout, exitCode } = await runAssay(args, workspace.path);
  return { exitCode, ...(JSON.parse(stdout) as { results: readonly Result[]; findings: unknown[] }) };
}

test('every type of evaluator has an example, and all of them pass', async () => {
  const { exitCode, results, findings } = await run('--allow-scripts');
  expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
  const assertions = results.flatMap((record) => [
    ...record.assertions,
    ...record.steps.flatMap((step) => step.assertions),
  ]);
  expect(assertions.filter(({ passed }) => passed !== true)).toEqual([]);
  const kinds = createAssertionKinds().evaluators.map(({ kind }) => kind);
  expect(new Set(assertions.map(({ kind }) => kind))).toEqual(new Set(kinds));
});

test('without --allow-scripts, only the evaluators that start a program are errors', async () => {
  const { exitCode, results } = await run();
  expect(exitCode).toBe(3);
  const errors = results.filter(({ verdict }) => verdict !== 'passed');
  expect(errors.map(({ test: id, verdict }) => [id, verdict]).sort()).toEqual([
    ['adds-a-line', 'error'],
    ['word-count', 'error'],
    ['worst-of', 'error'],
  ]);
});
