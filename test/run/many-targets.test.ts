import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Comparison } from '../../src/base/model/comparison.ts';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli, type CliResult } from '../project.ts';
import { strangeInTerminal } from '../security/terminal-stream.ts';

/** Logs which target got which input, and passes or fails as planned: `{ "b": { "t1": "PF" } }`. */
const AGENT = `
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
const here = (name) => join(import.meta.dirname, name);
const answer = (target) => (input, memory, { attempt }) => {
  appendFileSync(here('asked.txt'), target + ' ' + input + ' ' + attempt + '\\n');
  const letter = JSON.parse(readFileSync(here('plan.json'), 'utf8'))[target]?.[input]?.[attempt - 1] ?? 'P';
  if (letter === 'E') throw new Error('no answer');
  return { output: letter === 'P' ? 'yes' : 'no', cost_usd: target === 'a' ? 0.1 : 0.3 };
};
export const a = answer('a');
export const b = answer('b');
export const c = answer('c');
export const workers = 3;
`;
const CONFIG = `targets:
  - {name: a, agent: './agent.mjs:a'}
  - {name: b, agent: './agent.mjs:b'}
  - {name: c, agent: './agent.mjs:c'}
  - {name: keyless, url: 'http://127.0.0.1:1/\${{ UNSET_KEY_OF_NOBODY }}'}
  - {name: fileless, agent: ./missing.mjs}
`;
const YES = 'evaluators: [{type: contains, value: yes}]';
const suiteOf = (tests: readonly string[], head = ''): string =>
  `${head}evalcases:\n${tests.map((id) => `- {id: ${id}, input: ${id}, ${YES}}\n`).join('')}`;

type Plan = Readonly<Record<string, Readonly<Record<string, string>>>>;

class Project {
  readonly path: string;
  readonly remove: () => void;

  constructor(files: Readonly<Record<string, string>> = {}) {
    const created = createProject({
      'agent.mjs': AGENT,
      'plan.json': '{}',
      'assay.config.yaml': CONFIG,
      'all.eval.yaml': suiteOf(['t1', 't2', 't3', 't4']),
      ...files,
    });
    this.path = created.path;
    this.remove = () => created.remove();
  }

  plan(plan: Plan): void {
    writeFileSync(join(this.path, 'plan.json'), JSON.stringify(plan));
  }

  cli(...args: readonly string[]): Promise<CliResult> {
    return runCli(args, { cwd: this.path });
  }

  async report(...args: readonly string[]): Promise<Report & { readonly stderr: string }> {
    const { stdout, stderr } = await this.cli(...args, '--reporter', 'json');
    return { ...(JSON.parse(stdout) as Report), stderr };
  }

  /** Who was asked what since the last call. */
  asked(): readonly string[] {
    const file = join(this.path, 'asked.txt');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    rmSync(file);
    return lines;
  }

  runs(): readonly string[] {
    const folder = join(this.path, '.assay', 'runs');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }
}

const projects: Project[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});
function create(files?: Readonly<Record<string, string>>): Project {
  const project = new Project(files);
  projects.push(project);
  return project;
}

describe('the attempts of several targets', () => {
  test('take turns, and each time another target goes first', async () => {
    const project = create({ 'all.eval.yaml': suiteOf(['t1', 't2']) });
    const args = ['run', '--target', 'a,b', '--target', 'c,a', '--repeats', '2', '--workers', '1'];
    const { results, summary, exit_code } = await project.report(...args);
    expect(exit_code).toBe(0);
    expect(project.asked()).toEqual([
      'a t1 1',
      'b t1 1',
      'c t1 1',
      'b t1 2',
      'c t1 2',
      'a t1 2',
      'c t2 1',
      'a t2 1',
      'b t2 1',
      'a t2 2',
      'b t2 2',
      'c t2 2',
    ]);
    expect(summary).toMatchObject({ tests: 6, attempts: 12, passed: 6 });
    expect(summary.targets).toMatchObject([
      { target: 'a', tests: 2, attempts: 4, passed: 2, pass_rate: { passed: 4, measured: 4 } },
      { target: 'b', cost_usd: 1.2 },
      { target: 'c', cost_usd: 1.2 },
    ]);
    expect(summary.targets![0]!.cost_usd).toBeCloseTo(0.4, 12);
    expect(results.map(({ id }) => id)).toContain('all.eval.yaml::t2::c::2');
  });

  test("run as often as each target's gate needs, and take turns too", async () => {
    const project = create({ 'all.eval.yaml': suiteOf(['t1']) });
    project.plan({ b: { t1: 'F'.repeat(50) } });
    const args = ['run', '--target', 'a,b', '--repeats', 'auto', '--workers', '1'];
    const { tests, exit_code } = await project.report(...args);
    expect(exit_code).toBe(1);
    expect(tests).toMatchObject([
      { target: 'a', gate: { outcome: 'held' } },
      { target: 'b', gate: { outcome: 'broken' } },
    ]);
    expect(project.asked().slice(0, 4)).toEqual(['a t1 1', 'b t1 1', 'a t1 2', 'b t1 2']);
  });

  test('come from `targets` of a file or a test, in every format', async () => {
    const project = create({
      'all.eval.yaml': suiteOf(['t1'], 'targets: [a, b]\n'),
      'own.eval.yaml': `evalcases:\n- {id: own, input: own, targets: [b, c, b], ${YES}}\n- {id: one, input: one, execution: {target: c}, ${YES}}\n`,
      'data.jsonl':
        '{"id":"row","input":"row"}\n{"id":"own-row","input":"own-row","targets":["c"]}\n'.replaceAll(
          '"input"',
          '"evaluators":[{"type":"contains","value":"yes"}],"input"',
        ),
      'data.yaml': 'targets: [a, c]\n',
      's.test.yaml': '{id: steps, input: steps, targets: [a, b], assert: {output.equals: yes}}\n'.replace(
        ': yes',
        ": 'yes'",
      ),
      'j.test.json': JSON.stringify([
        { id: 'json', input: 'json', targets: ['b', 'c'], assert: { 'output.equals': 'yes' } },
        { id: 'string', input: 'string', targets: 'c', assert: { 'output.equals': 'yes' } },
      ]),
    });
    const { summary, exit_code, results } = await project.report('run', '.', 'data.jsonl');
    expect({ exit_code, tests: summary.tests }).toEqual({ exit_code: 0, tests: 13 });
    const ran = results.map(({ test: id, target }) => `${id} ${target}`).sort();
    expect(ran).toEqual(
      [
        't1 a',
        't1 b',
        'own b',
        'own c',
        'one c',
        'row a',
        'row c',
        'own-row c',
        'steps a',
        'steps b',
        'json b',
        'json c',
        'string c',
      ].sort(),
    );
    const listed = await project.cli('run', '--list', 's.test.yaml');
    expect(listed.stdout).toBe('s.test.yaml:1 steps [a, b]\n');
    const shown = await project.cli('show', 's.test.yaml', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ suites: [{ tests: [{ targets: ['a', 'b'] }] }] });
    // The command line decides for every test.
    const chosen = await project.report('run', '--target', 'a');
    expect(new Set(chosen.results.map(({ target }) => target))).toEqual(new Set(['a']));
    expect(chosen.summary.targets).toBeUndefined();
  });

  test('do not start if one target cannot: the error names it, and no agent is called', async () => {
    const project = create();
    for (const [target, named] of [
      ['keyless', /the target "keyless" needs the variable UNSET_KEY_OF_NOBODY/],
      ['fileless', /the target "fileless" cannot be used: .*missing\.mjs/],
      ['d', /unknown target "d" for all\.eval\.yaml/],
    ] as const) {
      const { exitCode, stderr } = await project.cli('run', '--target', `a,${target}`);
      expect({ target, exitCode }).toEqual({ target, exitCode: 2 });
      expect(stderr).toMatch(named);
    }
    writeFileSync(join(project.path, 'all.eval.yaml'), suiteOf(['t1'], 'targets: [a, keyless]\n'));
    expect((await project.cli('run')).stderr).toContain('"keyless"');
    expect([project.asked(), project.runs()]).toEqual([[], []]);
    expect((await project.cli('run', '--target', 'a,,b')).stderr).toContain(
      '--target has an empty name: "a,,b"',
    );
    expect((await project.cli('run', '--workers', '1', '--workers', '2')).stderr).toContain(
      '--workers is given twice',
    );
  });

  test('are the same after sharding, merging and grading as in one run', async () => {
    const project = create();
    project.plan({ b: { t2: 'F' }, a: { t3: 'E' } });
    const whole = await project.report('run', '--target', 'a,b', '--min-pass-rate', '60%');
    for (const shard of ['1/2', '2/2'])
      await project.cli('run', '--target', 'a,b', '--shard', shard, '--min-pass-rate', '60%');
    const [, ...shards] = project.runs();
    const merged = await project.report('merge', ...shards);
    const untimed = ({ targets = [] }: Report['summary']): unknown =>
      targets.map((target) => ({ ...target, duration_ms: 0 }));
    expect(untimed(merged.summary)).toEqual(untimed(whole.summary));
    expect(merged.summary.gates).toEqual(whole.summary.gates);
    expect(merged.target_comparisons).toHaveLength(1);
    const graded = await project.report('grade', project.runs()[0]!);
    expect(untimed(graded.summary)).toEqual(untimed(whole.summary));
    expect(graded.summary.gates).toEqual(whole.summary.gates);
  });
});

describe('several targets and earlier runs', () => {
  test('a resumed run may add a target and then runs only its attempts, but may not drop one', async () => {
    const project = create();
    await project.cli('run', '--target', 'a,b');
    project.asked();
    const { exit_code, summary } = await project.report('run', '--resume', '--target', 'a,b,c');
    expect(project.asked().map((line) => line[0])).toEqual(['c', 'c', 'c', 'c']);
    expect({ exit_code, runs: project.runs().length }).toEqual({ exit_code: 0, runs: 1 });
    expect(summary.targets?.map(({ target, passed }) => [target, passed])).toEqual([
      ['a', 4],
      ['b', 4],
      ['c', 4],
    ]);
    // Without --target the run keeps its targets.
    expect((await project.report('run', '--resume')).summary.attempts).toBe(12);
    const fewer = await project.cli('run', `--resume=${project.runs()[0]}`, '--target', 'a');
    expect(fewer.exitCode).toBe(2);
    expect(fewer.stderr).toContain('resume without b, c: it was started with them');
    const agent = await project.cli('run', `--resume=${project.runs()[0]}`, '--agent', './agent.mjs:a');
    expect(agent.exitCode).toBe(2);
    expect(agent.stderr).toContain('resume without a, b, c: it was started with them');
    expect(project.asked()).toEqual([]);
  });

  test('--last-failed runs only the targets that failed', async () => {
    const project = create();
    project.plan({ b: { t2: 'F', t3: 'F' }, a: { t3: 'E' } });
    await project.cli('run', '--target', 'a,b');
    project.asked();
    project.plan({});
    const { exit_code, summary } = await project.report('run', '--last-failed', '--target', 'a,b');
    expect([...project.asked()].sort()).toEqual(['a t3 1', 'b t2 1', 'b t3 1']);
    expect({ exit_code, tests: summary.tests }).toEqual({ exit_code: 0, tests: 3 });
  });
});

describe('gates and baselines', () => {
  test('each target must meet the gates by itself', async () => {
    const project = create();
    project.plan({ b: { t1: 'F', t2: 'F' } });
    const { stdout, exitCode } = await project.cli('run', '--target', 'a,b', '--min-pass-rate', '70%');
    // All in all 6 of 8 attempts passed, which is 75%.
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✓ a: 100% of attempts passed (4 of 4), at least 70% required');
    expect(stdout).toContain('✗ b: 50% of attempts passed (2 of 4), at least 70% required');
    const junit = await project.cli('report', '--junit', '-');
    expect(junit.stdout).toContain('b: 50% of attempts passed');
    expect(junit.stdout).toContain('name="t1 [b]"');
    expect(junit.stdout).toContain('<property name="target" value="b"/>');
    // A target whose tests a filter leaves out decides nothing.
    writeFileSync(
      join(project.path, 'all.eval.yaml'),
      `evalcases:\n- {id: t1, input: t1, targets: [a], ${YES}}\n- {id: t2, input: t2, targets: [a, b], ${YES}}\n`,
    );
    const alone = await project.report('run', '-t', 't1', '--min-pass-rate', '70%');
    expect(alone).toMatchObject({
      exit_code: 0,
      summary: { gates: [{ gate: 'min_pass_rate', outcome: 'held' }] },
    });
  });

  test('a target that could not be measured leaves its gate undecided', async () => {
    const project = create();
    project.plan({ b: { t1: 'E', t2: 'E' } });
    const { exit_code, summary } = await project.report('run', '--target', 'a,b', '--min-pass-rate', '50%');
    expect(exit_code).toBe(3);
    expect(summary.gates).toMatchObject([
      { target: 'a', outcome: 'held' },
      { target: 'b', outcome: 'undecided' },
    ]);
  });

  test('a baseline compares each target that it has, and names the new ones', async () => {
    const project = create();
    project.plan({ a: { t1: 'F' } });
    await project.cli('run', '--target', 'a,b');
    await project.cli('baseline', 'update');
    project.plan({ b: { t1: 'F' }, c: { t2: 'F' } });
    const args = ['run', '--target', 'a,b,c', '--baseline', 'assay-baseline.json', '--min-pass-rate', '50%'];
    const report = await project.report(...args);
    expect(report.exit_code).toBe(1);
    expect(report.baselines).toMatchObject([
      { target: 'a', outcome: 'held', new_failures: 0, fixed: 1 },
      { target: 'b', outcome: 'broken', new_failures: 1, fixed: 0 },
    ]);
    expect(report.findings).toMatchObject([
      { code: 'new_target', message: expect.stringContaining('c is not in the baseline') as string },
    ]);
    await project.cli('baseline', 'update');
    const again = await project.report(...args);
    expect(again.exit_code).toBe(0);
    expect(again.baselines?.map(({ target, outcome }) => [target, outcome])).toEqual([
      ['a', 'held'],
      ['b', 'held'],
      ['c', 'held'],
    ]);
    for (const [targets, missing] of [
      ['a', 'b, c'],
      ['a,c', 'b'],
    ] as const) {
      const fewer = await project.report('run', '--target', targets, '--baseline', 'assay-baseline.json');
      expect(fewer.findings).toMatchObject([{ code: 'missing_target' }]);
      expect(fewer.findings[0]!.message).toMatch(new RegExp(`^${missing} of the baseline .* not run`));
    }
    // A baseline without any of the targets decides nothing.
    const file = join(project.path, 'assay-baseline.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"target":"(.)"/g, '"target":"old-$1"'));
    const none = await project.report(...args);
    expect(none.exit_code).toBe(3);
    expect(none.baselines).toMatchObject([{ outcome: 'undecided' }, {}, {}]);
  });
});

describe('comparing targets', () => {
  const PLAN = {
    a: { t1: 'PPF', t2: 'PFE' },
    b: { t1: 'FFF', t2: 'PPP', t3: 'PFP' },
    c: { t4: 'EEE' },
  };

  test('within one run gives exactly the numbers of `assay compare` for separate runs', async () => {
    const project = create();
    project.plan(PLAN);
    const repeats = ['--repeats', '3'];
    const together = await project.report('run', '--target', 'a,b,c', ...repeats);
    for (const target of ['a', 'b', 'c']) await project.cli('run', '--target', target, ...repeats);
    const [one, a, b, c] = project.runs() as [string, string, string, string];
    const compare = async (...args: readonly string[]): Promise<Comparison> =>
      JSON.parse((await project.cli('compare', ...args, '--json')).stdout) as Comparison;
    for (const [index, [name, run]] of [
      ['b', b],
      ['c', c],
    ].entries() as Iterable<[number, [string, string]]>) {
      const separate = comparable(await compare(a, run));
      expect(comparable(together.target_comparisons![index]!)).toEqual(separate);
      expect(comparable(await compare(one, '--targets', `a,${name}`))).toEqual(separate);
      expect(comparable(await compare(one, run, '--targets', `a,${name}`))).toEqual(separate);
    }
    const text = await project.cli('compare', one, '--targets', 'b,a');
    expect(text.stdout).toMatch(/\nbefore .* passed {2}b\nafter .* passed {2}a\n/);
    const same = await compare(one, b, '--targets', 'b');
    expect(same.tests).toMatchObject({ compared: 4, new_failures: 0, fixes: 0 });
    const unknown = await project.cli('compare', one, '--targets', 'a,bb');
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain(`${one} has no results of the target "bb"`);
    expect((await project.cli('compare', one, '--targets', 'a,b,c')).exitCode).toBe(2);
  });

  test('targets without a common test are not compared, and `assay compare` of them is not green', async () => {
    const project = create({
      'all.eval.yaml': `evalcases:\n- {id: t1, input: t1, targets: [a], ${YES}}\n- {id: t2, input: t2, targets: [b], ${YES}}\n`,
    });
    const report = await project.report('run');
    expect(report.target_comparisons).toEqual([]);
    const { exitCode, stdout } = await project.cli('compare', 'latest', '--targets', 'a,b');
    expect(stdout).toContain('Nothing could be compared');
    expect(exitCode).toBe(3);
  });

  test('reports have a column for each target', async () => {
    const project = create();
    project.plan({ b: { t2: 'F' }, a: { t3: 'E' } });
    const args = ['run', '--target', 'a,b', '--reporter', 'terminal', '--reporter', 'markdown=m.md'];
    const { stdout } = await project.cli(...args, '--reporter', 'tap=t.tap');
    const read = (name: string): string => readFileSync(join(project.path, name), 'utf8');
    expect(stdout).toMatch(
      /\nTargets +a +b\nall\.eval\.yaml:2 t1 +✓ +✓\nall\.eval\.yaml:3 t2 +✓ +✗\nall\.eval\.yaml:4 t3 +! +✓\n/,
    );
    expect(stdout).toMatch(
      /\npassed +3 of 4 +3 of 4\nerrored +1\npass rate +100% of 3 measured +75%\n95% interval +/,
    );
    expect(stdout).toContain('\nb against a: 1 new failure among 3 paired attempts; ');
    expect(stdout).toContain('FAIL t2 [b]\n');
    expect(stdout).toContain('rerun: assay run all.eval.yaml:3 --target b\n');
    expect(read('m.md')).toContain('| test | `a` | `b` |\n|---|---|---|\n| **passed** | 3 of 4 | 3 of 4 |\n');
    expect(read('m.md')).toContain('| `t2` `all.eval.yaml:3` | ✓ | ✗ |\n');
    expect(read('t.tap')).toMatch(/\nnot ok \d+ - all\.eval\.yaml: t2 \[b\]\n/);
    const later = await project.cli('report', '--markdown', '-');
    expect(later.stdout).toBe(read('m.md'));
  });
});

test('every text about a target is escaped and names it', async () => {
  const names = ['<b>x</b>', 'p|`q`\n::error::forged', 'red\u001b[31m \u202e'];
  const project = create({
    'assay.config.yaml': JSON.stringify({
      targets: names.map((name, index) => ({ name, agent: `./agent.mjs:${'abc'[index]}` })),
    }),
    'all.eval.yaml': suiteOf(['t1', 't2'], `targets: ${JSON.stringify(names)}\n`),
  });
  project.plan({ b: { t1: 'FP' }, c: { t1: 'EE', t2: 'EE' } });
  const args = ['--repeats', '2', '--min-pass-rate', '90%', '--reporter', 'list', '--reporter'];
  const { stdout } = await project.cli('run', ...args, 'markdown=m.md', '--reporter', 'agent=a.txt');
  const read = (name: string): string => readFileSync(join(project.path, name), 'utf8');
  for (const text of [stdout, read('m.md'), read('a.txt')]) {
    expect(strangeInTerminal(Buffer.from(text))).toEqual([]);
    expect(text).not.toMatch(/^ *::error::forged/m);
  }
  expect(read('m.md').split('\n', 1)[0]).toMatch(/gate min&#95;pass&#95;rate of p&#124;.*red&#92;x1b/);
  expect(read('m.md').replaceAll(/`[^`]*`/g, '')).not.toContain('<b>');
  // Every line about one attempt names its target, from the first on.
  const lines = stdout.split('\n').filter((line) => /^[✓✗!] all\.eval\.yaml:\d+ t\d/.test(line));
  expect(lines).toHaveLength(12);
  for (const line of lines) expect(line).toMatch(/\[(?:<b>|p\||red)/);
  expect(stdout).toMatch(/\nFlaky +t1 \[p\|/);
  expect(read('a.txt')).toMatch(/^all\.eval\.yaml:\d+ t1 \[p\|/m);
});

test('gates of tests are listed with their target', async () => {
  const project = create({ 'all.eval.yaml': suiteOf(['t1', 't2']) });
  project.plan({ b: { t1: 'FFFFFFFF' } });
  const { stdout } = await project.cli(
    'run',
    '--target',
    'a,b',
    '--repeats',
    'auto',
    '--min-pass-rate',
    '50%',
  );
  const gates = stdout.slice(stdout.indexOf('\nGates'), stdout.indexOf('\nSaved'));
  expect(gates).toMatch(/^\nGates +✓ a: .*\n +✗ b: .*\n +✗ t1: .*$/);
});

test('no setting that names a target is ignored', async () => {
  const project = create({
    'all.eval.yaml': `targets: [a, b]\nevalcases:\n- {id: t1, input: t1, target: c, ${YES}}\n`,
  });
  const both = await project.cli('run', '--target', 'a,b', '--agent', './agent.mjs:a');
  expect(both.exitCode).toBe(2);
  expect(both.stderr).toContain('--agent and several targets cannot be used together');
  const field = await project.report('run');
  expect(field).toMatchObject({ exit_code: 2, findings: [{ severity: 'error', code: 'unknown_field' }] });
  expect(project.asked()).toEqual([]);
});

test('an unknown target is refused by --list and reported by validate', async () => {
  const project = create({
    'all.eval.yaml': suiteOf(['t1'], 'targets: [a, bb]\n'),
    'other/more.eval.yaml': `evalcases:\n- {id: t2, input: t2, execution: {target: d}, ${YES}}\n`,
  });
  const list = await project.cli('run', '--list', '--target', 'a,typo');
  expect(list).toMatchObject({ exitCode: 2, stdout: '' });
  expect(list.stderr).toContain('unknown target "typo" for all.eval.yaml');
  expect((await project.cli('run', '--list', '--target', 'a,b')).stdout).toContain('t1 [a, b]\n');
  const { stdout } = await project.cli('validate', '--json');
  const { findings } = JSON.parse(stdout) as Report;
  expect(findings.map(({ code, file, line, message }) => [code, file, line, message.slice(0, 19)])).toEqual([
    ['unknown_target', 'all.eval.yaml', 3, 'unknown target "bb"'],
    ['unknown_target', 'other/more.eval.yaml', 2, 'unknown target "d" '],
  ]);
});

/** Without what depends on the time and the names of runs. */
function comparable({
  before,
  after,
  latency_median_ms,
  latency_p95_ms,
  ...comparison
}: Comparison): unknown {
  const without = (side: Comparison['before']): unknown => ({ ...side, run_id: '' });
  return {
    ...comparison,
    before: without(before),
    after: without(after),
    latency: [typeof latency_median_ms, typeof latency_p95_ms],
  };
}
