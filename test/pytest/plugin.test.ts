import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needProgram } from '../need-program.ts';
import { CLI, createProject, runCli } from '../project.ts';

const AGENT = `flips = 0

def agent(input_text, memory):
    global flips
    if input_text == "crash":
        raise RuntimeError("the database is down")
    if input_text == "flip":
        flips += 1
        return {"output": "heads" if flips % 2 else "tails", "tools_used": []}
    return {"output": "You said " + input_text, "tools_used": []}
`;

const SUITE = `- id: passes
  input: hello
  assert: { output.includes: hello }
- id: fails
  input: hello
  assert:
    output.includes: goodbye
- id: crashes
  input: crash
  assert: { output.includes: x }
- id: is skipped
  skip: not yet
  input: hello
  assert: { output.includes: hello }
- id: held
  input: flip
  repeats: 4
  pass_at_least: 2/4
  assert: { output.includes: heads }
- id: row-{{n}}
  input: number {{n}}
  each: [{ n: 1 }, { n: 2 }, { n: 3 }]
  assert: { output.includes: "number {{n}}" }
`;

const PYTEST = needProgram('pytest-3', 'python3-pytest');
const FLIPS = 'id: flips\ninput: flip\nrepeats: 4\npass_at_least: 1/4\nassert: { output.includes: heads }\n';
let project: ReturnType<typeof createProject>;

beforeAll(async () => {
  project = createProject({
    'agent.py': AGENT,
    'assay.config.yaml': 'agent: ./agent.py\n',
    'talk/talk.test.yaml': SUITE,
    'fine/fine.eval.yaml':
      'tests:\n  - id: fine\n    input: hello\n    assert: [{ type: contains, value: hello }]\n',
    'broken/broken.test.yaml': 'id: x\ninput: y\nassert: { output.inclods: z }\n',
    'broken/empty.test.yaml': '[]\n',
    'gate/gate.test.yaml': FLIPS,
    'names/package.json': '{}',
    'names/assay.config.yaml':
      'targets: [{ name: one, provider: mock, response: hello }, { name: two, provider: mock, response: ho }]\n',
    'names/names.test.yaml':
      "- { id: 'a::b c', targets: [one], input: hello, assert: { output.includes: hello } }\n- { id: 'a::d [x::y]', targets: [one, two], input: hello, assert: { output.includes: bye } }\n",
    'gate/test_python.py': 'def test_python():\n    assert True\n',
  });
  const { exitCode, stdout } = await runCli(['init', '--pytest'], { cwd: project.path });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Wrote assay_pytest.py\nWrote conftest.py\n' });
});
afterAll(() => project.remove());

async function pytest(...args: string[]): Promise<{
  readonly exitCode: number | null;
  readonly output: string;
  readonly newRuns: readonly string[];
}> {
  const before = runs();
  const ended = await pytestIn(project.path, ...args);
  return { ...ended, newRuns: runs().filter((name) => !before.includes(name)) };
}

async function pytestIn(
  cwd: string,
  ...args: string[]
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const child = spawn(PYTEST, ['-p', 'no:cacheprovider', '-c', '/dev/null', '--rootdir', '.', ...args], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ASSAY_COMMAND: `'${process.execPath}' '${CLI}'`,
      PYTHONDONTWRITEBYTECODE: '1',
      CI: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, output };
}

function runs(): readonly string[] {
  try {
    return readdirSync(join(project.path, '.assay', 'runs')).sort();
  } catch {
    return [];
  }
}

function attempts(run: string): number {
  const path = join(project.path, '.assay', 'runs', run, 'summary.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { summary: { attempts: number } }).summary.attempts;
}

test('each test is an item with the verdict of `assay run`, all in one run', async () => {
  const { exitCode, output, newRuns } = await pytest('talk', 'fine', '-rA');
  expect(exitCode).toBe(1);
  expect(output).toContain('2 failed, 6 passed, 1 skipped');
  for (const name of ['passes', 'held', 'row-1', 'row-2', 'row-3'])
    expect(output).toContain(`PASSED talk/talk.test.yaml::${name}`);
  expect(output).toContain('PASSED fine/fine.eval.yaml::fine');
  expect(output).toMatch(/SKIPPED .*not yet/);
  expect(output).toContain(
    'FAILED talk/talk.test.yaml::fails - failed: talk/talk.test.yaml:7: output.includes:',
  );
  expect(output).toMatch(/FAILED talk\/talk\.test\.yaml::crashes - could not be measured \(agent\)/);
  expect(output).toContain('  - expected  "goodbye"\n  + actual    "You said hello"');
  expect(output).toMatch(/^\S*talk\/talk\.test\.yaml:7: AssayFailure$/m);
  expect(output).toContain('the database is down');
  expect(newRuns).toHaveLength(1);
});

test('-k, node ids and -x select and stop as in pytest', async () => {
  const some = await pytest('talk', '-k', 'passes or row-2', '-v');
  expect(some.exitCode).toBe(0);
  expect(some.output).toContain('2 passed, 6 deselected');
  expect(some.newRuns.map(attempts)).toEqual([2]);
  const one = await pytest('talk/talk.test.yaml::held');
  expect(one.exitCode).toBe(0);
  expect(one.newRuns.map(attempts)).toEqual([4]);
  const first = await pytest('talk', '-x');
  expect(first.exitCode).toBe(1);
  expect(first.output).toContain('stopping after 1 failures');
  const none = await pytest('talk', '-k', 'nosuchtest');
  expect(none.exitCode).toBe(5);
  expect(none.newRuns).toEqual([]);
});

test('names with :: are found by the ids that pytest prints, and a failure says with which target', async () => {
  const one = await pytest('names/names.test.yaml::a::b c');
  expect([one.exitCode, one.newRuns.map(attempts)], one.output).toEqual([0, [1]]);
  const other = await pytest('names/names.test.yaml::a::d [x::y]');
  expect([other.exitCode, other.newRuns.map(attempts)], other.output).toEqual([1, [2]]);
  expect(other.output).toContain('FAILED names/names.test.yaml::a::d [x::y] - [one] failed');
});

test('broken and empty files are errors, and so is a broken gate of the run', async () => {
  const { exitCode, output } = await pytest('broken');
  expect(exitCode).toBe(2);
  expect(output).toMatch(/broken\/broken\.test\.yaml:3: unknown_assertion: .*output\.inclods/);
  expect(output).toMatch(/empty\.test\.yaml/);
  expect(output).toContain('2 errors');
  writeFileSync(
    join(project.path, 'gate', 'assay.config.yaml'),
    'agent: ../agent.py\nworkers: 1\ngates: { min_pass_rate: 0.9 }\n',
  );
  const gate = await pytest('gate');
  expect(gate.output).toContain('2 passed');
  expect(gate.output).toMatch(/Assay ended with exit code 1[^]*at least 90% required/);
  expect(gate.exitCode).toBe(1);
});

const PRINTED = `def agent(input_text, memory):
    print("looked up " + input_text)
    return {"output": "You said " + input_text, "tools_used": []}
`;

const CONFTEST = `import pytest
pytest_plugins = ["assay_pytest"]

@pytest.fixture(autouse=True)
def limit(assay_record, assay_records, request):
    if assay_record is None:
        return
    print("fixture got", assay_record["test"], assay_record["verdict"], len(assay_records))
    assert assay_record["test"] != "slow"

def pytest_assay_result(item, verdict, records):
    print("hook got", item.name, verdict, len(records))
`;

const TAGGED = `- { id: good, tags: [smoke, "area:billing"], input: hello, assert: { output.includes: hello } }
- { id: bad, tags: [smoke, skip, xfail], input: hello, assert: { output.includes: bye } }
- { id: slow, tags: [slow-ones], input: hello, assert: { output.includes: hello } }
`;

test('tags are markers, what the agent printed is in the report, and fixtures get the record', async () => {
  const own = createProject({
    'agent.py': PRINTED,
    'assay.config.yaml': 'agent: ./agent.py\n',
    'conftest.py': CONFTEST,
    'a.test.yaml': TAGGED,
    'test_python.py': 'def test_python(assay_record):\n    assert assay_record is None\n',
  });
  await runCli(['init', '--pytest'], { cwd: own.path });
  const smoke = await pytestIn(own.path, '-m', 'smoke and not area_billing', '--strict-markers');
  expect(smoke.output).toContain('1 failed, 3 deselected');
  expect(smoke.output).not.toContain('warning');
  expect(smoke.output).toMatch(/Captured stdout setup -+\nfixture got bad failed 1/);
  expect(smoke.output).toMatch(/Captured stdout call -+\nhook got bad failed 1\n|looked up hello/);
  expect(smoke.output).toContain('looked up hello');
  const all = await pytestIn(own.path, '-rA');
  expect(all.output).toContain('1 failed, 2 passed, 1 error');
  expect(all.output).toContain('hook got good passed 1');
  const slow = await pytestIn(own.path, '-m', 'slow-ones', '--strict-markers', '-W', 'error');
  expect(slow.output).toContain('3 deselected, 1 error');
  own.remove();
});

test('files that somebody changed are not overwritten', async () => {
  const own = createProject({ 'conftest.py': 'import os\n' });
  const first = await runCli(['init', '--pytest'], { cwd: own.path });
  expect(first.stdout).toContain(
    'Kept conftest.py, which is yours: add this line to it: pytest_plugins = ["assay_pytest"]',
  );
  expect(readFileSync(join(own.path, 'conftest.py'), 'utf8')).toBe('import os\n');
  writeFileSync(join(own.path, 'assay_pytest.py'), '# mine\n');
  const second = await runCli(['init', '--pytest'], { cwd: own.path });
  expect(second.exitCode).toBe(0);
  expect(second.stdout).toContain('Kept assay_pytest.py, which is yours: remove it first');
  expect(readFileSync(join(own.path, 'assay_pytest.py'), 'utf8')).toBe('# mine\n');
  own.remove();
});
