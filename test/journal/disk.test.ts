import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { CLI, createProject, startCli } from '../project.ts';
import { recordedTests, runFolders } from '../run-folders.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Each test waits as long as its input says; one whose input is a script runs it. */
const AGENT = `
import { execSync } from 'node:child_process';
export async function agent(input) {
  if (/^\\d+$/.test(input)) await new Promise((resolve) => setTimeout(resolve, Number(input)));
  else execSync(input, { stdio: 'ignore', shell: '/bin/sh' });
  return { output: 'x'.repeat(2000) };
}`;

function project(inputs: readonly (string | number)[]): string {
  const tests = inputs.map(
    (input, index) =>
      `- id: t${index}\n  input: ${JSON.stringify(String(input))}\n  assert: {output.includes: x}\n`,
  );
  const created = createProject({ 'agent.mjs': AGENT, 'suite.test.yaml': tests.join('') });
  cleanUps.push(() => created.remove());
  return created.path;
}

const RUN = ['run', '--agent', './agent.mjs', '--reporter', 'json'];
const ASSAY = `"${process.execPath}" "${CLI}" ${RUN.join(' ')}`;

interface Report {
  readonly exit_code: number;
  readonly results: readonly { readonly test: string }[];
  readonly findings: readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
}

/** The failed recording is reported, and every result is shown. */
function expectNotRecorded(report: Report, message: RegExp): void {
  expect(report.exit_code).toBe(2);
  expect(report.findings).toEqual([
    expect.objectContaining({
      code: 'not_recorded',
      message: expect.stringMatching(message) as unknown,
      hint: expect.stringContaining('--resume') as unknown,
    }),
  ]);
}

/** A private file system that disappears when the script ends. */
const canMount = spawnSync('unshare', ['--mount', '--map-root-user', 'true']).status === 0;

function withMount(
  cwd: string,
  script: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['--mount', '--map-root-user', 'sh', '-c', script],
    { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', CI: '' } },
  );
  return { status, stdout, stderr };
}

describe.skipIf(!canMount)('a full disk', () => {
  test('in the middle of the journal: exit 2, every result is shown, and --resume finishes once there is space', () => {
    const cwd = project(Array.from({ length: 40 }, () => 15));
    const { status, stdout, stderr } = withMount(
      cwd,
      `mkdir .assay; mount -t tmpfs -o size=64k none .assay
       ${ASSAY} > first.json; echo $? > first; grep -c '"id"' .assay/runs/*/results.jsonl > kept
       mount -o remount,size=4m none .assay
       ${ASSAY} --resume > second.json; echo $? > second; grep -c '"id"' .assay/runs/*/results.jsonl`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const first = JSON.parse(readFileSync(join(cwd, 'first.json'), 'utf8')) as Report;
    expectNotRecorded(first, /results\.jsonl cannot be written: ENOSPC/);
    const kept = Number(readFileSync(join(cwd, 'kept'), 'utf8'));
    expect(kept).toBeGreaterThan(5);
    expect(kept).toBeLessThan(40);
    expect(first.results.length).toBeGreaterThanOrEqual(kept);
    expect(readFileSync(join(cwd, 'second'), 'utf8')).toBe('0\n');
    expect(Number(stdout)).toBe(40);
  });

  test('before run.json: exit 2 at once, no incomplete run is left, and --no-record still works', () => {
    const cwd = project([1]);
    const { stdout, stderr } = withMount(
      cwd,
      `mkdir .assay; mount -t tmpfs -o size=8k none .assay
       dd if=/dev/zero of=.assay/filler bs=4k count=2 2>/dev/null
       ${ASSAY}; echo "first $?"; ls .assay/runs; ${ASSAY} --no-record > /dev/null; echo "second $?"`,
    );
    expect(stdout).toContain('"run_stopped"');
    expect(stdout).toContain('first 2\nsecond 0');
    expect(stderr).toContain('ENOSPC');
    expect(stderr).toContain('--no-record');
    expect(stderr).not.toContain('defect');
  });

  test('at the summary: exit 2, every result is shown and recorded, and no incomplete summary is left', () => {
    // No file can be made any more, but those that are there can grow.
    const cwd = project([1, 'for i in $(seq 200); do touch .assay/filler$i; done; true', 1]);
    const { stdout } = withMount(
      cwd,
      `mkdir .assay; mount -t tmpfs -o size=1m,nr_inodes=60 none .assay
       ${ASSAY} > report.json; rm .assay/filler*; ls .assay/runs/*; ${ASSAY} --resume > resumed.json; echo "resumed $?"`,
    );
    const report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as Report;
    expectNotRecorded(report, /summary\.json cannot be written: ENOSPC/);
    expect(report.results).toHaveLength(3);
    expect(stdout).toBe('results.jsonl\nrun.json\nresumed 0\n');
  });

  test('read-only: exit 2 at once, and --no-record still works', () => {
    const cwd = project([1]);
    const { stdout, stderr } = withMount(
      cwd,
      `mkdir .assay; mount -t tmpfs -o ro none .assay
       ${ASSAY} > /dev/null; echo "first $?"; ${ASSAY} --no-record > /dev/null; echo "second $?"`,
    );
    expect(stdout).toBe('first 2\nsecond 0\n');
    expect(stderr).toContain('EROFS');
    expect(stderr).not.toContain('defect');
  });
});

test('an exhausted quota ends the run with exit 2, and the records so far are intact', () => {
  const cwd = project(Array.from({ length: 60 }, () => 15));
  // A limit on the size of files is what a quota looks like to a program.
  const { status, stdout } = spawnSync('bash', ['-c', `trap '' XFSZ; ulimit -f 40; exec ${ASSAY} | cat`], {
    cwd,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expectNotRecorded(JSON.parse(stdout) as Report, /results\.jsonl cannot be written: EFBIG/);
  expect(recordedTests(runFolders(cwd)[0]!).length).toBeGreaterThan(5);
});

describe('a folder that cannot be written', () => {
  test('because it is a file: exit 2 at once, and --no-record still works', async () => {
    const cwd = project([1]);
    writeFileSync(join(cwd, '.assay'), 'a file where the folder should be');
    const result = await startCli(RUN, { cwd });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('--no-record');
    expect((await startCli([...RUN, '--no-record'], { cwd })).exitCode).toBe(0);
  });

  test('because it belongs to another user: exit 2 at once', () => {
    const cwd = project([1]);
    mkdirSync(join(cwd, '.assay'));
    chmodSync(join(cwd, '.assay'), 0o500);
    chmodSync(cwd, 0o755);
    // To the superuser every folder can be written, so somebody else runs it.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(join(cwd, '.assay'), 65_534, 65_534);
    const identity = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    // Who may not go where this checkout is, as into /root.
    cpSync(dirname(CLI), join(cwd, 'dist'), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(cwd, 'dist', basename(CLI)), ...RUN], {
      cwd,
      encoding: 'utf8',
      ...identity,
    });
    expect(status).toBe(2);
    expect(stderr).toContain('EACCES');
    expect(stderr).toContain('--no-record');
  });
});

describe('during a run', () => {
  test.each([
    ['the journal is removed', 'rm .assay/runs/*/results.jsonl'],
    ['the journal is replaced', 'cd .assay/runs/*; cp results.jsonl copy; mv copy results.jsonl'],
    // Not by `rm -r` in place, which fails if a file comes to be meanwhile.
    ['the folder of the run vanishes', 'mv .assay/runs/* gone; rm -r gone'],
    ['all of .assay vanishes', 'mv .assay gone; rm -r gone'],
    ['.assay is moved away', 'mv .assay elsewhere'],
  ])('%s: exit 2, and all results are shown', async (_, script) => {
    const cwd = project([1, script, 1, 300, 1]);
    const { exitCode, stdout, stderr } = await startCli(RUN, { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as Report;
    expectNotRecorded(report, /results\.jsonl cannot be written: it was removed or replaced/);
    expect(report.results.map(({ test: id }) => id)).toContain('t1');
  });

  test('something is in the place of the summary: exit 2, every result is shown and recorded', async () => {
    const cwd = project([1, 'cd .assay/runs/*; mkdir -p summary.json/x', 1]);
    const { stdout } = await startCli(RUN, { cwd });
    const report = JSON.parse(stdout) as Report;
    expectNotRecorded(report, /summary\.json cannot be written/);
    const [run] = runFolders(cwd);
    expect(recordedTests(run!)).toEqual(['t0', 't1', 't2']);
    expect(readdirSync(run!).sort()).toEqual(['results.jsonl', 'run.json', 'summary.json']);
    rmSync(join(run!, 'summary.json'), { recursive: true });
    expect((await startCli([...RUN, '--resume'], { cwd })).exitCode).toBe(0);
  });
});

test('a journal of another version is not resumed: exit 2, and a hint', async () => {
  const cwd = project([1]);
  await startCli(RUN, { cwd });
  writeFileSync(join(runFolders(cwd)[0]!, 'results.jsonl'), '{"assay_journal":99,"run_id":"x"}\n');
  const { exitCode, stderr } = await startCli([...RUN, '--resume'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('journal of version 99');
  expect(stderr).toContain('use the version of Assay that wrote it');
});
