import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVALUATOR_EXAMPLES } from '../../scripts/reference/evaluator-examples.ts';
import { createProject, ROOT, runAssay } from './assay-process.ts';

interface Report {
  readonly results: readonly { readonly test: string; readonly verdict: string; readonly error?: unknown }[];
}

const entries = Object.entries(EVALUATOR_EXAMPLES);

/** One target and one file for each kind of evaluator, and a mock that gives the reply of the docs. */
function files(which: 'passes' | 'fails'): Record<string, string> {
  const targets = entries.flatMap(([kind, example]) => [
    { name: kind, provider: 'mock', response: example[which], judge_target: `${kind}-judge` },
    ...(example.judge === undefined
      ? []
      : [{ name: `${kind}-judge`, provider: 'mock', response: example.judge[which] }]),
  ]);
  const suites = entries.map(([kind, { evaluator, expected }]) => [
    `${kind}.eval.json`,
    JSON.stringify({
      target: kind,
      evalcases: [
        {
          id: kind,
          input: 'Where is my order?',
          expected_outcome: 'Gives the day of arrival',
          ...(expected === undefined ? {} : { expected_output: expected }),
          evaluators: [{ type: kind, ...evaluator }],
        },
      ],
    }),
  ]);
  return {
    'assay.config.json': JSON.stringify({ targets: targets.map(withoutUnusedJudge) }),
    ...(Object.fromEntries(suites) as Record<string, string>),
  };
}

function withoutUnusedJudge<T extends { name: string; judge_target?: string }>(
  target: T,
): T | Omit<T, 'judge_target'> {
  if (EVALUATOR_EXAMPLES[target.name]?.judge !== undefined) return target;
  const { judge_target: _unused, ...rest } = target;
  return rest;
}

describe.each([
  ['passes', 'passed'],
  ['fails', 'failed'],
] as const)('the reply of docs/reference/evaluators.md that %s', (which, verdict) => {
  const project = createProject(files(which));
  afterAll(() => project.remove());

  test(`each is ${verdict}`, async () => {
    const { stdout, stderr } = await runAssay(['run', '--allow-scripts', '--reporter', 'json'], project.path);
    const { results } = JSON.parse(stdout) as Report;
    const wrong = results.filter((result) => result.verdict !== verdict);
    expect({ wrong: wrong.map(({ test: id, error }) => ({ id, error })), stderr }).toEqual({
      wrong: [],
      stderr: '',
    });
    expect(results.map(({ test: id }) => id).toSorted()).toEqual(entries.map(([kind]) => kind).toSorted());
  });
});

test('the page has every example', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/evaluators.md'), 'utf8');
  for (const [kind] of entries) expect(page).toContain(`### \`${kind}\`\n`);
});
