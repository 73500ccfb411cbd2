import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli } from '../project.ts';

const projects: ReturnType<typeof createProject>[] = [];
afterAll(() => projects.forEach((project) => project.remove()));
function create(files: Readonly<Record<string, string>>): string {
  const project = createProject({ 'agent.mjs': 'export const agent = () => ({ output: "x" });\n', ...files });
  projects.push(project);
  return project.path;
}

const STEP = 'id: t\nsteps:\n  - input: hi\n    assert:\n      output.includes: x\n';
const CASE = (rest: string): string => `tests:\n  - id: a\n    input: hi\n    assertions:\n      - ${rest}\n`;

/** One mistake each, with what its only finding says. */
const SUITES: readonly (readonly [name: string, text: string, said: RegExp])[] = [
  ['claim.yaml', STEP.replace('includes', 'contains'), /unknown assertion.*did you mean `output.includes`/],
  ['claim-not.yaml', STEP.replace('includes', 'not_contains'), /did you mean `output.not_includes`/],
  [
    'claim-list.yaml',
    STEP.replace('output.inc', '- output.inc'),
    /`output.includes` is a claim.*without "- "/,
  ],
  ['step-text.yaml', 'id: t\nsteps: [hi]\n', /must be an object \(a step\).*write `input: hi`/],
  ['braces.yaml', STEP.replace('hi', '{{name}} hi'), /starts with "{{" needs quotes/],
  ['type.yaml', CASE('{typ: contains, value: x}'), /needs `type`.*did you mean `type` by `typ`/],
  ['value.yaml', CASE('{type: contains, text: x}'), /no field `text`.*did you mean `value`/],
  [
    'call.yaml',
    CASE('{type: tool_trajectory, mode: exact, expected: [{name: a}]}'),
    /no field `name`.*`tool`/,
  ],
  ['call-text.yaml', CASE('{type: tool_trajectory, mode: exact, expected: [a]}'), /write `tool: a`/],
  [
    'latency.yaml',
    CASE('{type: latency, threshold: soon}'),
    /must be a time.*500ms, 2s or 1m.*is milliseconds/,
  ],
  ['latency-text.yaml', CASE('{type: latency, threshold: "2000"}'), /must be a time.*add its unit/],
  [
    'inputs.yaml',
    CASE('{type: contains, value: x}').replace('input:', 'inputs:'),
    /`inputs`.*did you mean `input`/,
  ],
  ['idd.yaml', CASE('{type: contains, value: x}').replace('id:', 'idd:'), /`idd`.*did you mean `id`/],
  [
    'human.yaml',
    CASE('{type: contains, value: x}').replace('hi', '[{role: human, content: a}]'),
    /did you mean `user`/,
  ],
  [
    'contents.yaml',
    CASE('{type: contains, value: x}').replace('hi', '[{role: user, contents: a}]'),
    /`content` by `contents`/,
  ],
  [
    'evaluatrs.jsonl',
    '{"id":"a","input":"hi","evaluatrs":[{"type":"contains","value":"x"}]}\n',
    /did you mean `evaluators`/,
  ],
  ['pretty.jsonl', '{\n  "id": "a",\n  "input": "hi",\n  "criteria": "x"\n}\n', /JSON over several lines/],
];

test('one mistake in a suite is one finding, which says what to write', async () => {
  const cwd = create(Object.fromEntries(SUITES.map(([name, text]) => [name, text])));
  const { stdout } = await runCli(['validate', '--json', ...SUITES.map(([name]) => name)], { cwd });
  const { findings } = JSON.parse(stdout) as Report;
  for (const [name, , said] of SUITES) {
    const own = findings.filter(({ file }) => file === name);
    expect({ name, said: own.map(({ message, hint }) => `${message} ${hint}`) }).toEqual({
      name,
      said: [expect.stringMatching(said)],
    });
  }
});

const TARGETS: readonly (readonly [target: string, said: RegExp])[] = [
  ['{nmae: a, agent: ./agent.mjs}', /no field `nmae` did you mean `name`/],
  ['{name: b, agnt: ./agent.mjs}', /no field `agnt` did you mean `agent`/],
  ['{name: c, comand: [x]}', /no field `comand` did you mean `command`/],
  ['{name: d, workers: 2}', /needs one of .*`provider` for example `agent: .\/agent.ts`/],
  ['{name: e, url: "http://127.0.0.1:1", headers: {Authorization: Bearer $TOKEN}}', /write `\${{ TOKEN }}`/],
  [
    '{name: f, url: "http://127.0.0.1:1", headers: {Authorization: Bearer abcdefgh12345678}}',
    /`Authorization` has a secret.*`\${{ API_TOKEN }}`/,
  ],
  [
    '{name: g, provider: openai, model: m, api_key: sk-proj-abcdefghijklmnop}',
    /`api_key` has a secret.*`\${{ OPENAI_API_KEY }}`/,
  ],
  [
    '{name: h, url: "https://host.example/?api_key=abcdefgh12345678"}',
    /`url` has a secret.*`\${{ API_KEY }}`/,
  ],
  ['{name: i, url: "https://me:secret-word-1@host.example/"}', /`url` has a secret/],
  [
    '{name: j, agent: ./agent.mjs, with: {api_token: abcdefgh12345678}}',
    /`api_token` has a secret.*`\${{ API_TOKEN }}`/,
  ],
  ['{name: k, provider: mock, response: x, delayMs: soon}', /`delayMs` must be a time.*milliseconds/],
  ['{name: l, command_template: "echo {PROMPT}", timeout_seconds: soon}', /must be a time.*is seconds/],
];

describe('a config', () => {
  test('has one finding for one mistake, and shows no secret', async () => {
    const cwd = create({
      'a.test.yaml': STEP,
      'assay.config.yaml': `targets:\n${TARGETS.map(([target]) => `  - ${target}\n`).join('')}`,
    });
    const { stdout } = await runCli(['validate', '--json'], { cwd });
    const { findings } = JSON.parse(stdout) as Report;
    for (const [index, [target, said]] of TARGETS.entries()) {
      const own = findings.filter(({ path }) => path.startsWith(`targets[${index}]`));
      expect({ target, said: own.map(({ message, hint }) => `${message} ${hint}`) }).toEqual({
        target,
        said: [expect.stringMatching(said)],
      });
    }
    const { stdout: frames } = await runCli(['validate'], { cwd });
    expect(frames).toContain('[redacted]');
    for (const secret of ['abcdefgh12345678', 'sk-proj-abc', 'secret-word-1'])
      expect(frames).not.toContain(secret);
  });

  test('may have words and keys of a local server in the place of a secret', async () => {
    const cwd = create({
      'a.test.yaml': STEP,
      'assay.config.yaml': `targets:
  - {name: default, agent: ./agent.mjs, with: {token: none, mode: abcdefgh12345678}}
  - {name: local, provider: openai-compatible, model: m, base_url: 'http://127.0.0.1:1/v1', api_key: sk_no_key_required_1}
  - {name: variable, url: 'https://h.example/?key=\${{ KEY }}', headers: {X-Api-Key: '\${{ KEY }}'}}
  - {name: mapped, url: 'https://h.example/', reply: {output: a, token_usage: response.usage.totals_2}}
`,
    });
    const { stdout } = await runCli(['validate', '--json'], { cwd });
    expect((JSON.parse(stdout) as Report).findings).toEqual([]);
  });

  test('with a misspelled `name` is explained by a run too, at its place', async () => {
    const cwd = create({
      'a.test.yaml': STEP,
      'assay.config.yaml': 'targets:\n  - nmae: bot\n    agent: ./agent.mjs\n',
    });
    for (const args of [[], ['--target', 'bot']]) {
      const { stderr, stdout, exitCode } = await runCli(['run', ...args], { cwd });
      expect(exitCode).toBe(2);
      expect(stdout + stderr).toMatch(/assay\.config\.yaml:2:5[^]*did you mean `name`/);
      expect(stdout + stderr).not.toContain('undefined');
    }
  });

  test('with two targets and no default says how to choose one', async () => {
    const cwd = create({
      'a.test.yaml': STEP,
      'assay.config.yaml':
        'targets:\n  - {name: one, agent: ./agent.mjs}\n  - {name: two, agent: ./agent.mjs}\n',
    });
    const { stderr } = await runCli(['run'], { cwd });
    expect(stderr).toMatch(
      /which agent should run a\.test\.yaml\?[^]*--target one[^]*`name: default`[^]*"one", "two"/,
    );
  });
});

test('times may have a unit wherever a file has one', async () => {
  const cwd = create({
    'a.eval.yaml': `evalcases:
  - id: fast
    input: x
    evaluators:
      - {type: latency, threshold: 30s}
      - {type: execution_metrics, max_duration_ms: 1m}
  - id: slow
    input: x
    evaluators: [{type: latency, threshold: 1ms}]
`,
    'assay.config.yaml': 'targets: [{name: default, provider: mock, response: x, delayMs: 0.05s}]\n',
  });
  const { stdout } = await runCli(['run', '--reporter', 'json'], { cwd });
  const { results, findings } = JSON.parse(stdout) as Report;
  expect(findings).toEqual([]);
  expect(results.map(({ test: id, verdict }) => [id, verdict])).toEqual([
    ['fast', 'passed'],
    ['slow', 'failed'],
  ]);
});

test('a question as the prompt of a judge is answered with the line to write', async () => {
  const cwd = create({
    'a.eval.yaml': `tests:
  - id: a
    input: x
    assertions: [{type: llm_judge, prompt: Is the answer polite?}]
  - id: b
    input: x
    assertions: [{type: llm_judge, prompt: "Is {{question}} answered?"}]
  - id: c
    input: x
    assertions: [{type: llm_judge, prompt: prompts/none.md}]
`,
    'assay.config.yaml':
      'agent: ./agent.mjs\njudge: {provider: openai-compatible, model: m, base_url: "http://127.0.0.1:1/v1"}\n',
  });
  const { stdout } = await runCli(['validate', '--json'], { cwd });
  const said = (JSON.parse(stdout) as Report).findings.map(({ message }) => message);
  expect(said).toEqual([
    expect.stringContaining('write `rubrics: ["Is the answer polite?"]` instead of `prompt`'),
    expect.stringMatching(/does not show the judge the answer\n.*\{\{candidate_answer\}\}.*`rubrics/),
    expect.stringContaining('the prompt file cannot be read'),
  ]);
});

test.each([
  'agent: ./agent.mjs\nagent: ./other.mjs\n',
  'targets: [{name: default, agent: ./agent.mjs, agent: ./other.mjs}]\n',
])('a config with a key twice runs nothing: %j', async (config) => {
  const cwd = create({ 'a.test.yaml': STEP, 'assay.config.yaml': config });
  const { stdout, stderr, exitCode } = await runCli(['run'], { cwd });
  expect(stderr).toContain('the key "agent" occurs twice');
  expect([stdout, exitCode]).toEqual(['', 2]);
});
