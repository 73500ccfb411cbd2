import { afterAll, describe, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

/** Patterns that take exponential or high polynomial time on a text that almost matches. */
const PATTERNS = [
  '(a+)+$',
  '(a|a)*$',
  '(a|aa)+$',
  '(.*a){25}$',
  '(a*)*b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(?=(a+)+$)b',
  String.raw`(\w+\s*)+:`,
  'a*a*a*a*a*a*a*a*b',
  '(a?){40}a{40}b',
];
const SUBJECT = `${'a'.repeat(3000)}!`;

const project = createProject({
  'claims.test.json': JSON.stringify(
    PATTERNS.map((pattern) => ({ id: pattern, input: SUBJECT, assert: { 'output.matches': pattern } })),
  ),
  'python.eval.yaml': JSON.stringify({ evalcases: PATTERNS.map((pattern) => evalCase(pattern, 'python')) }),
  'js.eval.yaml': JSON.stringify({ evalcases: PATTERNS.map((pattern) => evalCase(pattern, 'js')) }),
  'names.test.json': JSON.stringify([{ id: SUBJECT, input: 'x', assert: { 'output.equals': 'x' } }]),
  'agent.mjs': 'export const agent = (input) => input;',
});
afterAll(() => project.remove());

function evalCase(value: string, dialect: string): object {
  return {
    id: value,
    expected_outcome: 'x',
    input: SUBJECT,
    evaluators: [{ name: 'p', type: 'regex', value, dialect }],
  };
}

describe('patterns of suites', () => {
  test.each(['claims.test.json', 'python.eval.yaml', 'js.eval.yaml'])(
    'in %s they end, and a search that was stopped is an error',
    async (file) => {
      const { stdout } = await runCli(['run', file, '--agent', './agent.mjs', '--reporter', 'json'], {
        cwd: project.path,
      });
      const { results } = JSON.parse(stdout) as { results: AttemptRecord[] };
      expect(results).toHaveLength(PATTERNS.length);
      // None of them is found in the text; those that could be searched say so.
      for (const { test: id, verdict, error } of results)
        expect({ id, verdict, kind: error?.kind }).toEqual(
          verdict === 'failed'
            ? { id, verdict, kind: undefined }
            : { id, verdict: 'error', kind: 'assertion' },
        );
      expect(results.find(({ test: id }) => id === '(a+)+$')?.verdict).toBe('error');
    },
  );
});

test('--grep uses an ordinary pattern and plain text', async () => {
  for (const grep of ['^a+!', 'aaa!', '(']) {
    const args = ['run', 'names.test.json', '--agent', './agent.mjs', '-t', grep];
    expect((await runCli(args, { cwd: project.path })).exitCode).toBe(grep === '(' ? 2 : 0);
  }
});
