import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { normalise } from './normalise.ts';

const TESTS_OF_A_FILE = 100;
const REPORTERS = ['json', 'junit', 'tap', 'markdown', 'github'];
const FILES = ['b.eval.jsonl', 'a.eval.jsonl', 'nested/c.eval.jsonl'];

/**
 * Answers of 30,000 characters, so that what reporters keep goes to their files. `hold`: how many calls wait for each
 * other; they end in another order than they began.
 */
const AGENT = `
const hold = Number(process.env.HOLD);
let waiting = [];
export async function agent(input) {
  if (hold > 1) {
    await new Promise((done) => {
      waiting.push(done);
      const release = () => { for (const each of waiting.splice(0).reverse()) each(); };
      if (waiting.length === hold) release();
      else setTimeout(release, 200).unref();
    });
  }
  return { output: ('You said ' + input + ' ').repeat(Math.ceil(30000 / (input.length + 10))), memory: {} };
}
`;

const suite = (file: string) =>
  Array.from({ length: TESTS_OF_A_FILE }, (_, number) => {
    // One of three passes.
    const value = number % 3 === 0 ? 'You said' : `nothing like ${number}`;
    const authored = {
      id: `${file} ${number}`,
      input: `${file} ${number}`,
      assert: [{ type: 'contains', value }],
    };
    return `${JSON.stringify(authored)}\n`;
  }).join('');

interface JsonReport {
  readonly run_id: string;
  readonly results: readonly { readonly id: string }[];
  readonly tests: readonly object[];
}

let project: ReturnType<typeof createProject>;
const read = (folder: string, name: string) => readFileSync(join(project.path, `${folder}.${name}`), 'utf8');
const readJson = (folder: string) => JSON.parse(read(folder, 'json')) as JsonReport;

beforeAll(async () => {
  project = createProject({
    'agent.mjs': AGENT,
    ...Object.fromEntries(FILES.map((file) => [file, suite(file)])),
  });
  const cwd = project.path;
  for (const [folder, workers] of [
    ['ordered', 1],
    ['scrambled', 12],
  ] as const) {
    const summary = join(cwd, `${folder}.summary`);
    writeFileSync(summary, '');
    const reporters = REPORTERS.flatMap((name) => ['--reporter', `${name}=${folder}.${name}`]);
    const args = ['--agent', './agent.mjs', '--repeats', '2', '--workers', `${workers}`, ...reporters];
    const env = { HOLD: `${workers}`, GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: summary };
    const { exitCode, stderr } = await runCli(['run', '.', ...args], { cwd, env });
    expect([exitCode, stderr]).toEqual([1, '']);
  }
});
afterAll(() => project.remove());

test('the attempts ended in another order, and the JSON report has them in that of the files', () => {
  const [ordered, scrambled] = ['ordered', 'scrambled'].map((folder) => {
    const { run_id } = readJson(folder);
    const lines = readFileSync(join(project.path, '.assay/runs', run_id, 'results.jsonl'), 'utf8').split(
      '\n',
    );
    return lines.slice(1, -1).map((line) => /"id":"([^"]*)"/.exec(line)![1]!);
  });
  expect(scrambled).not.toEqual(ordered);
  expect(scrambled!.toSorted()).toEqual(ordered!.toSorted());
  const ids = FILES.toSorted().flatMap((file) =>
    Array.from({ length: 2 * TESTS_OF_A_FILE }, (_, number) => {
      const repeat = (number % 2) + 1;
      return `${file}::${file} ${Math.floor(number / 2)}::./agent.mjs::${repeat}`;
    }),
  );
  expect(readJson('scrambled').results.map(({ id }) => id)).toEqual(ids);
});

test.each([...REPORTERS, 'summary'])('the %s report is the same', (name) => {
  const [ordered, scrambled] = ['ordered', 'scrambled'].map((folder) => normalise(read(folder, name)));
  expect(ordered!.length).toBeGreaterThan(1000);
  // Not `toBe`: the difference of megabytes takes long to print.
  expect(scrambled === ordered).toBe(true);
});
