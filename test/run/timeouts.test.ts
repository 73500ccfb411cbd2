import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

interface Result {
  readonly test: string;
  readonly repeat: number;
  readonly verdict: string;
  readonly duration_ms: number;
  readonly error?: { readonly kind: string; readonly message: string };
  readonly steps: readonly {
    readonly output?: string;
    readonly duration_ms: number;
    readonly assertions: readonly { readonly passed?: boolean }[];
  }[];
}

async function assay(files: Record<string, string>, args: readonly string[]) {
  const project = createProject(files);
  cleanUps.push(() => project.remove());
  const { stdout, stderr, exitCode } = await runCli(['run', '--reporter', 'json', ...args], {
    cwd: project.path,
  });
  const { results, findings } = JSON.parse(stdout || `{"stderr": ${JSON.stringify(stderr)}}`) as {
    results: readonly Result[];
    findings: readonly { code: string; line: number }[];
  };
  return { results, findings, exitCode, byTest: new Map(results.map((result) => [result.test, result])) };
}

describe('no reply that comes after the limit passes', () => {
  const AGENT = `
const block = (ms) => { for (const end = process.hrtime.bigint() + BigInt(ms) * 1000000n; process.hrtime.bigint() < end;); };
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export function agent(input) {
  const [how, ms] = input.split(' ');
  if (how === 'block') { block(ms); return input; }
  if (how === 'throw') { block(ms); throw new Error('after all that'); }
  if (how === 'thenable') return { then(resolve) { block(ms); resolve(input); } };
  if (how === 'long') return 'a'.repeat(ms);
  return how === 'wait' ? later(ms).then(() => input) : Promise.resolve().then(() => { block(ms); return input; });
}`;
  const single = (id: string, input: string): string =>
    `- {id: ${id}, input: ${input}, assert: {output.includes: ' '}}\n`;

  test('of a function, however it spends its time', async () => {
    const suite = `
${single('blocks', 'block 450')}${single('throws', 'throw 450')}${single('async-blocks', 'async 450')}${single('thenable', 'thenable 450')}${single('just-late', 'wait 320')}
- id: steps
  steps:
    - {input: block 200, assert: {output.equals: block 200}}
    - {input: block 200, assert: {output.equals: block 200}}
    - {input: block 1, assert: {output.equals: block 1}}
- id: failed-first
  steps:
    - {input: block 1, assert: {output.equals: something else}}
    - {input: block 450, assert: {output.equals: block 450}}
${single('in-time', 'block 20')}`;
    const { byTest, exitCode } = await assay({ 'agent.mjs': AGENT, 'a.test.yaml': suite }, [
      '--agent',
      './agent.mjs',
      '--timeout',
      '300ms',
    ]);
    const { 'in-time': inTime, ...late } = Object.fromEntries(byTest);
    expect(Object.values(late).map(({ test: id, verdict, error }) => [id, verdict, error?.kind])).toEqual(
      ['blocks', 'throws', 'async-blocks', 'thenable', 'just-late', 'steps', 'failed-first'].map((id) => [
        id,
        'error',
        'timeout',
      ]),
    );
    expect(inTime).toMatchObject({ verdict: 'passed' });
    expect(late['blocks']!.error!.message).toMatch(
      /^the reply came after 0\.4\d+ s, and an attempt may take 0\.3 s \(--timeout\)$/,
    );
    // What was answered in time is shown with its claims, and nothing is asked after the limit.
    expect(late['steps']!.steps.map(({ output, assertions }) => [output, assertions.length])).toEqual([
      ['block 200', 1],
      [undefined, 0],
    ]);
    expect(late['failed-first']!.steps[0]!.assertions).toMatchObject([{ passed: false }]);
    expect(exitCode).toBe(3);
  });

  test('and no verdict of an evaluator that blocks past it', async () => {
    const suite =
      "evalcases:\n  - {id: a, threshold: 0.1, input: long 1100, evaluators: [{type: contains, value: a}, {type: regex, dialect: js, value: 'a*a*b'}]}\n";
    const { results } = await assay({ 'agent.mjs': AGENT, 'a.eval.yaml': suite }, [
      '--agent',
      './agent.mjs',
      '--timeout',
      '100ms',
    ]);
    expect(results).toMatchObject([
      {
        verdict: 'error',
        error: { kind: 'timeout', message: expect.stringContaining('evaluating the reply') as unknown },
      },
    ]);
  });

  test('of programs, Python and servers', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('hi'), 700));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const targets = [
      { name: 'program', command: ['sh', '-c', 'sleep 0.7; echo hi'] },
      { name: 'template', command_template: 'sleep 0.7; echo hi' },
      { name: 'python', agent: './agent.py' },
      { name: 'http', url: `http://127.0.0.1:${port}/` },
    ];
    const cases = targets.map(({ name }) => ({
      id: name,
      input: 'x',
      execution: { target: name },
      evaluators: [{ type: 'equals', value: 'hi' }],
    }));
    const { results } = await assay(
      {
        'agent.py': 'import time\ndef agent(input_text, memory):\n    time.sleep(0.7)\n    return "hi"\n',
        'assay.config.yaml': JSON.stringify({ targets }),
        'a.eval.yaml': JSON.stringify({ evalcases: cases }),
      },
      ['--timeout', '300ms', '--workers', '4'],
    );
    expect(results.map(({ verdict, error }) => [verdict, error?.kind])).toEqual(
      targets.map(() => ['error', 'timeout']),
    );
  });
});

test('a limit of weeks is no limit of a millisecond', async () => {
  const { results } = await assay(
    {
      'agent.mjs':
        'export const agent = (input) => new Promise((done) => setTimeout(() => done(input), 50));',
      'a.test.yaml': 'input: x\nassert: {output.equals: x}\n',
    },
    ['--agent', './agent.mjs', '--timeout', '1000h'],
  );
  expect(results).toMatchObject([{ verdict: 'passed' }]);
});

test('a reported duration that the clock contradicts is doubted where a claim is about time', async () => {
  const { results, findings } = await assay(
    {
      'agent.mjs':
        'export const agent = (output) => new Promise((done) => setTimeout(() => done({ output, duration_ms: 5 }), 1100));',
      'a.eval.yaml': `evalcases:
  - {id: timed, input: x, evaluators: [{type: composite, aggregator: {type: weighted_average}, evaluators: [{type: latency, threshold: 100}]}]}
  - {id: untimed, input: x, evaluators: [{type: equals, value: x}]}
`,
    },
    ['--agent', './agent.mjs', '--workers', '2'],
  );
  expect(results.map(({ steps }) => steps[0]!.duration_ms)).toEqual([5, 5]);
  expect(findings).toMatchObject([{ code: 'duration_doubt', line: 2 }]);
});
