import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { writeSealed } from '../../src/runs/journal/sealed-file.ts';
import { asVersion1 } from '../old-journal.ts';
import { createProject, runCli } from '../project.ts';
import { recordedTests, runFolders } from '../run-folders.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function project(): string {
  const created = createProject({
    'agent.mjs': 'export const agent = (input) => input;',
    'tests/a.test.yaml':
      '- {id: good, input: good, assert: {output.equals: good}}\n- {id: bad, input: bad, assert: {output.equals: good}}\n',
  });
  cleanUps.push(() => created.remove());
  return created.path;
}

const mend = (cwd: string): void =>
  writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = () => "good";');

interface LastFailedRun {
  readonly exitCode: number | null;
  readonly findings: readonly { code: string; severity: string; message: string }[];
  readonly tests: readonly string[];
  /** How many tests were selected for which reason; those without any are left out. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly passed: number | undefined;
}

async function run(cwd: string, ...args: string[]): Promise<LastFailedRun> {
  const result = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd });
  return read(result.stdout, result.exitCode);
}

function read(stdout: string, exitCode: number | null): LastFailedRun {
  const { findings, results, summary } = JSON.parse(stdout) as {
    findings: LastFailedRun['findings'];
    results: { test: string }[];
    summary: { selection?: { last_failed?: Record<string, number>; left_out: { passed: number } } };
  };
  const { last_failed = {}, left_out } = summary.selection ?? {};
  const reasons = Object.fromEntries(Object.entries(last_failed).filter(([, count]) => count > 0));
  return {
    exitCode,
    findings,
    tests: results.map((record) => record.test),
    reasons,
    passed: left_out?.passed,
  };
}

const last = (cwd: string, ...args: string[]): Promise<LastFailedRun> => run(cwd, '--last-failed', ...args);
const NOTHING = { exitCode: 0, tests: [], reasons: {}, findings: [{ code: 'nothing_failed' }] };
const one = (id: string, input = 'good', more = ''): string =>
  `- {id: ${id}, input: ${input}, assert: {output.equals: good}${more}}\n`;

describe('--last-failed', () => {
  test('does not trust a pass without a checksum', async () => {
    const cwd = project();
    await run(cwd);
    const [folder] = runFolders(cwd);
    const journal = join(folder!, 'results.jsonl');
    const old = asVersion1(readFileSync(journal, 'utf8'));
    // By hand, as anybody could.
    writeFileSync(journal, old.replaceAll('"verdict":"failed"', '"verdict":"passed"'));
    rmSync(join(folder!, 'summary.json'));
    const again = { exitCode: 1, tests: ['good', 'bad'], reasons: { undecided: 2 } };
    expect(await last(cwd)).toMatchObject(again);
    expect(await last(cwd)).toMatchObject({ tests: ['bad'], reasons: { failed: 1 }, passed: 1 });
  });

  test('runs what failed, even from another folder', async () => {
    const cwd = project();
    await run(cwd);
    expect(await last(cwd)).toMatchObject({
      exitCode: 1,
      tests: ['bad'],
      findings: [],
      reasons: { failed: 1 },
    });
    mkdirSync(join(cwd, 'tests', 'deep'));
    const { stdout, exitCode } = await runCli(
      ['run', '..', '--agent', '../../agent.mjs', '--reporter', 'json', '--last-failed'],
      { cwd: join(cwd, 'tests', 'deep') },
    );
    expect(read(stdout, exitCode)).toMatchObject({ exitCode: 1, tests: ['bad'], passed: 1 });
  });

  test('runs everything, with a message, if there is no earlier run', async () => {
    const cwd = project();
    expect(await last(cwd)).toMatchObject({
      exitCode: 1,
      tests: ['good', 'bad'],
      findings: [{ severity: 'warning', code: 'no_earlier_run' }],
      reasons: { never_run: 2 },
    });
  });

  test('runs nothing after a run without failures: exit 0, with a message, and no recorded run', async () => {
    const cwd = project();
    mend(cwd);
    await run(cwd);
    for (let times = 0; times < 2; times++) {
      const again = await last(cwd);
      expect(again).toMatchObject({ ...NOTHING, passed: 2 });
      expect(again.findings[0]!.message).toContain(runFolders(cwd)[0]!.split('/').at(-1));
    }
    expect(runFolders(cwd)).toHaveLength(1);
    // Also when that run was killed before it wrote its summary: every test has its record.
    rmSync(join(runFolders(cwd)[0]!, 'summary.json'));
    expect(await last(cwd)).toMatchObject(NOTHING);
  });
});

describe('--last-failed runs what has not passed', () => {
  test('added and changed tests and files, counted by reason', async () => {
    const cwd = project();
    const file = join(cwd, 'tests/a.test.yaml');
    writeFileSync(file, one('good') + one('bad', 'bad') + one('edited'));
    expect((await run(cwd)).exitCode).toBe(1);
    const changed = one('good') + one('bad', 'bad') + one('edited', 'good', ', memory: {a: 1}');
    writeFileSync(file, changed + one('added', 'bad'));
    writeFileSync(join(cwd, 'tests/b.test.yaml'), one('good'));
    const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--last-failed'], { cwd });
    expect(stdout).toContain('--last-failed: 1 failed, 1 changed, 2 never run; 1 test left out');
    // All of them have a record now, and what still fails is run.
    expect(await last(cwd)).toMatchObject({
      exitCode: 1,
      tests: ['bad', 'added'],
      reasons: { failed: 2 },
      passed: 3,
    });
    // What a test was before it was changed does not speak for it, until it is that again.
    writeFileSync(file, one('good') + one('edited'));
    expect(await last(cwd)).toMatchObject({ ...NOTHING, passed: 3 });
    // A filter says nothing about what it leaves out.
    writeFileSync(file, one('good', 'bad') + one('edited'));
    expect(await last(cwd, '-t', 'edited')).toMatchObject(NOTHING);
    expect(await last(cwd)).toMatchObject({ exitCode: 1, tests: ['good'], reasons: { changed: 1 } });
  });

  test('skipped tests, which never count as passed', async () => {
    const cwd = project();
    const file = join(cwd, 'tests/a.test.yaml');
    writeFileSync(file, one('good') + one('bad', 'bad', ', skip: later'));
    expect((await run(cwd)).exitCode).toBe(0);
    const skipped = await last(cwd);
    expect(skipped).toMatchObject({ exitCode: 2, tests: [], findings: [{ code: 'nothing_failed' }] });
    expect(skipped.findings[0]!.message).toContain('1 selected test is skipped, and the other 1 passed');
    expect((await last(cwd, '--pass-with-no-tests')).exitCode).toBe(0);
    expect((await last(cwd, '-t', 'good')).exitCode).toBe(0);
    writeFileSync(file, one('good') + one('bad', 'bad'));
    expect(await last(cwd)).toMatchObject({ exitCode: 1, tests: ['bad'], reasons: { unskipped: 1 } });
    // Skipping a failed test makes nothing green; if other tests run, it is shown.
    writeFileSync(file, one('good') + one('bad', 'bad', ', skip: true'));
    expect((await last(cwd)).exitCode).toBe(2);
    writeFileSync(file, one('good') + one('bad', 'bad', ', skip: true') + one('new'));
    expect(await last(cwd)).toMatchObject({
      exitCode: 0,
      tests: ['bad', 'new'],
      reasons: { skipped: 1, never_run: 1 },
    });
  });

  test('tests that `only` left out', async () => {
    const cwd = project();
    const file = join(cwd, 'tests/a.test.yaml');
    writeFileSync(file, one('good', 'good', ', only: true') + one('bad', 'bad'));
    expect((await run(cwd)).exitCode).toBe(0);
    expect(await last(cwd)).toMatchObject(NOTHING);
    writeFileSync(file, one('good') + one('bad', 'bad'));
    expect(await last(cwd)).toMatchObject({ exitCode: 1, tests: ['bad'], reasons: { never_run: 1 } });
  });

  test('tests of another agent, of a target with other settings, and with another threshold', async () => {
    const cwd = project();
    mend(cwd);
    writeFileSync(join(cwd, 'other.mjs'), 'export const agent = () => "good";');
    const config = (response: string): void =>
      writeFileSync(
        join(cwd, 'targets.yaml'),
        `targets:\n  - {name: a, provider: mock, response: ${response}}\n  - {name: b, provider: mock, response: good}\n`,
      );
    config('good');
    const target = async (...args: string[]): Promise<LastFailedRun> => {
      const result = await runCli(['run', '--reporter', 'json', '--last-failed', ...args], { cwd });
      return read(result.stdout, result.exitCode);
    };
    await run(cwd);
    expect(await target('--agent', './other.mjs')).toMatchObject({ reasons: { never_run: 2 } });
    expect(await target('--target', 'a')).toMatchObject({ reasons: { never_run: 2 } });
    expect(await target('--target', 'b')).toMatchObject({ reasons: { never_run: 2 } });
    config('bad');
    expect(await target('--target', 'a')).toMatchObject({ exitCode: 1, reasons: { changed: 2 } });
    // Each has records of its own, however many runs of others came since. The code of an agent does not count.
    expect(await target('--target', 'b')).toMatchObject(NOTHING);
    expect(await target('--agent', 'other.mjs')).toMatchObject(NOTHING);
    writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = () => "bad";');
    expect(await last(cwd)).toMatchObject(NOTHING);
    expect(await last(cwd, '--threshold', '0.5')).toMatchObject({ exitCode: 1, reasons: { changed: 2 } });
  });

  test('tests with a failed repeat or too few repeats', async () => {
    const cwd = project();
    writeFileSync(join(cwd, 'tests/a.test.yaml'), one('good', 'good', ', pass_at_least: 0.1'));
    writeFileSync(
      join(cwd, 'agent.mjs'),
      'let calls = 0;\nexport const agent = () => (++calls === 2 ? "bad" : "good");',
    );
    expect((await run(cwd, '--repeats', '3')).exitCode).toBe(0);
    expect(await last(cwd)).toMatchObject({ exitCode: 0, tests: ['good'], reasons: { failed: 1 } });
    mend(cwd);
    writeFileSync(join(cwd, 'tests/a.test.yaml'), one('good'));
    expect((await run(cwd, '--repeats', 'auto', '--max-repeats', '2')).exitCode).toBe(3);
    expect(await last(cwd)).toMatchObject({ exitCode: 0, tests: ['good'], reasons: { undecided: 1 } });
    expect(await last(cwd)).toMatchObject(NOTHING);
  });

  test('tests with too few passes for the current rules', async () => {
    const cwd = project();
    mend(cwd);
    await run(cwd);
    const auto = ['--repeats', 'auto', '--min-pass-rate', '0.8'];
    const again = await last(cwd, ...auto);
    expect(again).toMatchObject({ exitCode: 0, reasons: { undecided: 2 } });
    expect(again.tests.length).toBeGreaterThan(4);
    expect(await last(cwd, ...auto)).toMatchObject(NOTHING);
    expect(await last(cwd)).toMatchObject(NOTHING);
    writeFileSync(join(cwd, 'tests/a.test.yaml'), one('other'));
    await run(cwd);
    expect(await last(cwd, '--repeats', '2')).toMatchObject({
      tests: ['other', 'other'],
      reasons: { undecided: 1 },
    });
    expect(await last(cwd, '--repeats', '2')).toMatchObject(NOTHING);
  });

  test('tests that were left out because of the budget or an invalid file', async () => {
    const cwd = project();
    writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = () => ({ output: "good", cost_usd: 1 });');
    expect((await run(cwd, '--max-cost', '0.5', '--workers', '1')).exitCode).toBe(3);
    expect(await last(cwd)).toMatchObject({ exitCode: 0, tests: ['bad'], reasons: { never_run: 1 } });
    writeFileSync(join(cwd, 'tests/b.test.yaml'), '- {id: other, inptu: [}\n');
    expect((await last(cwd)).exitCode).toBe(2);
    writeFileSync(join(cwd, 'tests/b.test.yaml'), one('other', 'good'));
    expect(await last(cwd)).toMatchObject({ exitCode: 0, tests: ['other'], reasons: { never_run: 1 } });
    expect(await last(cwd)).toMatchObject(NOTHING);
  });

  test('tests whose newest record cannot be read, despite an older pass', async () => {
    const cwd = project();
    mend(cwd);
    await run(cwd);
    writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = (input) => input;');
    expect((await run(cwd)).exitCode).toBe(1);
    const journal = join(runFolders(cwd)[1]!, 'results.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, lines.map((line) => line.replace('"test":"bad"', '"test":"bad')).join('\n'));
    const refused = async (): Promise<void> => {
      const { exitCode, stdout, stderr } = await runCli(['run', '--last-failed', '--agent', './agent.mjs'], {
        cwd,
      });
      expect(exitCode).toBe(2);
      expect(stdout + stderr).toContain('is damaged');
    };
    await refused();
    writeFileSync(journal, lines.filter((line) => !line.includes('"test":"bad"')).join('\n'));
    await refused();
    writeFileSync(join(runFolders(cwd)[1]!, 'run.json'), '{');
    await refused();
  });

  test('tests that failed in an older run that was resumed later', async () => {
    const cwd = project();
    mend(cwd);
    await run(cwd, '--bail');
    const [first] = runFolders(cwd);
    const journal = join(first!, 'results.jsonl');
    // As if it had been killed before it came to the second test.
    writeFileSync(journal, `${readFileSync(journal, 'utf8').split('\n').slice(0, 2).join('\n')}\n`);
    rmSync(join(first!, 'summary.json'));
    expect((await run(cwd)).exitCode).toBe(0);
    writeFileSync(join(cwd, 'agent.mjs'), 'export const agent = (input) => input;');
    expect((await run(cwd, `--resume=${first}`)).exitCode).toBe(1);
    expect(await last(cwd)).toMatchObject({ exitCode: 1, tests: ['bad'], reasons: { failed: 1 } });
  });
});

describe('a check that changed outside its suite', () => {
  const config = (score: number): string =>
    `judge: j\ntargets:\n  - {name: j, provider: mock, response: {reasoning: r, hits: [], misses: [], score: ${score}}}\n  - {name: m, provider: mock, response: '{"a": 1}'}\n`;
  const script = (score: number): string =>
    `process.stdin.resume().on('end', () => console.log('{"score": ${score}, "reasoning": "r"}'));`;
  const files = {
    'assay.config.yaml': config(1),
    'suites/a.eval.yaml': `evalcases:
  - {id: plain, expected_outcome: y, input: x, evaluators: [{type: contains, value: a}]}
  - {id: schema, expected_outcome: y, input: x, evaluators: [{type: is_json, schema: shape.json}]}
  - {id: inner, expected_outcome: y, input: x, evaluators: [{type: composite, evaluators: [{type: is_json, schema: shape.json}]}]}
  - {id: script, expected_outcome: y, input: x, evaluators: [{type: code_judge, script: [node, judge.mjs]}]}
  - {id: line, expected_outcome: y, input: x, evaluators: [{type: code_judge, script: node judge.mjs | cat}]}
  - {id: prompt, expected_outcome: y, input: x, evaluators: [{type: llm_judge, prompt: prompt.md}]}
  - {id: asked, expected_outcome: y, input: x, evaluators: [{type: llm_judge}]}
`,
    'suites/shape.json': '{"type": "object"}',
    'suites/judge.mjs': script(1),
    'suites/prompt.md': 'Is it good? {{candidate_answer}}',
  };
  const start = (cwd: string, ...args: string[]): ReturnType<typeof runCli> =>
    runCli(['run', 'suites', '--target', 'm', '--allow-scripts', '--reporter', 'json', ...args], { cwd });
  const lastFailed = async (cwd: string): Promise<LastFailedRun> => {
    const { stdout, exitCode } = await start(cwd, '--last-failed');
    return read(stdout, exitCode);
  };

  test('makes --last-failed run its test again: a schema, a script, a prompt, the judge', async () => {
    const { path: cwd, remove } = createProject(files);
    cleanUps.push(remove);
    expect((await start(cwd)).exitCode).toBe(0);
    expect(await lastFailed(cwd)).toMatchObject(NOTHING);
    writeFileSync(join(cwd, 'suites/prompt.md'), 'Is it very good? {{candidate_answer}}');
    expect(await lastFailed(cwd)).toMatchObject({ exitCode: 0, tests: ['prompt'], reasons: { changed: 1 } });
    writeFileSync(join(cwd, 'assay.config.yaml'), config(0));
    const judged = await lastFailed(cwd);
    expect(judged).toMatchObject({ exitCode: 1, reasons: { changed: 2 } });
    expect(judged.tests.toSorted()).toEqual(['asked', 'prompt']);
    writeFileSync(join(cwd, 'assay.config.yaml'), config(1));
    writeFileSync(join(cwd, 'suites/judge.mjs'), script(0));
    rmSync(join(cwd, 'suites/shape.json'));
    const broken = await lastFailed(cwd);
    expect(broken.exitCode).toBe(1);
    expect(broken.tests).toEqual(expect.arrayContaining(['schema', 'inner', 'script', 'line']));
    expect(broken.tests).not.toContain('plain');
  });

  test('makes --resume run its test again', async () => {
    const { path: cwd, remove } = createProject(files);
    cleanUps.push(remove);
    expect((await start(cwd)).exitCode).toBe(0);
    writeFileSync(join(cwd, 'suites/shape.json'), '{"type": "array"}');
    const id = runFolders(cwd)[0]!.split('/').at(-1)!;
    const { stdout, exitCode } = await start(cwd, `--resume=${id}`);
    const { results } = JSON.parse(stdout) as { results: { test: string; verdict: string }[] };
    expect(exitCode).toBe(1);
    const failed = results.filter(({ verdict }) => verdict === 'failed').map((record) => record.test);
    expect(failed.toSorted()).toEqual(['inner', 'schema']);
  });
});

test('--last-failed is not green after a run that was not, even if each of its tests passed', async () => {
  const cwd = project();
  mend(cwd);
  await run(cwd);
  // As a baseline decides it.
  const folder = runFolders(cwd)[0]!;
  const summary = join(folder, 'summary.json');
  const { crc32: _, ...ending } = JSON.parse(readFileSync(summary, 'utf8')) as { crc32: string };
  writeSealed(summary, { ...ending, exit_code: 1 });
  expect(await last(cwd)).toMatchObject({
    exitCode: 2,
    findings: [{ severity: 'error', code: 'nothing_failed' }],
  });
});

test('--last-failed --list names what would run and starts no agent', async () => {
  const cwd = project();
  await run(cwd);
  writeFileSync(join(cwd, 'agent.mjs'), 'throw new Error("started");');
  const { stdout, stderr, exitCode } = await runCli(
    ['run', '--agent', './agent.mjs', '--last-failed', '--list'],
    { cwd },
  );
  expect({ stdout, exitCode }).toEqual({ stdout: 'tests/a.test.yaml:2 bad\n', exitCode: 0 });
  expect(stderr).toContain('--last-failed: 1 failed; 1 test left out because it passed when last run');
});

test('--resume continues a run of --last-failed with the same tests', async () => {
  const cwd = project();
  writeFileSync(join(cwd, 'tests/b.test.yaml'), one('other', 'bad'));
  await run(cwd);
  await last(cwd);
  const folder = runFolders(cwd)[1]!;
  const journal = join(folder, 'results.jsonl');
  writeFileSync(journal, `${readFileSync(journal, 'utf8').split('\n').slice(0, 2).join('\n')}\n`);
  rmSync(join(folder, 'summary.json'));
  mend(cwd);
  expect(await last(cwd, '--resume')).toMatchObject({ exitCode: 1, tests: ['bad', 'other'], findings: [] });
  expect(runFolders(cwd)).toHaveLength(2);
});

describe('a damaged run.json', () => {
  test.each([
    ['half of it', '{"run_id": "x", "fi'],
    ['none', undefined],
  ])('%s: --resume says that it ignores the run, and --resume=RUN continues it', async (_, text) => {
    const cwd = project();
    await run(cwd);
    const [damaged] = runFolders(cwd);
    if (text === undefined) rmSync(join(damaged!, 'run.json'));
    else writeFileSync(join(damaged!, 'run.json'), text);
    const resumed = await run(cwd, '--resume');
    expect(resumed.findings.map(({ code }) => code).sort()).toEqual(['damaged_run', 'nothing_to_resume']);
    expect(runFolders(cwd)).toHaveLength(2);
    const id = damaged!.split('/').at(-1)!;
    expect(await run(cwd, `--resume=${id}`)).toMatchObject({
      exitCode: 1,
      findings: [{ code: 'damaged_run', severity: 'warning' }],
    });
    // Its run.json is whole again.
    expect(await run(cwd, `--resume=${id}`)).toMatchObject({ exitCode: 1, findings: [] });
    expect(recordedTests(damaged!)).toEqual(['good', 'bad']);
  });
});

test('--lf is --last-failed; --failed-first and --ff run the failures first and then the others', async () => {
  const cwd = project();
  const order = async (...args: string[]): Promise<readonly string[]> => {
    const { stdout } = await runCli(
      ['run', 'tests', '--agent', './agent.mjs', '--reporter', 'jsonl', ...args],
      {
        cwd,
      },
    );
    return stdout.split('\n').flatMap((line) => /"test":"(\w+)","tags"/.exec(line)?.[1] ?? []);
  };
  expect(await order('--ff')).toEqual(['good', 'bad']);
  expect(await order('--failed-first')).toEqual(['bad', 'good']);
  expect(await order('--ff', '--repeats', '2')).toEqual(['bad', 'bad', 'good', 'good']);
  expect(await order('--lf')).toEqual(['bad']);
  expect(await order('--lf', '--ff')).toEqual(['bad']);
  const refused = await runCli(['run', 'tests', '--ff', '--shard', '1/2'], { cwd });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--failed-first and --shard cannot be used together'),
  ]);
});

test('--durations lists the slowest tests', async () => {
  const cwd = project();
  const list = async (...args: string[]): Promise<string> => {
    const { stdout } = await runCli(['run', 'tests', '--agent', './agent.mjs', ...args], { cwd });
    return stdout;
  };
  expect(await list('--durations', '1')).toMatch(
    /^Slowest 1 of 2 tests\n +\S+ ms {2}(?:good|bad) {2}tests\/a/m,
  );
  expect(await list('--durations=0', '--repeats', '2')).toMatch(
    /^Slowest 4 of 4 attempts\n(?: +\S+ ms {2}(?:good|bad) #[12] .*\n){4}/m,
  );
  expect(await list()).not.toContain('Slowest');
});
