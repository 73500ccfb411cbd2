import { expect, onTestFinished, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

const CASES = [
  { id: 'kept', input: 'hi', metadata: { source: 'ticket 12', big: 1 } },
  // What the reader of outlines looks for stands inside.
  { id: 'steps-inside', input: 'hi', metadata: { a: [1], steps: [{ retries: 1 }], retries: [2] } },
  { id: 'skipped', input: 'hi', skip: 'later', metadata: { owner: 'ada' } },
  { id: 'none', input: 'hi' },
];

test("a case's metadata is in its record, even if it is skipped, and in every report", async () => {
  const lines = CASES.map((one) =>
    JSON.stringify({ ...one, evaluators: [{ type: 'contains', value: 'hi' }] }),
  );
  const project = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'cases.jsonl': `${lines.join('\n')}\n`,
  });
  onTestFinished(() => project.remove());
  const cli = (...args: readonly string[]) => runCli(args, { cwd: project.path });
  const run = ['run', 'cases.jsonl', '--agent', './agent.mjs', '--reporter', 'json'];
  const reports = [await cli(...run), await cli('report', '--json', '-')];
  for (const { stdout, exitCode } of reports) {
    expect(exitCode).toBe(0);
    const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
    expect(Object.fromEntries(results.map(({ test: id, metadata }) => [id, metadata]))).toEqual(
      Object.fromEntries(CASES.map(({ id, metadata }) => [id, metadata])),
    );
  }
  expect((await cli('compare', 'latest', 'latest')).exitCode).toBe(0);
  expect((await cli(...run, '--last-failed')).stdout).not.toContain('steps-inside');
  expect((await cli('grade')).exitCode).toBe(0);
});
