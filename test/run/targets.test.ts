import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

interface Report {
  readonly exit_code: number;
  readonly results: readonly {
    test: string;
    target: string;
    repeat: number;
    verdict: string;
    score?: number;
    error?: { kind: string; message: string };
    steps: { output?: string; tools_used?: string[] }[];
  }[];
}

async function assay(
  files: Record<string, string>,
  args: readonly string[] = [],
  env: Record<string, string> = {},
) {
  const project = createProject(files);
  cleanUps.push(() => project.remove());
  const result = await runCli(['run', '--reporter', 'json', ...args], { cwd: project.path, env });
  const report = result.stdout === '' ? undefined : (JSON.parse(result.stdout) as Report);
  return { ...result, report: report!, path: project.path };
}

/** What a batch noted of its calls: parallel ones come in any order. */
function readCalls(path: string): readonly string[] {
  const calls = readFileSync(join(path, 'calls.log'), 'utf8').trim().split('\n');
  return calls.toSorted((a, b) => Number(a) - Number(b));
}

/** An eval case that checks what was answered. */
function evalCase(id: string, input: string, value: string, target?: string): string {
  const execution = target === undefined ? '' : `\n    execution: { target: ${target} }`;
  return `  - id: ${id}\n    input: ${JSON.stringify(input)}${execution}\n    evaluators: [{ type: equals, value: ${JSON.stringify(value)} }]\n`;
}

test('a mock may answer with numbers beyond 2^53', async () => {
  const { exitCode, stdout } = await assay({
    'assay.config.yaml':
      'targets: [{ name: m, provider: mock, replies: [{ output: x, memory: { n: 12345678901234567890 } }] }]\n',
    'a.test.yaml': 'input: a\nassert: { memory.n: 12345678901234567890 }\n',
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('12345678901234567890');
});

test.each(['assay.config.yaml', 'targets.yaml', '.agentv/targets.yaml', 'assay.config.mjs'])(
  'two targets with one name in %s are an error where they are used',
  async (name) => {
    const targets = [
      { name: 'twice', provider: 'mock', response: 'one' },
      { name: 'once', provider: 'mock', response: 'one' },
      { name: 'judge', provider: 'mock', response: '{"score": 1, "reasoning": ""}' },
      { name: 'twice', provider: 'mock', response: 'two' },
      { name: 'judge', provider: 'mock', response: '{"score": 0, "reasoning": ""}' },
    ];
    const config = JSON.stringify({ judge: 'judge', targets }, null, 1);
    const judged = '  - { id: judged, input: a, expected_outcome: b, execution: { target: once } }\n';
    const cases = evalCase('used', 'a', 'one', 'twice') + evalCase('other', 'a', 'one', 'once');
    const files = {
      [name]: name.endsWith('.mjs') ? `export default ${config};` : config,
      'a.eval.yaml': `evalcases:\n${cases}${judged}`,
    };
    const { report, path, exitCode } = await assay(files);
    expect(report.results.map(({ test: id, verdict }) => [id, verdict])).toEqual([
      ['used', 'error'],
      ['other', 'passed'],
      ['judged', 'error'],
    ]);
    expect(report.results[0]!.error!.message).toContain('"twice" is already the name of `targets[0]`');
    expect(JSON.stringify(report.results[2])).toContain('two targets are named \\"judge\\"');
    expect(exitCode).toBe(3);
    if (name.endsWith('.mjs')) return;
    const { stdout } = await runCli(['validate', '--json', '.'], { cwd: path });
    const { findings } = JSON.parse(stdout) as { findings: { code: string; file: string; line: number }[] };
    const found = findings.filter(({ code }) => code === 'duplicate_target');
    const lines = config
      .split('\n')
      .flatMap((line, index) => (/"name": "(?:twice|judge)"/.test(line) ? [index + 1] : []));
    expect(found.map(({ file, line }) => [file, line])).toEqual(lines.slice(2).map((line) => [name, line]));
  },
);

test('`agent` is a target named `default`', async () => {
  const { exitCode, stderr } = await assay({
    'assay.config.yaml': 'agent: ./agent.mjs\ntargets: [{ name: default, provider: mock, response: one }]\n',
    'agent.mjs': 'export const agent = () => "two";\n',
    'a.eval.yaml': `evalcases:\n${evalCase('a', 'a', 'two')}`,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('"default" is already the name of `agent`');
});

describe('command templates', () => {
  test('values are quoted for the shell, and the answer is read from {OUTPUT_FILE}', async () => {
    const nasty = `it's "me" $HOME \`id\` {EVAL_ID} \\ ü😀`;
    const { report } = await assay({
      'assay.config.yaml':
        'targets:\n  - name: default\n    provider: cli\n    command_template: "printf %s {PROMPT} > {OUTPUT_FILE}; echo noise"\n',
      'a.eval.yaml': `evalcases:\n${evalCase('a', nasty, nasty)}`,
    });
    expect(report.results).toMatchObject([{ verdict: 'passed', steps: [{ output: nasty }] }]);
  });

  test('without {OUTPUT_FILE} the answer is the printed output, as JSON or text', async () => {
    const reply = JSON.stringify({
      text: 'four',
      output_messages: [{ role: 'assistant', tool_calls: [{ tool: 'calc' }] }],
    });
    const { report } = await assay({
      'targets.yaml': `targets:\n  - name: text\n    provider: cli\n    command_template: "echo {EVAL_ID}"\n  - name: json\n    provider: cli\n    command_template: ${JSON.stringify(`echo '${reply}'`)}\n`,
      'a.eval.yaml': `evalcases:\n${evalCase('one', 'x', 'one', 'text')}${evalCase('two', 'x', 'four', 'json')}`,
    });
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
    expect(report.results.find(({ test: id }) => id === 'two')!.steps[0]!.tools_used).toEqual(['calc']);
  });

  test("commands run in the suite's folder, where relative paths are resolved", async () => {
    const { report } = await assay({
      '.agentv/targets.yaml':
        'targets:\n  - name: only\n    provider: cli\n    command_template: "cat answer.txt"\n',
      'evals/answer.txt': 'from the folder',
      'evals/a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'from the folder')}`,
    });
    expect(report.results).toMatchObject([{ verdict: 'passed', target: 'only' }]);
  });

  test('an empty {OUTPUT_FILE}, a failing command and a slow one are errors of their test', async () => {
    const target = (name: string, template: string) =>
      `  - name: ${name}\n    provider: cli\n    command_template: ${JSON.stringify(template)}\n    timeout_seconds: 0.5\n`;
    const { report, exitCode } = await assay({
      'targets.yaml': `targets:\n${target('nothing', ': {OUTPUT_FILE}')}${target('fails', 'echo broken >&2; exit 7')}${target('slow', 'sleep 30')}`,
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'x', 'nothing')}${evalCase('b', 'x', 'x', 'fails')}${evalCase('c', 'x', 'x', 'slow')}`,
    });
    expect(exitCode).toBe(3);
    expect(report.results.map(({ test: id, error }) => [id, error!.kind])).toEqual(
      expect.arrayContaining([
        ['a', 'contract'],
        ['b', 'agent'],
        ['c', 'timeout'],
      ]),
    );
    expect(report.results.find(({ test: id }) => id === 'b')!.error!.message).toContain('broken');
    expect(report.results.find(({ test: id }) => id === 'c')!.error!.message).toContain('longer than 0.5 s');
  });
});

test('{FILES} names a file where the loader found it, also further up', async () => {
  const { report } = await assay({
    'policy.md': 'be kind',
    'targets.yaml': 'targets:\n  - {name: default, provider: cli, command_template: "cat {FILES}"}\n',
    'sub/deep/a.eval.yaml':
      'evalcases:\n  - id: a\n    input: [{role: user, content: [{type: file, value: policy.md}]}]\n    evaluators: [{type: equals, value: be kind}]\n',
  });
  expect(report.results).toMatchObject([{ verdict: 'passed' }]);
});

test('a health check that fails once is retried', async () => {
  const { report } = await assay({
    'targets.yaml':
      'targets:\n  - {name: default, provider: cli, command_template: "echo hi", healthcheck: {command: "test -f up || { touch up; exit 1; }"}}\n',
    'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'hi')}`,
  });
  expect(report.results).toMatchObject([{ verdict: 'passed', retries: 1 }]);
});

describe('batches', () => {
  const BATCH =
    "import { readFileSync, writeFileSync, appendFileSync } from 'node:fs';\nappendFileSync('calls.log', 'called\\n');\nconst lines = ['one', 'two'].map((id) => JSON.stringify({ id, text: 'answer ' + id }));\nwriteFileSync(process.argv[2], lines.join('\\n') + '\\n');\n";

  test('one call answers every test, by id; a test without a line is an error', async () => {
    const { report } = await assay({
      'batch.mjs': BATCH,
      'targets.yaml':
        'targets:\n  - name: batch\n    provider: cli\n    provider_batching: true\n    command_template: "node batch.mjs {OUTPUT_FILE}"\n',
      'a.eval.yaml': `evalcases:\n${evalCase('two', 'x', 'answer two')}${evalCase('one', 'x', 'answer one')}${evalCase('three', 'x', 'answer three')}  - id: calls\n    input: x\n    evaluators: [{ type: contains, value: x }]\n`,
    });
    const verdicts = Object.fromEntries(report.results.map(({ test: id, verdict }) => [id, verdict]));
    expect(verdicts).toEqual({ one: 'passed', two: 'passed', three: 'error', calls: 'error' });
    expect(report.results.find(({ test: id }) => id === 'three')!.error!.message).toContain('three');
  });

  const target = (line: string): string =>
    `targets:\n  - {name: batch, provider: cli, provider_batching: true, command_template: ${JSON.stringify(line)}}\n`;
  // Right in the first call only: one answer that is counted again and again would never be wrong.
  const FICKLE = `import { appendFileSync, writeFileSync } from 'node:fs';
const [, , attempt, file] = process.argv;
appendFileSync('calls.log', attempt + '\\n');
const text = attempt === '0' ? 'right' : 'wrong';
writeFileSync(file, ['one', 'two'].map((id) => JSON.stringify({ id, text }) + '\\n').join(''));`;
  const fickle = {
    'batch.mjs': FICKLE,
    'targets.yaml': target('node batch.mjs {ATTEMPT} {OUTPUT_FILE}'),
    'a.eval.yaml': `evalcases:\n${evalCase('one', 'x', 'right')}${evalCase('two', 'x', 'right')}`,
  };

  test('each repeat is a call of its own, for all tests of the suite', async () => {
    const { report, path } = await assay(fickle, ['--repeats', '4']);
    const passed = report.results.filter(({ verdict }) => verdict === 'passed');
    expect(passed.map(({ test: id, repeat }) => `${id} ${repeat}`).toSorted()).toEqual(['one 1', 'two 1']);
    expect(report.results.length).toBe(8);
    expect(readCalls(path)).toEqual(['0', '1', '2', '3']);
  });

  test('adaptive repeats are calls of their own too', async () => {
    const { report, path, exitCode } = await assay(fickle, ['--repeats', 'auto', '--min-pass-rate', '0.8']);
    expect(exitCode).toBe(1);
    const made = Math.max(...report.results.map(({ repeat }) => repeat));
    expect(made).toBeGreaterThan(2);
    expect(readCalls(path)).toEqual(Array.from({ length: made }, (_, index) => String(index)));
  });

  test('a call that takes too long answers no test, not even one that starts to wait later', async () => {
    const ids = ['one', 'two', 'three', 'four', 'five'];
    const lines = ids.map((id) => JSON.stringify({ id, text: 'x' })).join('\n');
    const { report } = await assay(
      {
        'lines.jsonl.txt': lines,
        'targets.yaml': target('sleep 1; cp lines.jsonl.txt {OUTPUT_FILE}'),
        'a.eval.yaml': `evalcases:\n${ids.map((id) => evalCase(id, 'x', 'x')).join('')}`,
      },
      ['--timeout', '600ms', '--workers', '2'],
    );
    expect(report.results.map(({ error }) => error?.kind)).toEqual(ids.map(() => 'timeout'));
  });

  test('the time of an answer is the time of the call, also for tests that did not wait', async () => {
    const { report } = await assay(
      {
        'lines.txt': '{"id":"one","text":"x"}\n{"id":"two","text":"x"}',
        'targets.yaml': target('sleep 0.3; cp lines.txt {OUTPUT_FILE}'),
        'a.eval.yaml':
          'evalcases:\n  - {id: one, input: x, evaluators: [{type: latency, threshold: 200}]}\n  - {id: two, input: x, evaluators: [{type: latency, threshold: 200}]}\n',
      },
      ['--workers', '1'],
    );
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['failed', 'failed']);
  });

  test('a second step has no answer', async () => {
    const { report } = await assay({
      'targets.yaml': target(`echo '{"id":"a","text":"x"}' > {OUTPUT_FILE}`),
      'a.eval.yaml':
        'evalcases:\n  - id: a\n    steps:\n      - {input: one, assert: {output.equals: x}}\n      - {input: two, assert: {output.equals: x}}\n',
    });
    expect(report.results).toMatchObject([{ verdict: 'error', error: { kind: 'contract' } }]);
    expect(report.results[0]!.error!.message).toContain('this is step 2');
  });

  test('lines that are not JSON, have no id, or repeat one are errors, never a pass', async () => {
    for (const line of [
      'not json',
      '{"text":"x"}',
      String.raw`{"id":"a","text":"x"}\n{"id":"a","text":"y"}`,
      '{"id":"a"}',
      '{"id":"a","error":"x"}',
      String.raw`{"id":"a","text":"x"}\n{"id":"b","te`,
    ]) {
      const { report } = await assay({
        'targets.yaml': `targets:\n  - name: batch\n    provider: cli\n    provider_batching: true\n    command_template: ${JSON.stringify(`printf '${line}' > {OUTPUT_FILE}`)}\n`,
        'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'x')}`,
      });
      expect(report.results).toMatchObject([{ verdict: 'error', error: { kind: 'contract' } }]);
    }
  });

  test('an unknown id, or an error next to an answer, is a warning', async () => {
    const lines = [
      '{"id":"a","text":"x"}',
      '{"id":"typo","text":"x"}',
      '{"id":"b","text":"x","error":"half of it"}',
      '{"id":"not chosen","text":"x"}',
      '{"id":"it\\u0027s \\"c\\"","text":"x"}',
    ];
    const { report, exitCode } = await assay(
      {
        'lines.txt': lines.join('\n'),
        'targets.yaml': target('cp lines.txt {OUTPUT_FILE}'),
        'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'x')}${evalCase('b', 'x', 'x')}${evalCase('"not chosen"', 'x', 'x')}${evalCase(`'it''s "c"'`, 'x', 'x')}`,
      },
      ['--grep', '^(?!not)', '--workers', '1'],
    );
    expect(exitCode).toBe(0);
    expect(report.results).toMatchObject([
      {
        test: 'a',
        findings: [{ code: 'unknown_batch_id', message: expect.stringMatching(/: "typo"$/) as unknown }],
      },
      { test: 'b', findings: [{ code: 'error_in_reply' }] },
      { test: `it's "c"`, verdict: 'passed' },
    ]);
  });

  test('other lines are kept as output, with a warning', async () => {
    const line = String.raw`loading\n{"id":"a","text":"x"}\nbye\n`;
    const { report } = await assay({
      'targets.yaml': `targets:\n  - name: batch\n    provider: cli\n    provider_batching: true\n    command_template: ${JSON.stringify(`printf '${line}'`)}\n`,
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'x')}`,
    });
    expect(report.results).toMatchObject([
      { verdict: 'passed', steps: [{ printed: 'loading\nbye\n' }], findings: [{ code: 'mixed_output' }] },
    ]);
  });
});

describe('targets', () => {
  test('a failing health check is an error of every test, and no command runs', async () => {
    const { report } = await assay(
      {
        'targets.yaml':
          'targets:\n  - name: sick\n    provider: cli\n    command_template: "touch ran; echo x"\n    healthcheck: { type: command, command: "echo no database >&2; exit 1" }\n',
        'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'x')}`,
      },
      ['--retry', '0'],
    );
    expect(report.results).toMatchObject([{ verdict: 'error', error: { kind: 'infrastructure' } }]);
    expect(report.results[0]!.error!.message).toContain('no database');
  });

  test('a mock answers with its response, or with its replies in turn', async () => {
    const { report } = await assay({
      'assay.config.yaml':
        'targets:\n  - { name: fixed, provider: mock, response: hello }\n  - { name: script, provider: mock, replies: [one, { output: two, memory: { n: 2 } }] }\n',
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'hello', 'fixed')}  - id: turns\n    execution: { target: script }\n    steps:\n      - { input: first, assert: { output.equals: one } }\n      - { input: second, assert: { output.equals: two, memory.n: 2 } }\n`,
    });
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  });

  test('a config may be JSON, with mistakes reported at their place', async () => {
    const files = { 'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'hello')}` };
    const config = (text: string) => ({ ...files, 'assay.config.json': text });
    const good = await assay(config('{"targets": [{"name": "m", "provider": "mock", "response": "hello"}]}'));
    expect(good.report.results).toMatchObject([{ verdict: 'passed', target: 'm' }]);
    const bad = await assay(config('{\n  "target": []\n}'));
    expect(bad.exitCode).toBe(2);
    expect(bad.stderr).toContain('assay.config.json:2:3');
  });

  test('variables come from the environment and from .env, which overrides nothing; an unset one matters only if used', async () => {
    const files = {
      '.env': 'FROM_FILE="file value"\nBOTH=file\n',
      'targets.yaml':
        'targets:\n  - { name: default, provider: mock, response: "${{ FROM_FILE }} ${{ BOTH }}" }\n  - { name: unused, provider: openai, model: "${{ NOT_SET }}", api_key: "${{ NOT_SET }}" }\n  - { name: foreign, provider: vscode }\n',
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'file value env')}`,
    };
    expect((await assay(files, [], { BOTH: 'env' })).report.results).toMatchObject([{ verdict: 'passed' }]);
    const used = await assay(files, ['--target', 'foreign']);
    expect(used).toMatchObject({ exitCode: 2 });
    expect(used.stderr).toContain('unknown provider "vscode"');
  });

  test('the agent is chosen by --agent, --target, the case, the file, `default`, or as the only one', async () => {
    const files = {
      'agent.mjs': "export const agent = () => 'agent';",
      'targets.yaml': ['default', 'file', 'case', 'flag'].reduce(
        (yaml, name) => `${yaml}  - { name: ${name}, provider: mock, response: ${name} }\n`,
        'targets:\n',
      ),
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'x', 'default')}`,
      'b.eval.yaml': `target: file\nevalcases:\n${evalCase('b', 'x', 'file')}${evalCase('c', 'x', 'case', 'case')}`,
    };
    expect((await assay(files)).report.results.map(({ verdict, target }) => [verdict, target])).toEqual([
      ['passed', 'default'],
      ['passed', 'file'],
      ['passed', 'case'],
    ]);
    expect((await assay(files, ['--target', 'flag'])).report.results.map(({ target }) => target)).toEqual([
      'flag',
      'flag',
      'flag',
    ]);
    expect(
      (await assay(files, ['--target', 'flag', '--agent', './agent.mjs'])).report.results.map(
        ({ target }) => target,
      ),
    ).toEqual(['./agent.mjs', './agent.mjs', './agent.mjs']);
  });
});

describe('fails closed', () => {
  const run = (evaluators: string) =>
    assay(
      {
        'targets.yaml': 'targets:\n  - { name: default, provider: mock, response: "99 problems" }\n',
        'judge.sh': 'printf \'{"score": 1\'',
        'a.eval.yaml': `evalcases:\n  - id: a\n    input: x\n    expected_outcome: G\n    evaluators: ${evaluators}\n`,
      },
      ['--allow-scripts'],
    );

  test.each([
    ['a value of the wrong type', '[{ type: contains, value: 99 }]', 2],
    ['a shorthand that does not exist', '[{ contains: 99 }]', 2],
    ['an unknown key', '[{ type: latency, max_ms: 1 }]', 2],
    ['a misspelled type', '[{ type: contians, value: "99" }]', 2],
    ['every evaluator invalid', '[{ type: nope }, { type: regex, value: "(" }]', 2],
    ['half a JSON object from a script', '[{ type: code_judge, script: [sh, judge.sh] }]', 3],
    ['a missing script', '[{ type: code_judge, script: [./not-there] }]', 3],
    ['no evaluator and no judge', '[]', 3],
    ['no trace', '[{ type: tool_trajectory, mode: exact, expected: [] }]', 3],
    ['unknown cost', '[{ type: cost, budget: 1 }]', 3],
  ])('%s is never a pass', async (_what, evaluators, exitCode) => {
    const result = await run(evaluators);
    expect(result.exitCode).toBe(exitCode);
    expect(result.report.results.filter(({ verdict }) => verdict === 'passed')).toEqual([]);
  });
});
