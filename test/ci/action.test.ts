import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CLI, createProject } from '../project.ts';

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly shell: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
  readonly 'working-directory': string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const text = readFileSync(fileURLToPath(new URL('../../action.yml', import.meta.url)), 'utf8');
const action = parse(text) as Action;

let project: ReturnType<typeof createProject>;
const FOLDER = 'my project';

beforeAll(() => {
  project = createProject({
    [`${FOLDER}/package.json`]: '{}',
    [`${FOLDER}/agent.mjs`]: `export const agent = (input) => ({ output: 'You said ' + input, tools_used: [] });\n`,
    [`${FOLDER}/assay.config.yaml`]: 'agent: ./agent.mjs\n',
    [`${FOLDER}/tests and more/a b.test.yaml`]:
      'id: greets\ninput: hello\nassert: { output.includes: hello }\n',
    [`${FOLDER}/tests and more/c.test.yaml`]:
      'id: fails\ninput: hello\nassert: { output.includes: goodbye }\n',
  });
  const bin = join(project.path, FOLDER, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(CLI, join(bin, 'assay'));
  // Starts what is installed as npx does, without the second that npm takes to start.
  writeFileSync(
    join(bin, 'npx'),
    '#!/bin/sh\n[ "$1" = --no-install ] || exit 99\nshift\nname="$1"\nshift\nexec "node_modules/.bin/$name" "$@"\n',
  );
  writeFileSync(
    join(bin, 'gh'),
    `#!/bin/sh
[ ! -e gh-refuses ] || exit 1
printf "%s\\n" "$@" > gh-arguments
case "$*" in *--jq*) cat gh-comments 2>/dev/null; exit 0 ;; esac
while [ $# -gt 0 ]; do
  [ "$1" = --body-file ] && cat "$2" > gh-body
  case "$1" in body=@*) cat "\${1#body=@}" > gh-body ;; esac
  shift
done
`,
  );
  for (const name of ['npx', 'gh']) chmodSync(join(bin, name), 0o755);
});
afterAll(() => project.remove());

interface StepResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly outputs: string;
  readonly summary: string;
}

/** As GitHub runs a step with `shell: bash`, with expressions filled in. */
function runStep(
  step: Step,
  given: Readonly<Record<string, string>>,
  { number = '7', exitCode = 1 } = {},
): StepResult {
  const fill = (value: string): string =>
    value
      .replaceAll(
        /\$\{\{ inputs\.([\w-]+) \}\}/g,
        (_, name: string) => given[name] ?? action.inputs[name]!.default,
      )
      .replace('${{ github.token }}', 'token')
      .replace('${{ steps.run.outputs.exit-code }}', String(exitCode))
      .replace('${{ steps.run.outputs.baseline }}', given['baseline'] ?? '')
      .replace('${{ github.event.pull_request.number }}', number);
  const cwd = join(project.path, FOLDER);
  const files = {
    GITHUB_OUTPUT: join(project.path, 'output'),
    GITHUB_STEP_SUMMARY: join(project.path, 'summary.md'),
  };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const script = join(project.path, 'step.sh');
  writeFileSync(script, step.run);
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd: join(cwd, fill(step['working-directory'])),
    env: {
      PATH: `${join(cwd, 'node_modules', '.bin')}:${process.env['PATH']}`,
      HOME: project.path,
      GITHUB_ACTIONS: 'true',
      CI: 'true',
      GITHUB_WORKSPACE: project.path,
      GITHUB_WORKFLOW: 'My flow -->',
      GITHUB_JOB: 'test',
      GITHUB_REPOSITORY: 'o/r',
      ASSAY_AGENT: 'false',
      ...files,
      ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value)])),
    },
    encoding: 'utf8',
  });
  return {
    exitCode: status,
    output: stdout + stderr,
    outputs: readFileSync(files.GITHUB_OUTPUT, 'utf8'),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
  };
}

const [run, comment] = action.runs.steps as [Step, Step];

test('the action is composite, and its shell steps see inputs only as variables', () => {
  expect(action.runs.using).toBe('composite');
  for (const step of action.runs.steps) {
    expect(step.shell).toBe('bash');
    expect(step.run).not.toContain('${{');
  }
  const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name!);
  expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
  for (const { description } of Object.values(action.inputs)) expect(description).not.toBe('');
});

test("the action runs paths with spaces, annotates, writes the summary, and ends with Assay's exit code", () => {
  const fine = runStep(run, { paths: 'tests and more/a b.test.yaml\n', junit: 'out put/junit.xml' });
  expect(fine).toMatchObject({ exitCode: 0, outputs: 'baseline=\nexit-code=0\n' });
  expect(fine.summary).toContain('## Assay: ✅ 1 of 1 passed');
  expect(existsSync(join(project.path, FOLDER, 'out put', 'junit.xml'))).toBe(true);
  const bad = runStep(run, {
    paths: '  tests and more/a b.test.yaml\r\n\ttests and more/c.test.yaml  ',
    args: '  --repeats=2\n\n',
  });
  expect(bad.summary).toContain('4 attempts');
  expect(bad).toMatchObject({ exitCode: 1, outputs: 'baseline=\nexit-code=1\n' });
  expect(bad.output).toMatch(/^::error file=my project\/tests and more\/c\.test\.yaml,line=3/m);
});

test('the summary has the comparison with the baseline, and a regression fails the step', () => {
  const base = { paths: 'tests and more/c.test.yaml' };
  const agent = join(project.path, FOLDER, 'polite.mjs');
  writeFileSync(agent, `export const agent = () => ({ output: 'goodbye', tools_used: [] });\n`);
  expect(runStep(run, { ...base, agent: './polite.mjs' }).exitCode).toBe(0);
  const update = spawnSync(process.execPath, [CLI, 'baseline', 'update'], {
    cwd: join(project.path, FOLDER),
  });
  expect(update.status).toBe(0);
  const worse = runStep(run, { ...base, baseline: 'assay-baseline.json', 'fail-on': 'new-failure' });
  expect(worse.exitCode).toBe(1);
  expect(worse.summary).toMatch(/### Compared with the baseline[^]*new failure/);
  const posted = runStep(comment, { comment: 'true', baseline: 'assay-baseline.json' });
  expect(posted.exitCode).toBe(0);
  const file = (name: string): string => join(project.path, FOLDER, name);
  expect(readFileSync(file('gh-arguments'), 'utf8')).toMatch(/^pr\ncomment\n7\n--body-file\n/);
  expect(readFileSync(file('gh-body'), 'utf8')).toMatch(
    /^<!-- assay My_flow_+test -->\n## Assay: [^]*Compared with the baseline/,
  );
  // This job's comment is written again, and no other.
  writeFileSync(file('gh-comments'), '11\n12\n');
  expect(runStep(comment, { comment: 'true' }).exitCode).toBe(0);
  expect(readFileSync(file('gh-arguments'), 'utf8')).toMatch(
    /^api\n--method\nPATCH\nrepos\/o\/r\/issues\/comments\/12\n/,
  );
  expect(readFileSync(file('gh-body'), 'utf8')).not.toContain('Compared with the baseline');
  rmSync(file('gh-comments'));
  // A pull request from a fork may not be commented on: the results count all the same.
  writeFileSync(file('gh-refuses'), '');
  const refused = runStep(comment, { comment: 'true' });
  expect(refused).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('::warning title=Assay::') as string,
  });
  rmSync(file('gh-refuses'));
});

test('the text of an input is never executed', () => {
  const evil = [
    '"; touch pwned #',
    '$(touch pwned)',
    '`touch pwned`',
    "'; touch pwned; '",
    '*\n;touch pwned',
  ];
  for (const name of Object.keys(action.inputs).filter((input) => input !== 'working-directory')) {
    const { exitCode } = runStep(run, { paths: 'tests and more/a b.test.yaml', [name]: evil.join('') });
    if (!['comment', 'junit'].includes(name)) expect(exitCode, name).not.toBe(0);
  }
  runStep(comment, { comment: 'true', baseline: evil[0]! }, { number: '7; touch pwned' });
  for (const folder of [project.path, join(project.path, FOLDER)])
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  // A path is never an option.
  const option = runStep(run, { paths: '--pass-with-no-tests' });
  expect(option.exitCode).toBe(2);
});

test("a run that cannot start fails the step, and no other run's results are compared or posted", () => {
  const body = join(project.path, FOLDER, 'gh-body');
  // There is an older run, and it is green.
  expect(runStep(run, { paths: 'tests and more/a b.test.yaml' }).exitCode).toBe(0);
  const lost = runStep(run, { paths: 'tests and more/a b.test.yaml', baseline: 'no such baseline.json' });
  expect(lost).toMatchObject({ exitCode: 2, outputs: 'baseline=no such baseline.json\nexit-code=2\n' });
  expect(lost.summary).not.toContain('Compared with the baseline');
  const posted = runStep(comment, { comment: 'true', baseline: 'no such baseline.json' }, { exitCode: 2 });
  expect(posted.exitCode).toBe(0);
  expect(readFileSync(body, 'utf8').replace(/^<!-- .*\n/, '')).toBe(
    '## Assay: ❌ tests did not run\n\nThe log of the job says which and why.\n',
  );
});
