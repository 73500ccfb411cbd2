import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { listen } from '../servers/listen.ts';

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
    // In the process of Assay, a function that blocks replies late instead.
    env: { ASSAY_ISOLATE: 'true' },
  });
  const { results, findings } = JSON.parse(stdout || `{"stderr": ${JSON.stringify(stderr)}}`) as {
    results: readonly Result[];
    findings: readonly { code: string; line: number }[];
  };
  return { results, findings, exitCode };
}

describe('no reply after the time limit passes', () => {
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

  test('from a function, however it spends its time', async () => {
    const inputs = {
      blocks: 'block 450',
      throws: 'throw 450',
      'blocks-later': 'async 450',
      thenable: 'thenable 450',
      'just-late': 'wait 320',
    };
    const suite = Object.entries(inputs).map(([id, input]) => ({
      id,
      input,
      assert: { 'output.includes': ' ' },
    }));
    const step = { input: 'block 200', assert: { 'output.equals': 'block 200' } };
    const { results, exitCode } = await assay(
      {
        'agent.mjs': AGENT,
        'a.test.yaml': JSON.stringify([...suite, { id: 'steps', steps: [step, step, step] }]),
      },
      ['--agent', './agent.mjs', '--timeout', '300ms', '--no-stop'],
    );
    expect(results.map(({ verdict, error }) => [verdict, error?.kind])).toEqual(
      Array.from({ length: 6 }, () => ['error', 'timeout']),
    );
    expect(results[0]!.error!.message).toBe('no reply after 0.3 s (--timeout)');
    // Nothing is asked after the limit.
    expect(results[5]!.steps.length).toBeLessThan(3);
    expect(exitCode).toBe(3);
  });

  test('but steps answered in time are shown with their claims', async () => {
    const suite = `
steps:
  - {input: block 1, assert: {output.equals: something else}}
  - {input: block 1100, assert: {output.equals: block 1100}}
`;
    const { results } = await assay({ 'agent.mjs': AGENT, 'a.test.yaml': suite }, [
      '--agent',
      './agent.mjs',
      '--timeout',
      '1s',
    ]);
    expect(results).toMatchObject([
      {
        error: { kind: 'timeout' },
        steps: [{ output: 'block 1', assertions: [{ passed: false }] }, { assertions: [] }],
      },
    ]);
  });

  test('and neither does an evaluator that blocks past the limit', async () => {
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
        error: { kind: 'timeout' },
      },
    ]);
  });

  test('from programs, Python and servers', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('hi'), 700));
    const url = await listen(server);
    cleanUps.push(() => server.close());
    const targets = [
      { name: 'program', command: ['sh', '-c', 'sleep 0.7; echo hi'] },
      { name: 'template', command_template: 'sleep 0.7; echo hi' },
      { name: 'python', agent: './agent.py' },
      { name: 'http', url },
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

test('a limit of several weeks does not overflow to a millisecond', async () => {
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

test('a reported duration that the clock contradicts is a warning, and a claim about time is not measured', async () => {
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
  expect(results.map(({ verdict }) => verdict)).toEqual(['error', 'passed']);
  expect(findings.toSorted((one, other) => one.line! - other.line!)).toMatchObject([
    { code: 'duration_doubt', line: 2 },
    { code: 'duration_doubt', line: 3 },
  ]);
});
