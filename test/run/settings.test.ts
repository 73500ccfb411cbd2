import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli } from '../project.ts';
import { runFolders } from '../run-folders.ts';

const projects: ReturnType<typeof createProject>[] = [];
afterAll(() => projects.forEach((project) => project.remove()));
let server: Server | undefined;
afterEach(() => server?.close());

const SUITE = `targets: [TARGETS]
evalcases: [{id: t, input: x, evaluators: [{type: regex, value: .}]}, {id: u, input: x, evaluators: [{type: regex, value: .}]}]
`;
/** Changes its settings, which must change nothing for the next test. */
const FUNCTION = `export function agent(input, memory, context) {
  const output = JSON.stringify(context.settings);
  context.settings.model = 'changed';
  return { output, tools_used: [] };
}
`;
const PYTHON = `import json
def agent(input_text, memory, context):
    return {"output": json.dumps(context["settings"], separators=(",", ":"))}
def old(input_text, memory):
    return {"output": input_text}
`;
const PROGRAM = `let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () =>
  console.log(JSON.stringify({ output: JSON.stringify(JSON.parse(text).settings) })));
`;

function create(targets: string, config: string): string {
  const project = createProject({
    'assay.config.yaml': config,
    'a.eval.yaml': SUITE.replace('TARGETS', targets),
    'agent.mjs': FUNCTION,
    'agent.py': PYTHON,
    'program.mjs': PROGRAM,
  });
  projects.push(project);
  return project.path;
}

async function outputs(cwd: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { stdout } = await runCli(['run', '--reporter', 'json'], { cwd, env });
  const { results } = JSON.parse(stdout) as Report;
  return results
    .map(({ target, steps, error }) => `${target} ${steps[0]?.output ?? error?.message}`)
    .toSorted();
}

test('a function, a Python function, a program and a server get `with` of their target as settings', async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { settings, model } = JSON.parse(body) as { settings?: unknown; model?: string };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ output: model ?? JSON.stringify(settings) }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server!.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = 'with: {model: m, deep: {list: [1, true, null]}}';
  const given = '{"model":"m","deep":{"list":[1,true,null]}}';
  const cwd = create(
    'function, python, old, command, line, url, mapped, none',
    `targets:
  - {name: function, agent: ./agent.mjs, ${settings}}
  - {name: python, agent: ./agent.py, ${settings}}
  - {name: old, agent: './agent.py:old', ${settings}}
  - {name: command, command: [node, ./program.mjs], ${settings}}
  - {name: line, agent: 'cmd: node ./program.mjs', ${settings}}
  - {name: url, url: '${url}', ${settings}}
  - {name: mapped, url: '${url}', body: {model: '{{settings.model}}'}, ${settings}}
  - {name: none, agent: ./agent.mjs}
`,
  );
  const expected: readonly (readonly [string, string])[] = [
    ['command', given],
    ['function', given],
    ['line', given],
    ['mapped', 'm'],
    ['none', '{}'],
    ['old', 'x'],
    ['python', given],
    ['url', given],
  ];
  expect(await outputs(cwd)).toEqual(expected.flatMap(([name, said]) => Array(2).fill(`${name} ${said}`)));
});

test("a variant's settings win over the target's, and secrets are variables that no record shows", async () => {
  const cwd = create(
    'bot',
    `targets:
  - name: bot
    agent: ./agent.mjs
    with: {model: small, style: plain, api_key: '\${{ OTHER }}'}
    variants:
      - {name: small}
      - {name: large, with: {model: large, password: not-a-variable}}
`,
  );
  const env = { OTHER: 'value-of-the-key' };
  const written = (model: string, more = ''): string =>
    `{"model":"${model}","style":"plain","api_key":"[redacted]"${more}}`;
  expect(await outputs(cwd, env)).toEqual([
    ...Array<string>(2).fill(`bot/large ${written('large', ',"password":"[redacted]"')}`),
    ...Array<string>(2).fill(`bot/small ${written('small')}`),
  ]);
  const [folder] = runFolders(cwd);
  const { targets } = JSON.parse(readFileSync(join(folder!, 'run.json'), 'utf8')) as {
    readonly targets: readonly { readonly name: string; readonly with?: unknown }[];
  };
  expect(targets.map(({ name, with: own }) => [name, own])).toEqual([
    ['bot/small', { model: 'small', style: 'plain', api_key: '${{ OTHER }}' }],
    ['bot/large', { model: 'large', style: 'plain', api_key: '${{ OTHER }}', password: '[redacted]' }],
  ]);
});

test.each(['--changed', '--resume'])(
  '%s runs the tests of a target again whose settings changed',
  async (option) => {
    const config = (model: string): string =>
      `targets:\n  - {name: one, agent: ./agent.mjs, with: {model: ${model}}}\n  - {name: two, agent: ./agent.mjs}\n`;
    const cwd = create('one, two', config('a'));
    await runCli(['run', '--reporter', 'json', ...(option === '--changed' ? [option] : [])], { cwd });
    writeFileSync(join(cwd, 'assay.config.yaml'), config('b'));
    const { stdout } = await runCli(['run', option, '--reporter', 'json'], { cwd });
    const { results } = JSON.parse(stdout) as Report;
    const of = (name: string) =>
      results.filter(({ target }) => target === name).map(({ steps }) => steps[0]!.output);
    expect(of('one')).toEqual(Array(2).fill('{"model":"b"}'));
  },
);

test.each([
  ['provider: openai, model: m', /`temperature` and other options on the target itself/],
  ['provider: mock, response: x', /a mock target reads no settings/],
  ['provider: codex', /`model` and `args`/],
  ['command_template: "echo {PROMPT}"', /into the command line/],
])('`with` has no effect for {%s}, which is an error at its place', async (written, hint) => {
  const cwd = create('t', `targets: [{name: t, ${written}, with: {a: b}}]\n`);
  const { stdout, exitCode } = await runCli(['validate', '--json'], { cwd });
  const errors = (JSON.parse(stdout) as Report).findings.filter(({ severity }) => severity === 'error');
  expect(errors).toMatchObject([{ path: 'targets[0].with', hint: expect.stringMatching(hint) as string }]);
  expect(exitCode).toBe(2);
});

test('`env` of a variant of a function in the process of Assay is refused with `with` as the way out', async () => {
  const cwd = create(
    't',
    'targets: [{name: t, agent: ./agent.mjs, isolate: false, variants: [{name: a, env: {MODEL: x}}]}]\n',
  );
  const { stdout } = await runCli(['validate', '--json'], { cwd });
  expect((JSON.parse(stdout) as Report).findings).toMatchObject([
    { code: 'variant_field', hint: expect.stringContaining('`with: { MODEL: ... }`') as string },
  ]);
});
