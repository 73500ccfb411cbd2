import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli, type Project } from '../project.ts';

let project: Project | undefined;
afterEach(() => project?.remove());

const ECHO = `targets:
  - name: default
    provider: cli
    command: cat {PROMPT_FILE} > {OUTPUT_FILE}
`;

interface Verdicts {
  readonly verdicts: Readonly<Record<string, string>>;
  readonly printed: string;
  readonly exitCode: number | null;
}

/** Runs files of AgentV as they are. */
async function run(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Verdicts> {
  project = createProject(files);
  const { stdout, stderr, exitCode } = await runCli(
    ['run', 'evals', '--allow-scripts', '--reporter', 'json', '--no-cache', ...args],
    { cwd: project.path },
  );
  const { results = [] } = (stdout === '' ? {} : JSON.parse(stdout)) as {
    results?: readonly { test: string; verdict: string }[];
  };
  const verdicts = Object.fromEntries(results.map((each) => [each.test, each.verdict]));
  return { verdicts, printed: stdout + stderr, exitCode };
}

const TEXTS = [
  ['word', 'año', "{ type: regex, value: '^\\w+$' }"],
  ['group', 'ab', "{ type: regex, value: '(?<x>a)b' }"],
  ['python', 'año', "{ type: regex, value: '^\\w+$', dialect: python }"],
  ['case', 'Straße', '{ type: icontains, value: STRASSE }'],
  ['any', 'Straße', '{ type: icontains_any, value: [STRASSE] }'],
  ['all', 'Straße', '{ type: icontains_all, value: [STRASSE] }'],
  ['lower', 'STRASSE', '{ type: icontains, value: strasse }'],
  ['equal', '" hi\\n"', '{ type: equals, value: "hi " }'],
  ['start', '" hi"', '{ type: starts_with, value: "hi " }'],
  ['end', '"hi "', '{ type: ends_with, value: " hi" }'],
];

function suiteOf(texts: readonly (readonly string[])[], more = ''): string {
  const cases = texts.map(([id, input, check]) => `  - { id: ${id}, input: ${input}, assert: [${check}] }`);
  return `tests:\n${cases.join('\n')}\n${more}`;
}

const OURS = {
  word: 'passed',
  python: 'passed',
  case: 'passed',
  any: 'passed',
  all: 'passed',
  lower: 'passed',
  equal: 'failed',
  start: 'failed',
  end: 'failed',
};
const THEIRS = {
  ...OURS,
  word: 'failed',
  group: 'passed',
  case: 'failed',
  any: 'failed',
  all: 'failed',
  equal: 'passed',
  start: 'passed',
  end: 'passed',
};
const own = TEXTS.filter(([id]) => id !== 'group');

describe('texts in files of AgentV 4 and newer', () => {
  const marked = suiteOf(TEXTS, '  - { id: marker, input: x, assert: [{ type: not-contains, value: y }] }\n');

  test('a file with spellings of AgentV 4 means what it means there', async () => {
    const { verdicts, printed } = await run({ 'targets.yaml': ECHO, 'evals/a.eval.yaml': marked });
    expect(verdicts).toEqual({ ...THEIRS, marker: 'passed' });
    expect(printed).not.toContain('agentv_meaning');
  });

  test('`assert` alone, and files of AgentV 2, mean what they meant', async () => {
    const text = suiteOf(own);
    const { verdicts } = await run({ 'targets.yaml': ECHO, 'evals/a.eval.yaml': text });
    expect(verdicts).toEqual(OURS);
  });

  test('in a project of an unknown AgentV, a warning says that the meaning differs', async () => {
    const files = { '.agentv/targets.yaml': ECHO, 'evals/a.eval.yaml': suiteOf(own) };
    const { verdicts, printed } = await run(files);
    expect(verdicts).toEqual(OURS);
    expect(printed.match(/agentv_meaning/g)).toHaveLength(1);
  });

  test.each(['grader_target: g', 'providers.yaml'])(
    'a project with %s is one of AgentV 4',
    async (marker) => {
      const targets = marker === 'providers.yaml' ? ECHO : `${ECHO}    ${marker}\n`;
      const other = marker === 'providers.yaml' ? { '.agentv/providers.yaml': '[]' } : {};
      const files = { '.agentv/targets.yaml': targets, ...other, 'evals/a.eval.yaml': suiteOf(own) };
      const { verdicts } = await run(files);
      expect(verdicts).toEqual(
        Object.fromEntries(own.map(([id]) => [id!, THEIRS[id as keyof typeof THEIRS]])),
      );
    },
  );

  test('cases in another file, a dataset with its sidecar, and shared evaluators too', async () => {
    const line = '{"id":"LINE","input":"año","assert":[{"type":"regex","value":"^\\\\w+$"}]}';
    const { verdicts } = await run({
      'targets.yaml': ECHO,
      'evals/a.eval.yaml': 'tests: ../more/cases.jsonl\nprompts: ["{{ q }}"]\n',
      'more/cases.jsonl': '{"id":"case","vars":{"q":"año"},"assert":[{"type":"regex","value":"^\\\\w+$"}]}\n',
      'evals/b.eval.yaml': [
        'assert: [{ type: regex, value: "^\\\\w+{{ end }}" }]',
        'tests:',
        '  - { id: shared, vars: { end: "$" }, input: año, assert: [{ type: is-json }] }',
      ].join('\n'),
      'evals/dataset.jsonl': `${line.replace('LINE', 'line')}\n`,
      'evals/dataset.yaml': 'assert: [{ type: not-contains, value: z }]\n',
      'evals/plain.test.jsonl': [
        line.replace('LINE', 'plain'),
        line.replace('LINE', 'marked').replace('[{', '[{"type":"is-json","weight":0},{'),
        line.replace('LINE', 'plain again'),
      ].join('\n'),
    });
    expect(verdicts).toEqual({
      case: 'failed',
      shared: 'failed',
      line: 'failed',
      plain: 'passed',
      marked: 'failed',
      'plain again': 'passed',
    });
  });

  test('`show` says which meaning a file has', async () => {
    project = createProject({ 'a.eval.yaml': marked, 'b.eval.yaml': suiteOf(own) });
    const { stdout } = await runCli(['show', 'a.eval.yaml', 'b.eval.yaml'], { cwd: project.path });
    expect(stdout).toContain('a.eval.yaml (eval file, with the evaluators of AgentV 4)');
    expect(stdout).toContain('regex: "^\\\\w+$" {"dialect":"js"}');
    expect(stdout).toContain('icontains: "STRASSE" {"lowercase":true}');
    expect(stdout).toContain('equals: "hi " {"trim":true}');
    expect(stdout).toContain('b.eval.yaml (eval file)\n');
  });
});

const judged = (...satisfied: readonly boolean[]) =>
  JSON.stringify({
    checks: satisfied.map((holds, index) => ({
      id: `rubric-${index + 1}`,
      reasoning: 'r',
      evidence: [],
      satisfied: holds,
    })),
  });

function mocks(answer: string): string {
  return `targets:
  - { name: default, provider: mock, response: fine, grader_target: g }
  - { name: g, provider: mock, response: '${answer}' }
`;
}

describe('judges in files of AgentV', () => {
  const rubrics = `tests:
  - id: texts
    input: x
    assert: [One, Two, Three, Four, Five, { type: contains, value: fine }]
`;

  test('texts count by the share that holds: five of six pass, four of six do not', async () => {
    const five = mocks(judged(true, true, true, true, false));
    const four = mocks(judged(true, true, true, false, false));
    const most = await run({ 'targets.yaml': five, 'evals/a.eval.yaml': rubrics });
    expect(most.verdicts).toEqual({ texts: 'passed' });
    project?.remove();
    const fewer = await run({ 'targets.yaml': four, 'evals/a.eval.yaml': rubrics });
    expect(fewer.verdicts).toEqual({ texts: 'failed' });
  });

  test('our own `rubric` still fails without a required one', async () => {
    const text = 'evalcases: [{ id: a, input: x, rubrics: [1, 2, 3, 4, 5] }]'.replace(/\d/g, '"$&"');
    const targets = mocks(judged(true, true, true, true, false));
    const { verdicts } = await run({
      'assay.config.yaml': targets.replace('grader_', 'judge_'),
      'evals/a.eval.yaml': text,
    });
    expect(verdicts).toEqual({ a: 'failed' });
  });

  test('`threshold` of a case is a finding: AgentV reads that of `execution`', async () => {
    const text = `tests:
  - { id: own, input: x, threshold: 0.4, assert: [{ type: not-contains, value: z }, { type: contains, value: z }] }
  - { id: theirs, input: x, execution: { threshold: 0.4 }, assert: [{ type: not-contains, value: z }, { type: contains, value: z }] }
`;
    const { verdicts, printed } = await run({ 'targets.yaml': mocks('{}'), 'evals/a.eval.yaml': text });
    expect(verdicts).toEqual({ own: 'passed', theirs: 'passed' });
    expect(printed.match(/agentv_threshold/g)).toHaveLength(1);
  });

  const scored = JSON.stringify({ reasoning: 'r', evidence: [], hits: [], misses: [], score: 0.9 });

  test('a prompt without variables is what to judge; `llm-rubric` without `value` judges the goal', async () => {
    const text = `tests:
  - id: inline
    input: x
    assert: [{ type: llm-grader, prompt: Does the answer greet? }]
  - id: goal
    criteria: Greets
    input: x
    assert: [{ type: llm-rubric }]
`;
    const { verdicts } = await run({ 'targets.yaml': mocks(scored), 'evals/a.eval.yaml': text });
    expect(verdicts).toEqual({ inline: 'passed', goal: 'passed' });
  });

  test('`llm-rubric` with nothing to judge by is an error', async () => {
    const text = 'tests: [{ id: a, input: x, assert: [{ type: llm-rubric }] }]';
    const { exitCode, printed } = await run({ 'targets.yaml': mocks(scored), 'evals/a.eval.yaml': text });
    expect(exitCode).not.toBe(0);
    expect(printed).toContain('there is nothing to judge by');
  });

  test('`default_test` in a file gives its threshold, evaluators and the prompt of rubrics', async () => {
    const shown = `prompts: ["{{ input }}"]
default_test: file://shared.yaml
tests:
  - { id: a, vars: { input: "Say {{ word }}", word: hi }, assert: [Is kind] }
`;
    project = createProject({
      'evals/a.eval.yaml': shown,
      'evals/shared.yaml': `threshold: 0.4
assert: [{ type: contains, value: hi }]
options: { rubric_prompt: "{{ input }} {{ rubrics }} {{ output }}" }
`,
    });
    const { stdout, exitCode } = await runCli(['show', 'evals', '--json'], { cwd: project.path });
    expect(exitCode).toBe(0);
    const [{ tests }] = (JSON.parse(stdout) as { suites: [{ tests: [Record<string, unknown>] }] }).suites;
    expect(tests[0]).toMatchObject({
      threshold: 0.4,
      input_messages: [{ content: 'Say hi' }],
      steps: [
        {
          assertions: [
            {
              kind: 'rubric',
              parameters: { prompt: { template: '{{ input }} {{ rubrics }} {{ output }}' } },
            },
            { kind: 'contains' },
          ],
        },
      ],
    });
  });

  test('a file of `default_test` that is not there is an error', async () => {
    const text = 'default_test: file://none.yaml\ntests: [{ id: a, input: x, assert: [Is kind] }]\n';
    const { exitCode, printed } = await run({ 'targets.yaml': mocks(scored), 'evals/a.eval.yaml': text });
    expect(exitCode).toBe(2);
    expect(printed).toContain('none.yaml');
  });
});

describe('programs of AgentV projects', () => {
  const grader = (id: string, command: string, reply = 'text') => ({
    suite: `  - { id: ${id}, input: ${reply}, assert: [{ type: code-grader, command: [sh, -c, ${JSON.stringify(command)}] }] }`,
  });

  test('a grader may print `pass` alone, checks, or words with its exit code', async () => {
    const cases = [
      grader('yes', `echo '{"pass":true,"reason":"fine"}'`),
      grader('no', `echo '{"pass":false}'`),
      grader(
        'checks',
        `echo '{"checks":[{"text":"a","pass":true,"reason":"r"},{"text":"b","pass":false,"reason":"r"}]}'`,
      ),
      grader('words', 'echo pass'),
      grader('silent', 'true'),
      grader('exit', 'echo no title; exit 1'),
      grader('contradiction', 'echo fail'),
      grader('zero', 'echo 0'),
      grader('crash', 'echo oops >&2; exit 1'),
      grader('broken', `echo '{"score": 1'`),
    ];
    const text = `tests:\n${cases.map(({ suite }) => suite).join('\n')}\n`;
    const { verdicts } = await run({ 'targets.yaml': ECHO, 'evals/a.eval.yaml': text });
    expect(verdicts).toEqual({
      yes: 'passed',
      no: 'failed',
      checks: 'failed',
      words: 'passed',
      silent: 'passed',
      exit: 'failed',
      contradiction: 'error',
      zero: 'error',
      crash: 'error',
      broken: 'error',
    });
  });

  test('our own `code_judge` still needs a score', async () => {
    const text =
      'evalcases: [{ id: a, input: x, evaluators: [{ type: code_judge, script: [sh, -c, "echo pass"] }] }]';
    const { verdicts } = await run({ 'assay.config.yaml': ECHO, 'evals/a.eval.yaml': text });
    expect(verdicts).toEqual({ a: 'error' });
  });

  const MESSAGES = JSON.stringify({
    output: [
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ tool: 'Skill', input: { skill: 'pdf-forms' } }],
      },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ tool: 'Read', input: { file_path: 'a/skills/csv/SKILL.md' }, output: 'x' }],
      },
      { role: 'assistant', content: 'Done.' },
    ],
  });
  const replies = `targets:\n  - name: default\n    provider: cli\n    command: echo {PROMPT} > /dev/null; cp ../reply.json {OUTPUT_FILE}\n`;
  const skills = `tests:
  - { id: output, input: x, assert: [{ type: equals, value: Done. }, { type: tool-trajectory, mode: any_order, minimums: { Skill: 1 } }] }
  - { id: trigger, input: x, assert: [{ type: skill-trigger, skill: pdf }] }
  - { id: not, input: x, assert: [{ type: skill-trigger, skill: pdf, should_trigger: false }] }
  - { id: read, input: x, assert: [{ type: skill-used, value: [csv, pdf-forms] }] }
  - { id: exact, input: x, assert: [{ type: skill-used, value: pdf }] }
  - { id: pattern, input: x, assert: [{ type: skill-used, value: { pattern: "pdf*", max: 1 } }] }
  - { id: none, input: x, assert: [{ type: not-skill-used, value: [sql, xml] }] }
  - { id: some, input: x, assert: [{ type: not-skill-used, value: [sql, csv] }] }
  - id: trace
    input: x
    assert: [{ type: code-grader, command: [node, -e, "const { trace } = JSON.parse(require('fs').readFileSync(0)); console.log(JSON.stringify({ pass: trace.tool_calls.Read === 1 && trace.events.some((e) => e.type === 'tool_result' && e.tool.output === 'x') && trace.messages.length === 3 }))"] }]
`;

  test('messages under `output` are the reply; skills and `trace` are read from them', async () => {
    const { verdicts } = await run({
      'targets.yaml': replies,
      'reply.json': MESSAGES,
      'evals/a.eval.yaml': skills,
    });
    expect(verdicts).toEqual({
      output: 'passed',
      trigger: 'passed',
      not: 'failed',
      read: 'passed',
      exact: 'failed',
      pattern: 'passed',
      none: 'passed',
      some: 'failed',
      trace: 'passed',
    });
  });

  test('without known tool calls, skills are unmeasured, and a grader that needs `trace` fails', async () => {
    const { verdicts } = await run({
      'targets.yaml': replies,
      'reply.json': '{"text":"Done."}',
      'evals/a.eval.yaml': skills,
    });
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['error']));
  });

  test('`providers.yaml` defines targets and the judge', async () => {
    const providers = `providers:
  - { id: mock, label: main, config: { response: "{{ env.WORD }}" } }
  - { id: agentv:mock, label: grader, runtime: host, config: { response: '${judged(true)}' } }
`;
    const files = {
      '.agentv/providers.yaml': providers,
      '.agentv/config.yaml': 'defaults: file://defaults.yaml\n',
      '.agentv/defaults.yaml': 'provider: main\ngrader: grader\n',
      '.env': 'WORD=hello\n',
      'evals/a.eval.yaml':
        'providers: [main]\ntests: [{ id: named, input: x, assert: [Is kind, { type: equals, value: hello }] }]\n',
      'evals/b.eval.yaml': 'tests: [{ id: standard, input: x, assert: [{ type: equals, value: hello }] }]\n',
    };
    const { verdicts, printed } = await run(files);
    expect(verdicts, printed).toEqual({ named: 'passed', standard: 'passed' });
  });

  const USING = `targets:
  - { name: default, use_target: '\${{ AGENT }}' }
  - { name: alias, use_target: echo }
  - { name: ring, use_target: alone }
  - { name: alone, use_target: ring }
  - name: echo
    provider: cli
    command: cat {PROMPT_FILE} > {OUTPUT_FILE}
`;
  const HELLO = 'tests: [{ id: a, input: hello, assert: [{ type: equals, value: hello }] }]\n';

  test('`use_target` is followed, through a variable and other names', async () => {
    const files = { '.agentv/targets.yaml': USING, '.env': 'AGENT=alias\n', 'evals/a.eval.yaml': HELLO };
    const { verdicts, printed } = await run(files);
    expect(verdicts, printed).toEqual({ a: 'passed' });
    expect(printed).not.toContain('no_prompt');
  });

  test.each([
    ['default', 'set AGENT to the name'],
    ['ring', 'write the name of another target'],
  ])('`use_target` of %s that leads nowhere is an error when it is used', async (target, hint) => {
    const files = { '.agentv/targets.yaml': USING, 'evals/a.eval.yaml': HELLO };
    const { exitCode, printed } = await run(files, '--target', target);
    expect(exitCode).toBe(2);
    expect(printed).toContain('leads to no target');
    expect(printed).toContain(hint);
  });

  test('a finding in a used target is at its own line', async () => {
    const files = { '.agentv/targets.yaml': `${USING}    cwdd: x\n`, 'evals/a.eval.yaml': HELLO };
    const { exitCode, printed } = await run(files, '--target', 'alias');
    expect(exitCode).toBe(2);
    expect(printed).toContain('targets.yaml:9:5');
  });

  test('a mistake in `providers.yaml` is reported at its line', async () => {
    const files = {
      '.agentv/providers.yaml': '- id: mock\n  label: main\n  config:\n    respons: hello\n',
      'evals/a.eval.yaml':
        'providers: [main]\ntests: [{ id: a, input: x, assert: [{ type: equals, value: hello }] }]\n',
    };
    const { exitCode, printed } = await run(files);
    expect(exitCode).toBe(2);
    expect(printed).toContain('.agentv/providers.yaml:');
    expect(printed).toContain('respons');
  });
});
