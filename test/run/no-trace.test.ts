import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/base/model/finding.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

const assistant = (content: unknown) => ({ role: 'assistant', content });

/** What an agent answers, by the word it is asked. */
const REPLIES: Readonly<Record<string, unknown>> = {
  text: 'done',
  object: { output: 'done' },
  nothing: { output: 'done', tools_used: null, tool_calls: null, output_messages: null },
  field: { text: 'done' },
  none: { output: 'done', tools_used: [] },
  calls: { output: 'done', tool_calls: [] },
  messages: { output_messages: [assistant('done')] },
  used: { output: 'done', tools_used: ['rm'] },
  called: { output: 'done', tool_calls: [{ name: 'rm', args: {} }] },
  block: {
    output: 'done',
    output_messages: [assistant([{ type: 'agent_tool_call', title: 'rm' }]), assistant('done')],
  },
  theirs: {
    output: 'done',
    output_messages: [assistant([{ type: 'tool_use', name: 'rm', input: {} }]), assistant('done')],
  },
  camel: { output: 'done', toolCalls: [{ toolName: 'rm' }] },
  both: { output: 'done', tools_used: [], tool_calls: [{ tool: 'rm' }] },
};

const CLAIMS: Readonly<Record<string, string>> = {
  tools: 'assert: { tools_used: [] }',
  excludes: 'assert: { tools_used.excludes: [rm] }',
  expected: 'expected: { output: done }',
  exact: 'assert: [{ type: tool_trajectory, mode: exact, expected: [] }]',
  forbidden: 'assert: [{ type: tool_trajectory, forbidden: [rm] }]',
  metrics: 'assert: [{ type: execution_metrics, max_tool_calls: 0 }]',
  composite:
    'assert: [{ type: composite, evaluators: [{ type: contains, value: done }, { type: tool_trajectory, max_calls: 0 }] }]',
  output: 'assert: { output.equals: done }',
};

const KNOWN = new Set(['none', 'calls', 'messages']);
const USED = new Set(['used', 'called', 'theirs']);
/** An object with `output`: of a function, step tests take it for no tools. */
const LEFT_OUT = new Set(['object', 'nothing']);

const SUITE = Object.keys(REPLIES)
  .flatMap((reply) =>
    Object.entries(CLAIMS).map(([claim, yaml]) => `- id: ${reply} ${claim}\n  input: ${reply}\n  ${yaml}\n`),
  )
  .join('');

const FILES = {
  'a.test.yaml': SUITE,
  'replies.json': JSON.stringify(REPLIES),
  'agent.mjs':
    "import { readFileSync } from 'node:fs';\nconst replies = JSON.parse(readFileSync('replies.json', 'utf8'));\nexport const agent = (input) => replies[input];\n",
  'agent.py':
    "import json\nreplies = json.load(open('replies.json'))\ndef agent(input_text, memory):\n    return replies[input_text]\n",
  'agent.sh': 'cat "replies/$(sed \'s/^{"input":"\\([a-z]*\\)".*/\\1/\')"\n',
  ...Object.fromEntries(Object.entries(REPLIES).map(([name, reply]) => [`replies/${name}`, printed(reply)])),
};

function printed(reply: unknown): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply);
}

interface Report {
  readonly exit_code: number;
  readonly findings: readonly Finding[];
  readonly results: readonly AttemptRecord[];
}

const project = createProject(FILES);
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    const reply = REPLIES[(JSON.parse(body) as { input: string }).input];
    response.setHeader('content-type', typeof reply === 'string' ? 'text/plain' : 'application/json');
    response.end(printed(reply));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  project.remove();
});

async function assay(...args: readonly string[]): Promise<Report> {
  const { stdout } = await runCli([...args, '--reporter', 'json'], { cwd: project.path });
  return JSON.parse(stdout) as Report;
}

function verdicts({ results }: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(results.map(({ test: id, verdict }) => [id, verdict]));
}

function expectedVerdicts({
  isFunction,
  strict = false,
}: {
  readonly isFunction: boolean;
  readonly strict?: boolean;
}) {
  return Object.fromEntries(
    Object.keys(REPLIES).flatMap((reply) =>
      Object.keys(CLAIMS).map((claim) => {
        const takesForNone =
          isFunction && !strict && LEFT_OUT.has(reply) && /^(?:tools|expected)$/.test(claim);
        const isKnownToHold = claim === 'output' || KNOWN.has(reply) || takesForNone;
        const verdict = isKnownToHold ? 'passed' : USED.has(reply) ? 'failed' : 'error';
        // A reply without memory is a warning where memory is looked at.
        return [`${reply} ${claim}`, strict && claim === 'expected' ? 'error' : verdict];
      }),
    ),
  );
}

describe.each(['./agent.mjs', './agent.py', 'cmd: sh agent.sh', 'http'])(
  'without a trace, from %s',
  (agent) => {
    const isFunction = agent.startsWith('./');
    let report: Report;

    beforeAll(async () => {
      const { port } = server.address() as AddressInfo;
      report = await assay('run', '--agent', agent === 'http' ? `http://127.0.0.1:${port}/` : agent);
    });

    test('there is no verdict about tools', () => {
      expect(verdicts(report)).toEqual(expectedVerdicts({ isFunction }));
      expect(report.exit_code).toBe(1);
    });

    test('an error says what to do', () => {
      const messageOf = (id: string) => report.results.find(({ test: own }) => own === id)!.error!.message;
      for (const claim of ['tools', 'excludes', 'expected', 'exact', 'forbidden', 'metrics', 'composite']) {
        expect(messageOf(`text ${claim}`)).toContain('let it return `tools_used`');
        expect(messageOf(`block ${claim}`)).toContain('output_messages[0].content[0]');
        expect(messageOf(`camel ${claim}`)).toContain('`toolCalls` of the reply contains a tool call');
        expect(messageOf(`both ${claim}`)).toContain('`tools_used` and `tool_calls` of the reply disagree');
      }
    });

    test('only for functions, omitted tools count as none, with a warning at the claim', () => {
      const warnings = report.findings.filter(({ code }) => code === 'no_trace');
      const places = warnings.map(({ line, path }) => ({ line, path }));
      const lineOf = (id: string) => SUITE.split('\n').indexOf(`- id: ${id}`) + 3;
      const all = ['object', 'nothing'].flatMap((reply) => [
        { line: lineOf(`${reply} tools`), path: 'tools_used' },
        { line: lineOf(`${reply} expected`), path: 'expected' },
      ]);
      expect(places).toHaveLength(isFunction ? all.length : 0);
      if (isFunction) expect(places).toEqual(expect.arrayContaining(all));
    });

    test('grading the run gives the same, since the record keeps missing and empty apart', async () => {
      const graded = await assay('grade', 'latest');
      expect(verdicts(graded)).toEqual(verdicts(report));
      expect(graded.findings.filter(({ code }) => code === 'no_trace')).toHaveLength(isFunction ? 4 : 0);
    });
  },
);

test('with --strict it is not measured, and grading that run does not measure it either', async () => {
  const report = await assay('run', '--agent', './agent.mjs', '--strict');
  expect(verdicts(report)).toEqual(expectedVerdicts({ isFunction: true, strict: true }));
  const first = report.results.find(({ test: id }) => id === 'object tools');
  expect(first!.error!.message).toContain('(no_trace, an error with --strict)');
  expect(verdicts(await assay('grade', 'latest'))).toEqual(verdicts(report));
});

const STEPS = `steps:
  - input: object
    assert: { tools_used: [] }
  - input: object
    assert: { tools_used: [] }
`;

test('the warning comes once per test; a whole test is unknown if one of its steps is', async () => {
  const metrics = 'assert:\n  - { type: execution_metrics, max_llm_calls: 9 }\n';
  const calls = 'assert:\n  - { type: tool_trajectory, forbidden: [x] }\n';
  const own = createProject({
    ...FILES,
    'a.test.yaml': STEPS,
    'b.eval.yaml': `evalcases:\n${['messages', 'object']
      .flatMap((reply) => [
        `  - id: ${reply} model calls\n    steps: [{ input: messages }, { input: ${reply} }]\n${indent(metrics)}`,
        `  - id: ${reply} tool calls\n    steps: [{ input: used }, { input: ${reply} }]\n${indent(calls)}`,
      ])
      .join('')}`,
  });
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json'], { cwd: own.path });
  own.remove();
  const report = JSON.parse(stdout) as Report;
  expect(verdicts(report)).toEqual({
    a: 'passed',
    'messages model calls': 'passed',
    'messages tool calls': 'passed',
    'object model calls': 'error',
    'object tool calls': 'error',
  });
  expect(report.findings.filter(({ code }) => code === 'no_trace')).toMatchObject([{ line: 3 }]);
});

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '    ');
}
