import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { startModelServer } from '../servers/model-server.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

interface Report {
  readonly exit_code: number;
  readonly results: readonly {
    test: string;
    verdict: string;
    error?: { kind: string; message: string };
    steps: readonly unknown[];
    assertions: readonly { name: string; line: number; error?: { message: string } }[];
  }[];
}

interface Finding {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly file: string;
  readonly line: number;
}

/** Writes a line for each call. */
const AGENT = `import { appendFileSync } from 'node:fs';
export const workers = 4;
export const agent = (input) => {
  appendFileSync(new URL('calls.log', import.meta.url), input + '\\n');
  return { output: 'It is ' + input, cost_usd: 0.5 };
};
`;

function project(files: Readonly<Record<string, string>>) {
  const { path, remove } = createProject({ 'agent.mjs': AGENT, ...files });
  cleanUps.push(remove);
  const calls = (): readonly string[] =>
    existsSync(join(path, 'calls.log'))
      ? readFileSync(join(path, 'calls.log'), 'utf8').trimEnd().split('\n').sort()
      : [];
  return {
    calls,
    run: (...args: string[]) => reportOf(path, ['run', ...args]),
    grade: (...args: string[]) => reportOf(path, ['grade', 'latest', ...args]),
    async validate(...args: string[]) {
      const result = await runCli(['validate', '--json', ...args], { cwd: path, env: NO_KEYS });
      const { findings, summary } = JSON.parse(result.stdout) as {
        findings: readonly Finding[];
        summary: { errors: number; warnings: number };
      };
      const codes = findings.map(({ severity, code, file, line }) => `${severity} ${code} ${file}:${line}`);
      return { ...result, findings, summary, codes };
    },
  };
}

async function reportOf(cwd: string, args: readonly string[]) {
  const result = await runCli([...args, '--reporter', 'json'], { cwd, env: NO_KEYS });
  const printed = JSON.parse(result.stdout) as Report;
  const errors = printed.results.filter(({ verdict }) => verdict === 'error');
  return {
    ...result,
    report: printed,
    verdicts: Object.fromEntries(
      printed.results.map(({ test: id, verdict, error }) => [id, error === undefined ? verdict : error.kind]),
    ),
    messages: Object.fromEntries(errors.map(({ test: id, error }) => [id, error!.message])),
  };
}

const NO_KEYS = { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined, NOT_SET: undefined };

const evalCase = (id: string, more: string): string => `  - { id: ${id}, input: ${id}, ${more} }\n`;

describe('what cannot be judged is reported before the agent is called', () => {
  test('no judge: every test that needs one is an error, and only the others call the agent', async () => {
    const { run, calls, validate } = project({
      'assay.config.yaml': 'agent: ./agent.mjs\n',
      'a.eval.yaml': `evalcases:\n${evalCase('plain', 'evaluators: [{ type: contains, value: It }]')}${Array.from({ length: 30 }, (_, index) => evalCase(`judged${index}`, 'expected_outcome: It is')).join('')}`,
      'b.eval.jsonl': '{"id":"line","input":"line","expected_outcome":"x","rubrics":["It is"]}\n',
      'c.test.yaml':
        'id: steps\nsteps:\n  - { input: one, assert: { output.includes: It } }\n  - { input: two, assert: [{ type: llm_judge, prompt: "{{candidate_answer}}?" }] }\n',
      // Weighs nothing, so that it decides nothing and stops nothing.
      'd.eval.yaml': `evalcases:\n${evalCase('shown', 'expected_outcome: x, evaluators: [{ type: contains, value: It }, { type: llm_judge, weight: 0 }]')}`,
    });
    const { exitCode, report, messages } = await run();
    expect(exitCode).toBe(3);
    expect(calls()).toEqual(['plain', 'shown']);
    expect(Object.keys(messages)).toHaveLength(32);
    expect(new Set(Object.values(messages))).toEqual(
      new Set([expect.stringContaining('no judge is configured: set `judge:')]),
    );
    const judged = report.results.find(({ test: id }) => id === 'judged0');
    expect(judged).toMatchObject({
      error: { kind: 'judge' },
      steps: [],
      assertions: [{ name: 'llm_judge', line: 3, error: { kind: 'judge' } }],
    });
    // One for each file, however many tests it has.
    const { codes, exitCode: validated } = await validate();
    expect(validated).toBe(0);
    expect(codes).toEqual([
      'warning no_judge a.eval.yaml:3',
      'warning no_judge b.eval.jsonl:1',
      'warning no_judge c.test.yaml:4',
    ]);
  });

  test('everything that a file needs and that is missing', async () => {
    const evaluators: Readonly<Record<string, string>> = {
      unknown_judge: '{ type: llm_judge, target: strct }',
      no_model: '{ type: llm_judge, target: default }',
      no_key: '{ type: llm_judge, target: keyless }',
      no_script: '{ type: code_judge, script: [node, jugde.mjs] }',
      no_path: '{ type: code_judge, script: [./judge.sh] }',
      no_folder: '{ type: code_judge, script: [node, judge.mjs], cwd: elsewhere }',
      no_program: '{ type: code_judge, script: [no-such-program-here, judge.mjs] }',
      no_shell_program: '{ type: code_judge, script: "no-such-program-here | cat" }',
      no_shell_script: '{ type: code_judge, script: "A=1 node --no-warnings jugde.mjs" }',
      no_prompt_file: '{ type: llm_judge, prompt: prompts/missing.md }',
      no_candidate: '{ type: llm_judge, prompt: "Is it good?\\n{{question}} {{candidate}}" }',
      no_candidate_in_file: '{ type: llm_judge, prompt: prompts/blind.md }',
      no_prompt_script: '{ type: llm_judge, prompt: { script: [python3, prompt.py] } }',
      nothing_to_judge: '{ type: llm_judge }',
      no_schema: '{ type: is_json, schema: missing.schema.json }',
      no_results:
        '{ type: composite, evaluators: [{ type: contains, value: I }], aggregator: { type: llm_judge, prompt: be fair } }',
      no_aggregator:
        '{ type: composite, evaluators: [{ type: contains, value: I }], aggregator: { type: code_judge, script: [node, jugde.mjs] } }',
      deep_inside:
        '{ type: composite, evaluators: [{ type: composite, evaluators: [{ type: code_judge, script: [./judge.sh] }] }] }',
      // These are fine.
      good: '{ type: code_judge, script: [node, judge.mjs] }',
      good_line: `{ type: code_judge, script: "cd . && node judge.mjs" }`,
      good_code: `{ type: code_judge, script: [node, -e, 'console.log(JSON.stringify({ score: 1 }))', x.mjs] }`,
      good_prompt: '{ type: llm_judge, prompt: prompts/good.md }',
      good_member:
        '{ type: composite, evaluators: [{ type: contains, value: I, name: i }, { type: rubric, name: r, rubrics: [x] }, { type: llm_judge, name: l, target: strct, prompt: "{{output_messages}}" }], aggregator: { type: weighted_average, weights: { l: 0 } } }',
    };
    const rubrics = { checks: [{ id: 'rubric-1', satisfied: true }], reasoning: '', score: 1 };
    const { run, calls, validate } = project({
      'assay.config.yaml': `agent: ./agent.mjs\njudge: strict\ntargets:\n  - { name: strict, provider: mock, response: ${JSON.stringify(rubrics)} }\n  - { name: keyless, provider: openai, model: m, api_key: "\${{ NOT_SET }}" }\n`,
      'judge.mjs': `console.log('{"score":1}');`,
      'prompts/good.md': 'Good? {{ candidate_answer }}',
      'prompts/blind.md': 'It is good?',
      'a.eval.yaml': `evalcases:\n${Object.entries(evaluators)
        .map(([id, evaluator]) =>
          evalCase(
            id,
            `${id === 'nothing_to_judge' ? '' : 'expected_outcome: x, '}evaluators: [${evaluator}]`,
          ),
        )
        .join('')}`,
    });
    const good = Object.keys(evaluators).filter((id) => id.startsWith('good'));
    const { exitCode, verdicts, messages } = await run('--allow-scripts');
    expect(exitCode).toBe(3);
    expect(calls()).toEqual(good.toSorted());
    expect(verdicts).toEqual({
      ...Object.fromEntries(Object.keys(evaluators).map((id) => [id, 'judge'])),
      ...Object.fromEntries(good.map((id) => [id, 'passed'])),
      no_prompt_file: 'assertion',
      no_candidate: 'assertion',
      no_candidate_in_file: 'assertion',
      nothing_to_judge: 'assertion',
      no_schema: 'assertion',
      no_results: 'assertion',
    });
    expect(messages).toMatchObject({
      unknown_judge: 'unknown judge "strct": did you mean `strict`?',
      no_key: expect.stringContaining('needs the variable NOT_SET'),
      no_script: expect.stringContaining('there is no file jugde.mjs in'),
      no_candidate: expect.stringContaining('put {{candidate_answer}} or {{output_messages}}'),
    });

    // Something missing on the machine is a warning, a mistake in a file an error; each at the line of its evaluator.
    const { codes, exitCode: validated } = await validate();
    expect(validated).toBe(2);
    const line = (id: string): number => Object.keys(evaluators).indexOf(id) + 2;
    const expected = (id: string, severity: string, code: string) =>
      `${severity} ${code} a.eval.yaml:${line(id)}`;
    expect(codes).toEqual([
      expected('unknown_judge', 'error', 'judge_setup'),
      expected('no_model', 'error', 'judge_setup'),
      expected('no_key', 'warning', 'unset_variable'),
      expected('no_script', 'error', 'script_missing'),
      expected('no_path', 'error', 'script_missing'),
      expected('no_folder', 'error', 'script_missing'),
      expected('no_program', 'warning', 'script_missing'),
      expected('no_shell_script', 'error', 'script_missing'),
      expected('no_prompt_file', 'error', 'prompt_file'),
      expected('no_candidate', 'error', 'prompt_without_answer'),
      expected('no_candidate_in_file', 'error', 'prompt_without_answer'),
      expected('no_prompt_script', 'error', 'script_missing'),
      expected('nothing_to_judge', 'error', 'nothing_to_judge'),
      expected('no_schema', 'error', 'schema_file'),
      expected('no_results', 'error', 'prompt_without_results'),
      expected('no_aggregator', 'error', 'script_missing'),
      expected('deep_inside', 'error', 'script_missing'),
    ]);
  });

  test('scripts that are not allowed, also by `grade` for recorded replies', async () => {
    const { run, calls, grade } = project({
      'assay.config.yaml': 'agent: ./agent.mjs\n',
      'judge.mjs': `console.log('{"score":1}');`,
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'evaluators: [{ type: code_judge, script: [node, judge.mjs] }]')}`,
    });
    const refused = await run();
    expect(refused).toMatchObject({ exitCode: 3, verdicts: { a: 'judge' } });
    expect(refused.messages['a']).toContain('run with --allow-scripts');
    expect(calls()).toEqual([]);
    expect(await run('--allow-scripts')).toMatchObject({ exitCode: 0 });
    expect(calls()).toEqual(['a']);
    const graded = await grade();
    expect(graded).toMatchObject({ exitCode: 3, verdicts: { a: 'judge' } });
    expect(graded.messages['a']).toContain('run with --allow-scripts');
    expect(graded.report.results[0]!.steps).toMatchObject([{ output: 'It is a' }]);
    expect(await grade('--allow-scripts')).toMatchObject({ exitCode: 0, verdicts: { a: 'passed' } });
    expect(calls()).toEqual(['a']);
  });

  test('if there is a judge it is used, and the agent is called once per test', async () => {
    const server = await startModelServer([
      { text: '{"reasoning":"","evidence":[],"hits":[],"misses":[],"score":1}' },
    ]);
    cleanUps.push(() => server.close());
    const { run, calls, validate } = project({
      'assay.config.yaml': `agent: ./agent.mjs\njudge: { provider: openai-compatible, model: j, base_url: "${server.url}/v1" }\n`,
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'expected_outcome: x')}${evalCase('b', 'expected_outcome: x, evaluators: [{ type: llm_judge, target: nobody }]')}`,
    });
    expect(await run()).toMatchObject({ exitCode: 3, verdicts: { a: 'passed', b: 'judge' } });
    expect(calls()).toEqual(['a']);
    expect(server.requests).toHaveLength(1);
    expect((await validate()).codes).toEqual(['error judge_setup a.eval.yaml:3']);
    expect(server.requests).toHaveLength(1);
  });

  test('the judge of a config that is not read is unknown', async () => {
    const { validate } = project({
      'assay.config.mjs': `export default { agent: './agent.mjs', targets: [{ name: 'j', provider: 'mock', response: { score: 1 } }] };\n`,
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'expected_outcome: x')}${evalCase('b', 'evaluators: [{ type: llm_judge, target: k, prompt: nowhere.md }]')}`,
      'b.eval.yaml': `evalcases:\n${evalCase('c', 'expected_outcome: x')}${evalCase('d', 'evaluators: [{ type: contains, value: x }]')}`,
    });
    const { codes, findings } = await validate();
    expect(codes).toEqual([
      'warning config_not_read assay.config.mjs:1',
      'warning judge_unknown a.eval.yaml:2',
      'error prompt_file a.eval.yaml:3',
      'warning judge_unknown b.eval.yaml:2',
    ]);
    expect(findings[1]!.message).toContain('the config assay.config.mjs was not read');
    expect((await validate('--trust-config')).codes).toEqual([
      'warning no_judge a.eval.yaml:2',
      'error judge_setup a.eval.yaml:3',
      'error prompt_file a.eval.yaml:3',
      'warning no_judge b.eval.yaml:2',
    ]);
  });

  test('unknown names of judges are errors of the config', async () => {
    const { validate } = project({
      'assay.config.yaml':
        'agent: ./agent.mjs\njudge: strct\ntargets:\n  - { name: strict, provider: mock, response: { score: 1 } }\n  - { name: other, provider: mock, response: x, judge_target: strict }\n  - { name: wrong, provider: mock, response: x, judge_target: default }\n',
      'a.eval.yaml': `evalcases:\n${evalCase('a', 'evaluators: [{ type: contains, value: x }]')}`,
    });
    expect((await validate()).codes).toEqual([
      'error judge_setup assay.config.yaml:2',
      'error judge_setup assay.config.yaml:6',
    ]);
  });
});

describe('an unusable target', () => {
  const contains = (id: string, target: string): string =>
    evalCase(id, `execution: { target: ${target} }, evaluators: [{ type: contains, value: ${id} }]`);
  const config = (...targets: string[]): string =>
    `targets:\n${targets.map((target) => `  - ${target}\n`).join('')}`;
  const good = '{ name: good, agent: ./agent.mjs }';

  test('stops only the tests that need it', async () => {
    const bad: Readonly<Record<string, readonly [target: string, words: string]>> = {
      misspelled: ['command_template: "touch ran; echo {PROMT}"', 'did you mean {PROMPT}?'],
      foreign: ['command_template: "touch ran; echo {MODEL}"', 'use {PROMPT}'],
      files: ['command_template: "touch ran {FILES}", files_format: "{pth}"', 'did you mean {path}?'],
      malformed: [
        'command_template: "touch ran {EVAL_ID}", healthcheck: { type: http, url: "http//localhost" }',
        'is not the address of an HTTP server',
      ],
      nothing: [
        'command_template: "touch ran {EVAL_ID}", healthcheck: { timeout_seconds: 3 }',
        'needs `url` or `command`',
      ],
      mistyped: [
        'command_template: "touch ran {EVAL_ID}", healthcheck: { type: command, url: "http://127.0.0.1:1/" }',
        'needs `command`',
      ],
      holed: [
        'command_template: "touch ran {EVAL_ID}", healthcheck: { command: "ping {PROMPT}" }',
        'in a health check',
      ],
      pathless: [
        'url: "http://127.0.0.1:1/", healthcheck: "localhost:3000/ready"',
        'neither a URL nor a path',
      ],
      unaddressed: ['url: "localhost:3000"', 'is not the address of an HTTP server'],
    };
    const names = Object.keys(bad);
    const { run, calls, validate } = project({
      'assay.config.yaml': config(good, ...names.map((name) => `{ name: ${name}, ${bad[name]![0]} }`)),
      'a.eval.yaml': `evalcases:\n${contains('a', 'good')}${names.map((name) => contains(name, name)).join('')}`,
    });
    const { exitCode, verdicts, messages } = await run();
    expect(exitCode).toBe(3);
    expect(verdicts).toEqual({ a: 'passed', ...Object.fromEntries(names.map((name) => [name, 'config'])) });
    for (const [name, [, words]] of Object.entries(bad)) expect(messages[name]).toContain(words);
    expect(calls()).toEqual(['a']);
    const { codes } = await validate();
    const code = {
      misspelled: 'unknown_hole',
      foreign: 'unknown_hole',
      files: 'unknown_hole',
      unaddressed: 'url',
    };
    expect(codes).toEqual(
      names.map((name, index) => {
        return `error ${(code as Record<string, string>)[name] ?? 'healthcheck'} assay.config.yaml:${index + 3}`;
      }),
    );
  });

  test('is a warning of `validate` if this machine lacks something a test needs', async () => {
    const keyless = '{ name: keyless, provider: openai, model: m }';
    const unset = '{ name: unset, provider: mock, response: "${{ NOT_SET }}" }';
    const sick =
      '{ name: sick, command_template: "touch ran; echo {PROMPT}", healthcheck: { type: command, command: no-such-program-here --version } }';
    const gone = '{ name: gone, command: [no-such-program-here] }';
    const unused = '{ name: unused, provider: anthropic, model: m }';
    const { run, calls, validate } = project({
      'assay.config.yaml': config(good, keyless, unset, sick, gone, unused),
      'a.eval.yaml': `evalcases:\n${['good', 'keyless', 'unset', 'sick', 'gone', 'absent'].map((name) => contains(name, name)).join('')}${contains('again', 'unset')}`,
    });
    const { codes, exitCode: validated } = await validate();
    expect(validated).toBe(0);
    expect(codes).toEqual([
      'warning unset_variable assay.config.yaml:3',
      'warning unset_variable assay.config.yaml:4',
      'warning healthcheck assay.config.yaml:5',
      'warning target_setup assay.config.yaml:6',
      'warning unknown_target a.eval.yaml:7',
    ]);
    const { exitCode, verdicts } = await run('--retry', '0');
    expect(exitCode).toBe(3);
    expect(verdicts).toEqual({
      good: 'passed',
      keyless: 'config',
      unset: 'config',
      again: 'config',
      sick: 'infrastructure',
      gone: 'infrastructure',
      absent: 'config',
    });
    expect(calls()).toEqual(['good']);
  });

  test('ends the run if there is no other', async () => {
    const { run } = project({
      'assay.config.yaml': config('{ name: bad, command_template: "echo {PROMT}" }'),
      'a.eval.yaml': `evalcases:\n${contains('a', 'bad')}`,
    });
    const { exitCode, stderr, report } = await run();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('{PROMT} is not a placeholder');
    expect(report.results).toEqual([]);
  });

  test('is not one whose command has braces that belong to the shell', async () => {
    const template = `X=1; PROMPT=shell; echo \${X} \${PROMPT} {a,b} "{prompt}" '{ "k": 1 }' {} {PROMPT}`;
    const { run, validate } = project({
      'assay.config.yaml': config(
        `{ name: t, command_template: ${JSON.stringify(`$\{{HOME}}/../bin/true 2>/dev/null; ${template}`)} }`,
      ),
      'a.eval.yaml': `evalcases:\n${evalCase('a', `evaluators: [{ type: contains, value: '1 shell' }, { type: contains, value: '{prompt} { "k": 1 } {} a' }]`)}`,
    });
    expect((await validate()).codes).toEqual([]);
    expect(await run()).toMatchObject({ exitCode: 0 });
  });

  test("a `url` target's health is checked before the first call, even if Assay does not start it", async () => {
    const { run } = project({
      'assay.config.yaml': config('{ name: api, url: "http://127.0.0.1:9/chat", healthcheck: /ready }'),
      'a.eval.yaml': `evalcases:\n${contains('a', 'api')}`,
    });
    const { exitCode, messages } = await run('--retry', '0');
    expect(exitCode).toBe(3);
    expect(messages['a']).toContain('the health check of api failed');
  });
});
