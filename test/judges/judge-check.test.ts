import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { JUDGE_CHECK_OPTIONS } from '../../src/cli/recorded-run-options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { judgeCheck } from '../../src/cli/commands/judge-check.ts';
import type { Output } from '../../src/cli/command.ts';
import { createProjectRedactor } from '../../src/cli/project-redactor.ts';
import { createProject, runCli } from '../project.ts';
import {
  startModelServer,
  type ModelServer,
  type ReceivedRequest,
  type Turn,
} from '../servers/model-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-check-'));
const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function createOutput(): Output & { text: string } {
  return {
    text: '',
    isTTY: false,
    columns: 80,
    write(words) {
      this.text += words;
      return Promise.resolve();
    },
  };
}

interface Checking {
  readonly lines: readonly unknown[];
  readonly turn?: (request: ReceivedRequest, index: number) => Turn;
  readonly options?: Readonly<Record<string, string | true>>;
}

let files = 0;

async function check({ lines, turn = () => verdict(1), options = {} }: Checking) {
  const server = await startModelServer(turn);
  servers.push(server);
  const file = join(folder, `examples-${files++}.jsonl`);
  writeFileSync(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  const [stdout, stderr] = [createOutput(), createOutput()];
  const asked = { judge: 'openai:judge-1', workers: '1', ...options };
  const argv = Object.entries<string | true>(asked).map(([name, given]) =>
    given === true ? `--${name}` : `--${name}=${given}`,
  );
  const parsed = parseArguments([file, '--no-cache', ...argv], JUDGE_CHECK_OPTIONS);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const exitCode = await judgeCheck({
    ...parsed,
    stdout,
    stderr,
    argv: [],
    script: 'assay',
    program: 'assay',
    onOtherOutput: () => {},
    redactor: createProjectRedactor({}),
    env: { OPENAI_API_KEY: 'sk-check-123456', OPENAI_BASE_URL: `${server.url}/v1` },
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text, requests: server.requests };
}

const verdict = (score: number): Turn => {
  return {
    text: JSON.stringify({ reasoning: `scored ${score}`, evidence: [], hits: [], misses: [], score }),
  };
};
const example = (output: string, label: boolean | number) => ({
  input: 'Capital of France?',
  output,
  expected_outcome: 'It names Paris.',
  label,
});

/** A judge that passes whatever names Paris, even when it is denied. */
const naive = (request: ReceivedRequest): Turn =>
  verdict(/candidate_answer \w+\\n[^<]*Paris/.test(request.text) ? 1 : 0);

const failsOnce = (_request: ReceivedRequest, index: number): Turn => verdict(index === 1 ? 0 : 1);
const refusesLyon = (request: ReceivedRequest): Turn =>
  request.text.includes('Lyon') ? { status: 400, message: 'no' } : verdict(1);

const FOUR = [
  example('Paris', true),
  example('Lyon', false),
  example('Not Paris', false),
  example('Paris!', 0.9),
];

test('agreement, kappa and rates are printed for people', async () => {
  const { exitCode, stdout, stderr } = await check({ lines: FOUR, turn: naive });
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`openai:judge-1 on 4 examples
  agreement            3/4 = 75.0% (95%: 30.1% to 95.4%)
  Cohen's kappa        0.50, moderate agreement
  true positive rate   2/2 = 100.0% (95%: 34.2% to 100.0%) of what people pass
  true negative rate   1/2 = 50.0% (95%: 9.5% to 90.5%) of what people fail
  mean absolute error  0.275
  self-consistency     unknown: use --samples 2 or more

Where they differ:
  line 3 passed by the judge only (label 0, score 1): scored 1
`);
});

test('the same numbers are printed as JSON, with samples', async () => {
  const { exitCode, stdout, requests } = await check({
    lines: FOUR.slice(0, 2),
    turn: failsOnce,
    options: { json: true, samples: '3' },
  });
  expect(exitCode).toBe(0);
  expect(requests).toHaveLength(6);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    judge: 'openai:judge-1',
    examples: 2,
    errors: 0,
    agreement: { count: 1, total: 2, share: 0.5 },
    kappa: 0,
    confusion: { true_positive: 1, false_positive: 1, false_negative: 0, true_negative: 0 },
  });
  expect(report.self_consistency).toBeCloseTo((2 / 3 + 1) / 2, 10);
  expect(report.results).toHaveLength(2);
});

test('rubrics, messages and a custom prompt are supported', async () => {
  writeFileSync(join(folder, 'own.md'), 'My own words: {{output_messages}}');
  const answer = { checks: [{ id: 'city', reasoning: 'yes', evidence: [], satisfied: true }] };
  const { exitCode, stdout, requests } = await check({
    lines: [
      {
        input: [{ role: 'user', content: 'Where?', 'a.b': 1 }],
        output: [
          {
            role: 'assistant',
            content: 'Paris',
            tool_calls: [{ tool: 'map', input: { riskLevel: 'High' } }],
          },
        ],
        rubrics: [{ id: 'city', expected_outcome: 'names a city' }],
        label: true,
      },
    ],
    turn: () => ({ text: JSON.stringify(answer) }),
    options: { json: true, prompt: join(folder, 'own.md') },
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ agreement: { count: 1, total: 1 } });
  expect(requests[0]!.text).toContain('My own words');
  expect(requests[0]!.text).toContain(String.raw`\"riskLevel\": \"High\"`);
});

test('an example without a verdict counts in no number and gives exit 3', async () => {
  const { exitCode, stdout } = await check({ lines: FOUR.slice(0, 2), turn: refusesLyon });
  expect(exitCode).toBe(3);
  expect(stdout).toContain('on 2 examples, 1 without a verdict');
  expect(stdout).toContain('agreement            1/1');
  expect(stdout).toMatch(/line 2 no verdict: the judge "openai:judge-1" did not reply: .*400: no/);
});

test.each([
  [['{"input": '], 'Line 1: Invalid JSON'],
  [[{ ...FOUR[0], label: 2 }], 'must be a number from 0 to 1'],
  [[{ ...FOUR[0], label: undefined }], 'needs `label`'],
  [[{ input: 'x', output: 'y', label: true }], 'at least one of `expected_outcome`, `rubrics`'],
  [[{ ...FOUR[0], lable: true }], 'has no field `lable`'],
  [[''], 'contains no examples'],
])('an invalid file makes no call: %j', async (lines, words) => {
  const { exitCode, stderr, requests } = await check({ lines });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
  expect(requests).toHaveLength(0);
});

test.each([[{ judge: 'nobody' }, 'unknown judge "nobody"']])('wrong usage: %j', async (options, words) => {
  const { exitCode, stderr } = await check({ lines: FOUR, options });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
});

test('of a damaged run is refused, with what is damaged', async () => {
  const project = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'a.test.yaml': '- {id: a, input: x, assert: {output.equals: y}}',
  });
  await runCli(['run', '--agent', './agent.mjs'], { cwd: project.path });
  const [id] = readdirSync(join(project.path, '.assay/runs'));
  const journal = join(project.path, '.assay/runs', id!, 'results.jsonl');
  const whole = readFileSync(journal);
  for (const damaged of [
    whole.toString().replace('"verdict":"failed"', '"verdict":"passed"'),
    whole.subarray(0, whole.length - 40),
    'not a journal',
    '',
  ]) {
    writeFileSync(journal, damaged);
    const { exitCode, stdout, stderr } = await runCli(['judge-check', id!], { cwd: project.path });
    expect(stdout + stderr).not.toMatch(/bug in Assay|\n\s+at /);
    expect(exitCode, stderr).toBe(2);
  }
  project.remove();
});
