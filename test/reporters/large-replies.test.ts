import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { CLI, createProject, startCli, type CliResult } from '../project.ts';

const SIZE = 500_000;
const KINDS = ['output', 'memory', 'tool', 'error', 'printed', 'names'];
const TESTS = 96;
/** Less than what the replies take together, and enough for a few of them at a time. */
const HEAP_MB = 48;

/** Each reply is another text, so that nothing can be shared. */
const AGENT = `
let calls = 0;
const big = () => ('line ' + String(calls++).padStart(5, '0') + ' of a long text\\n').repeat(${SIZE / 27});
export function agent(input) {
  switch (input.split(' ')[0]) {
    case 'output': return { output: big(), tools_used: [] };
    case 'memory': return { output: 'no', memory: { text: big() }, tools_used: [] };
    case 'tool': return { output: 'no', tool_calls: [{ tool: 'look', output: big() }] };
    case 'error': throw new Error(big());
    case 'printed': console.log(big()); return { output: 'no', tools_used: [] };
    default: return { output: 'no', tools_used: big().trim().split('\\n') };
  }
}`;

const CHECK = 'evaluators: [{ name: short, type: contains, value: short }]';
const REPORTS = ['junit=r.xml', 'json=r.json', 'markdown=r.md', 'html=r.html', 'tap=r.tap', 'jsonl=r.jsonl'];

const tests = Array.from({ length: TESTS }, (_, index) => {
  const kind = KINDS[index % KINDS.length];
  return `  - id: ${kind}-${index}
    input: ${kind} ${index}
    evaluators:
      - { name: short, type: equals, value: "line 1\\nline 2" }
      - { name: kept, type: memory, path: text, equals: short }
      - { name: looked, type: tool_trajectory, mode: exact, expected: [{ tool: sing }] }`;
});
const project = createProject({ 'large.eval.yaml': `evalcases:\n${tests.join('\n')}\n`, 'agent.mjs': AGENT });
let result: CliResult;

beforeAll(async () => {
  const env = {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    GITHUB_STEP_SUMMARY: join(project.path, 'r.step'),
  };
  const reporters = ['terminal', ...REPORTS, 'github=r.github'].flatMap((name) => ['--reporter', name]);
  result = await startCli(['run', '--agent', './agent.mjs', ...reporters], { cwd: project.path, env });
}, 180_000);
afterAll(() => project.remove());

function report(name: string): string {
  return readFileSync(join(project.path, name), 'utf8');
}

test('with every reporter, a run with many large failing replies needs no more memory than one with a few', () => {
  expect(result).toMatchObject({ exitCode: 1 });
  expect(result.stdout).toContain(`80 failed, 16 errored (${TESTS})`);
});

test('records are complete, and every report has every test', () => {
  const { results } = JSON.parse(report('r.json')) as { readonly results: readonly AttemptRecord[] };
  expect(results).toHaveLength(TESTS);
  for (const { test: id, steps, error } of results) {
    const [step] = steps;
    const largest = Math.max(
      ...[
        step?.output,
        step?.printed,
        error?.message,
        step?.tools_used?.join(),
        JSON.stringify([step?.memory, step?.tool_calls]),
      ].map((text) => text?.length ?? 0),
    );
    expect(largest, id).toBeGreaterThan(SIZE * 0.9);
  }
  expect(report('r.xml').match(/<testcase /g)).toHaveLength(TESTS);
  expect(report('r.tap').match(/^not ok /gm)).toHaveLength(TESTS);
  expect(report('r.md')).toContain(`80 of ${TESTS} failed`);
  expect(report('r.step')).toContain(`80 of ${TESTS} failed`);
  expect(report('r.html')).toContain('assay-data');
});

test('the run waits for a slow reader, which gets everything', async () => {
  const kinds = ['output', 'memory', 'tool', 'error'];
  const many = Array.from(
    { length: 200 },
    (_, index) => `  - { id: t${index}, input: ${kinds[index % 4]}, ${CHECK} }`,
  );
  writeFileSync(join(project.path, 'slow.eval.yaml'), `evalcases:\n${many.join('\n')}\n`);
  const command = `"${process.execPath}" --max-old-space-size=${2 * HEAP_MB} "${CLI}" run slow.eval.yaml --agent ./agent.mjs --reporter json`;
  const reader = `"${process.execPath}" -e '
    let bytes = 0;
    process.stdin.on("data", (chunk) => {
      bytes += chunk.length;
      process.stdin.pause();
      setTimeout(() => process.stdin.resume(), bytes < 2e6 ? 200 : 0);
    });
    process.stdin.on("end", () => console.log(bytes));'`;
  const { stdout } = await promisify(execFile)('bash', ['-c', `${command} | ${reader}`], {
    cwd: project.path,
  });
  expect(Number(stdout)).toBeGreaterThan(100 * SIZE);
}, 120_000);

test('cut texts say so and name where the whole text is', () => {
  const [, id] = /"run_id":"([^"]+)"/.exec(report('r.json'))!;
  for (const kind of ['output', 'error', 'printed']) {
    const [, failure = ''] =
      new RegExp(`(?:FAIL|ERROR) ${kind}-[^]*?\\n((?:  .*\\n|\\n)+)`).exec(result.stdout) ?? [];
    expect(failure, kind).toMatch(/\.\.\. .*more/);
    expect(failure, kind).toContain(`whole: assay view ${id}`);
  }
  expect(result.stdout.length).toBeLessThan(2_000_000);
});
