import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BalancedShards } from '../../src/run/plan/balance-shards.ts';
import { createProject, runCli, type CliResult } from '../project.ts';

const AGENT = `
export async function agent(input) {
  if (input === 'q7') return { output: 7 };
  await new Promise((resolve) => setTimeout(resolve, input.length));
  return { output: 'You said ' + input };
}`;
const CASES = Array.from({ length: 24 }, (_, index) => index);
const FILES = {
  'agent.mjs': AGENT,
  'b.test.yaml': CASES.map(
    (index) =>
      `- id: t${index}\n  input: t${index}\n  assert: {output.includes: ${index === 5 ? 'nothing' : `t${index}`}, memory.x: null}\n`,
  ).join(''),
  'a.jsonl': CASES.map((index) =>
    JSON.stringify({
      id: `q${index}`,
      input: `q${index}`,
      ...(index === 3 ? { skip: 'later' } : {}),
      evaluators: [{ type: 'contains', value: `q${index}` }],
    }),
  ).join('\n'),
};
const RUN = ['run', 'a.jsonl', 'b.test.yaml', '--agent', './agent.mjs', '--workers', '3'];
const SHARDS = ['1/4', '2/4', '3/4', '4/4'];
/** Two of each; a skipped test is listed once. */
const ATTEMPTS = 95;

interface Report {
  readonly run_id: string;
  readonly exit_code: number;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly findings: readonly { readonly code: string; readonly message: string }[];
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly tests: readonly Readonly<Record<string, unknown>>[];
}

describe('a matrix of shards and one run', () => {
  const project = createProject(FILES);
  const collected = mkdtempSync(join(tmpdir(), 'assay-shards-'));
  let whole: CliResult;
  const shards: CliResult[] = [];
  beforeAll(async () => {
    whole = await runCli([...RUN, '--repeats', '2', '--reporter', 'json'], { cwd: project.path });
    for (const shard of SHARDS) {
      const machine = createProject(FILES);
      const args = [...RUN, '--repeats', '2', '--shard', shard, '--reporter', 'json'];
      shards.push(await runCli(args, { cwd: machine.path }));
      cpSync(join(machine.path, '.assay', 'runs'), collected, { recursive: true });
      machine.remove();
    }
  });
  afterAll(() => {
    project.remove();
    rmSync(collected, { recursive: true });
  });
  const directories = () => readdirSync(collected).map((name) => join(collected, name));
  const merge = (runs: readonly string[], ...args: readonly string[]) =>
    runCli(['merge', ...runs, ...args, '--reporter', 'json'], { cwd: project.path });

  test('every attempt is in exactly one shard', () => {
    const ids = shards.flatMap((shard) => report(shard).results.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(
      report(whole)
        .results.map(({ id }) => id)
        .toSorted(),
    );
    for (const shard of shards) expect(report(shard).results.length).toBeGreaterThan(10);
  });

  test('merged, they give the same run: records, summary, findings, exit code, in plan order', async () => {
    const merged = report(await merge(directories().toReversed()));
    const one = report(whole);
    const byPlan = ['q', 't']
      .flatMap((name) => CASES.flatMap((index) => [1, 2].map((repeat) => `${name}${index} ${repeat}`)))
      .filter((name) => name !== 'q3 2');
    expect(merged.results.map((record) => `${String(record['test'])} ${String(record['repeat'])}`)).toEqual(
      byPlan,
    );
    expect(merged.results.map(timeless)).toEqual(
      one.results.map(timeless).toSorted((a, b) => place(byPlan, a) - place(byPlan, b)),
    );
    expect({ ...merged.summary, duration_ms: 0 }).toEqual({ ...one.summary, duration_ms: 0 });
    expect(merged.exit_code).toBe(one.exit_code);
    expect(merged.exit_code).toBe(1);
    expect(merged.findings.map(print).toSorted()).toEqual(one.findings.map(print).toSorted());
    expect(one.findings.length).toBeGreaterThan(0);
    const total = shards.reduce((sum, shard) => sum + Number(report(shard).summary['duration_ms']), 0);
    expect(merged.summary['duration_ms']).toBeCloseTo(total, 3);
  });

  test('a missing shard is exit 2, or a warning if that is allowed', async () => {
    const missing = await merge(directories().slice(1));
    expect(missing.exitCode).toBe(2);
    expect(report(missing).findings.find(({ code }) => code === 'shard_missing')?.message).toMatch(
      /^shard \d\/4 of this plan is missing, with \d+ of 95 attempts$/,
    );
    expect((await merge(directories().slice(1), '--allow-missing')).exitCode).not.toBe(2);
  });

  test('a duplicate shard is reported, and the last one counts', async () => {
    const doubled = await merge([...directories(), directories()[0]!]);
    expect(doubled.exitCode).toBe(1);
    expect(report(doubled).findings.map(({ code }) => code)).toContain('shard_twice');
    expect(report(doubled).results.length).toBe(ATTEMPTS);
  });

  test('a shard of another plan is reported', async () => {
    const args = [...RUN, '--shard', '1/4', '--reporter', 'json'];
    const { run_id } = report(await runCli(args, { cwd: project.path }));
    const mixed = await merge([run_id, ...directories().slice(1)]);
    expect(mixed.exitCode).toBe(2);
    const codes = report(mixed).findings.map(({ code }) => code);
    expect(codes.filter((code) => code.startsWith('shard_'))).toEqual([
      'shard_missing',
      'shard_missing',
      'shard_foreign',
    ]);
  });

  test('run.json has the shard and its plan', () => {
    const described = directories().map(
      (path) => JSON.parse(readFileSync(join(path, 'run.json'), 'utf8')).shard as Record<string, unknown>,
    );
    expect(new Set(described.map(({ plan }) => plan)).size).toBe(1);
    expect(described.map(({ index }) => index).toSorted()).toEqual([1, 2, 3, 4]);
    expect(described.reduce((sum, { attempts }) => sum + Number(attempts), 0)).toBe(ATTEMPTS);
    expect(described[0]).toMatchObject({ total: 4, plan_attempts: ATTEMPTS });
  });
});

describe('repeats and gates of single tests', () => {
  const FILES_WITH_GATES = {
    // Every third attempt of a test with the input `sometimes` fails.
    'agent.mjs': `
export function agent(input, memory, { attempt }) {
  return { output: input === 'sometimes' && attempt % 3 === 0 ? 'no' : 'yes' };
}`,
    'gates.test.yaml': `
- {id: once, input: always, assert: {output.equals: 'yes'}}
- {id: held, input: sometimes, repeats: 9, pass_at_least: 6/9, assert: {output.equals: 'yes'}}
- {id: broken, input: sometimes, repeats: 9, pass_at_least: 0.9, assert: {output.equals: 'yes'}}
- {id: flaky, input: sometimes, repeats: 6, assert: {output.equals: 'yes'}}
`,
  };
  const RULES = ['--min-pass-rate', '0.7', '--max-flaky', '1'];
  const run = (cwd: string, ...args: readonly string[]) =>
    runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd });

  test('merged, they are decided as in one run: verdicts, gates, tests, exit code', async () => {
    const project = createProject(FILES_WITH_GATES);
    const whole = report(await run(project.path, ...RULES));
    const shards: string[] = [];
    for (const shard of ['1/3', '2/3', '3/3'])
      shards.push(report(await run(project.path, ...RULES, '--shard', shard)).run_id);
    const merged = report(await runCli(['merge', ...shards, '--reporter', 'json'], { cwd: project.path }));
    expect({ ...merged.summary, duration_ms: 0 }).toEqual({ ...whole.summary, duration_ms: 0 });
    expect(merged.tests).toEqual(whole.tests);
    expect(merged.exit_code).toBe(whole.exit_code);
    expect(whole.exit_code).toBe(1);
    expect(whole.tests.map(({ test: name, verdict }) => [name, verdict])).toEqual([
      ['held', 'passed'],
      ['broken', 'failed'],
      ['flaky', 'failed'],
    ]);
    project.remove();
  });

  test.each([
    ['on the command line', ['--repeats', 'auto'], {}],
    ['in the config', [], { 'assay.config.yaml': 'repeats: auto\n' }],
  ])('--repeats auto %s is refused with a hint', async (_where, args, files) => {
    const project = createProject({ ...FILES_WITH_GATES, ...files });
    const { exitCode, stderr } = await run(project.path, '--shard', '1/2', ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('a shard needs a plan that is known beforehand');
    expect(stderr).toContain('hint: set a number with --repeats 10');
    project.remove();
  });
});

describe('one machine', () => {
  test('an empty shard is exit 0; merged with the others it changes nothing', async () => {
    const project = createProject({ 'agent.mjs': AGENT, 'one.test.yaml': ONE });
    const results = [];
    for (const shard of ['1/3', '2/3', '3/3'])
      results.push(await runCli(['run', '--agent', './agent.mjs', '--shard', shard], { cwd: project.path }));
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(results.filter(({ stdout }) => stdout.includes('none ran')).length).toBe(2);
    const merged = await runCli(['merge', ...runsOf(project.path)], { cwd: project.path });
    expect(merged).toMatchObject({ exitCode: 0, stderr: '' });
    project.remove();
  });

  test('no test at all is exit 2, in every shard', async () => {
    const project = createProject({ 'agent.mjs': AGENT, 'one.test.yaml': ONE });
    const args = ['run', '--agent', './agent.mjs', '-t', 'absent', '--shard', '1/2'];
    expect((await runCli(args, { cwd: project.path })).exitCode).toBe(2);
    project.remove();
  });

  test('--resume continues only the same shard', async () => {
    const project = createProject({ 'agent.mjs': AGENT, 'one.test.yaml': ONE });
    const run = (...args: readonly string[]) =>
      runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd: project.path });
    const first = report(await run('--shard', '1/2'));
    const other = report(await run('--shard', '2/2', '--resume'));
    expect(other.run_id).not.toBe(first.run_id);
    expect(report(await run('--shard', '1/2', '--resume')).run_id).toBe(first.run_id);
    const refused = await run(`--resume=${first.run_id}`);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('to resume as a whole run: it is shard 1/2');
    project.remove();
  });

  test('--shard-by puts slow tests into different shards', async () => {
    const slow = `
export async function agent(input) {
  await new Promise((resolve) => setTimeout(resolve, input.startsWith('slow') ? 150 : 1));
  return { output: input };
}`;
    const names = ['slow1', 'slow2', 'slow3', 'slow4', ...CASES.map((index) => `fast${index}`)];
    const suite = names
      .map((name) => `- id: ${name}\n  input: ${name}\n  assert: {output.equals: ${name}}\n`)
      .join('');
    const project = createProject({ 'agent.mjs': slow, 'suite.test.yaml': suite });
    const run = (...args: readonly string[]) =>
      runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd: project.path });
    const { run_id } = report(await run('--workers', '4'));
    const tests: string[] = [];
    for (const shard of ['1/4', '2/4', '3/4', '4/4']) {
      const { results } = report(await run('--shard', shard, '--shard-by', run_id));
      const own = results.map((record) => String(record['test']));
      expect(own.filter((name) => name.startsWith('slow')).length).toBe(1);
      tests.push(...own);
    }
    expect(tests.toSorted()).toEqual(names.toSorted());
    const [, ...shards] = runsOf(project.path);
    expect((await runCli(['merge', ...shards], { cwd: project.path })).exitCode).toBe(0);
    expect((await run('--shard', '1/4', '--shard-by', 'absent')).stderr).toContain(
      'there is no run "absent" to balance shards by',
    );
    project.remove();
  });

  test.each([
    [['--shard', '0/4'], '--shard takes a part'],
    [['--shard', '5/4'], '--shard takes a part'],
    [['--shard', 'half'], '--shard takes a part'],
    [['--shard-by', 'latest'], '--shard-by needs --shard too'],
    [['--shard', '1/2', '--list'], 'remove --shard'],
  ])('%j is refused', async (args, message) => {
    const project = createProject({ 'agent.mjs': AGENT, 'one.test.yaml': ONE });
    const { exitCode, stderr } = await runCli(['run', '--agent', './agent.mjs', ...args], {
      cwd: project.path,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    project.remove();
  });
});

test('balanced shards are deterministic and about equally long', () => {
  const durations = new Map(CASES.map((index) => [`f::t${index}::x`, (index * 37) % 100]));
  const split = () => {
    const shards = new BalancedShards(durations);
    for (const index of CASES)
      shards.add({ id: `f::t${index}::x::1`, file: 'f', test: { id: `t${index}` }, target: 'x' });
    return shards.split(3);
  };
  expect([...split()]).toEqual([...split()]);
  const loads = [0, 0, 0];
  for (const [id, shard] of split()) loads[shard - 1]! += durations.get(id.slice(0, -3))!;
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThan(20);
});

const ONE = 'id: one\ninput: hello\nassert: {output.includes: hello}\n';

function report({ stdout }: CliResult): Report {
  return JSON.parse(stdout) as Report;
}

function runsOf(project: string): readonly string[] {
  return readdirSync(join(project, '.assay', 'runs')).toSorted();
}

/** A record without what differs between two runs of the same. */
function timeless(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const steps = (record['steps'] as Record<string, unknown>[]).map((step) => ({ ...step, duration_ms: 0 }));
  return { ...record, steps, started_at: '', duration_ms: 0 };
}

function place(plan: readonly string[], record: Record<string, unknown>): number {
  return plan.indexOf(`${String(record['test'])} ${String(record['repeat'])}`);
}

function print(value: unknown): string {
  return JSON.stringify(value);
}
