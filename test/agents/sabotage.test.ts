import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const SUITE = `
- {id: red, input: x, assert: {output.equals: y}}
- {id: green, input: y, assert: {output.includes: y}}
`;

interface Report {
  readonly run_id: string;
  readonly findings: readonly { readonly code: string; readonly message: string }[];
  readonly results: readonly {
    readonly test: string;
    readonly verdict: string;
    readonly started_at: string;
    readonly duration_ms: number;
    readonly error?: { readonly kind: string; readonly message: string };
  }[];
}

async function assay(files: Record<string, string>, args: readonly string[] = ['--reporter', 'json']) {
  const project = createProject({ 'a.test.yaml': SUITE, ...files });
  try {
    const all = ['run', '--agent', './agent.mjs', ...args];
    const result = await runCli(all, { cwd: project.path, env: { ASSAY_ISOLATE: 'true' } });
    return { ...result, report: () => JSON.parse(result.stdout) as Report };
  } finally {
    project.remove();
  }
}

const ECHO = 'export const agent = async (input) => input;';

/* The agent runs in another process, so none of this reaches Assay. */

test.each([
  `process.on('exit', () => { process.exitCode = 0; });`,
  `process.exitCode = 0;`,
  `process.on('beforeExit', () => { process.exitCode = 0; });`,
  `process.on('exit', () => process.reallyExit(0));`,
  `process.on('exit', () => process.exit(0));`,
  `process.emit = () => { process.exitCode = 0; return true; };`,
  `process.exit = process.reallyExit = process.abort = process.emit = () => {};`,
  `process.removeAllListeners(); process.exitCode = 0;`,
  `process.stdout.write = process.stderr.write = () => true;`,
  'Array.prototype.every = Array.prototype.some = () => true;',
  'String.prototype.includes = String.prototype.split = () => true;',
  'Array.prototype.pop = Array.prototype.push = () => {};',
  'Object.defineProperty(Array.prototype, "filter", { value: () => [] });',
  'JSON.stringify = JSON.parse = () => "{}";',
  'globalThis.Date = class { static now() { return 0; } }; performance.now = () => 0;',
  'process.chdir("/");',
  'Promise.prototype.then = function () { return this; };',
])('%s changes nothing about the run', async (sabotage) => {
  const { exitCode, stderr, report } = await assay({ 'agent.mjs': `${sabotage}\n${ECHO}` });
  const { results, findings } = report();
  expect(stderr).toBe('');
  expect([results.map(({ verdict }) => verdict), findings]).toEqual([['failed', 'passed'], []]);
  expect(exitCode).toBe(1);
});

test.concurrent('an agent that never finishes loading and removes the listeners', async () => {
  const never = 'process.removeAllListeners();\nawait new Promise(() => {});';
  expect((await assay({ 'agent.mjs': `${ECHO}\n${never}` })).exitCode).toBe(2);
});

test.concurrent('an attempt to end the process is an error of its test, and the other tests run', async () => {
  const calls = [
    ['process.reallyExit(0)', 'exited with code 0'],
    ['process.abort()', 'was killed by SIGABRT'],
    ['process.kill(process.pid)', 'was killed by SIGTERM'],
    ["process.kill(process.pid, 'SIGINT')", 'was killed by SIGINT'],
    ['process.kill(0, "SIGHUP")', 'was killed by SIGHUP'],
    ['process.exit(0)', 'exited with code 0'],
  ] as const;
  const toTest = (input: string) => ({ id: input, input, assert: { 'output.equals': 'went on' } });
  const others = [
    'process.kill(process.pid, 0)',
    "process.on('SIGUSR2', () => {}).kill(process.pid, 'SIGUSR2')",
  ];
  const { report, exitCode } = await assay(
    {
      'a.test.yaml': JSON.stringify([...calls.map(([input]) => input), ...others].map(toTest)),
      'agent.mjs': `export const agent = async (input) => { (0, eval)(input); await new Promise((done) => setTimeout(done, 20)); return 'went on'; };`,
    },
    ['--reporter', 'json', '--no-stop'],
  );
  const { results } = report();
  expect(results.slice(0, calls.length).map(({ error }) => error?.message.split(/:?\n/)[0])).toEqual(
    calls.map(([, how]) => `the agent ${how} in the middle of a step`),
  );
  expect(results.slice(calls.length).map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  expect(exitCode).toBe(3);
});

test('an agent that fakes clocks and timers is still timed and stopped', async () => {
  const agent = `
import timers from 'node:timers';
import promises from 'node:timers/promises';
const later = setTimeout;
export function agent(input) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate { static now() { return 0; } constructor() { super(0); } toISOString() { return '1970-01-01T00:00:00.000Z'; } };
  RealDate.now = () => 0;
  performance.now = () => 0;
  process.hrtime = Object.assign(() => [0, 0], { bigint: () => 0n });
  globalThis.setTimeout = globalThis.setInterval = globalThis.setImmediate = timers.setTimeout = promises.setTimeout = promises.setImmediate = () => new Promise(() => {});
  if (input === 'hang') return new Promise(() => {});
  return new Promise((resolve) => later(() => resolve(input), 250));
}`;
  const suite = `evalcases:
- {id: slow, input: slow, evaluators: [{type: latency, threshold: 200}]}
- {id: hang, input: hang, evaluators: [{type: contains, value: a}]}
- {id: late, input: late, evaluators: [{type: latency, threshold: 5000}]}
`;
  const { report, exitCode } = await assay({ 'agent.mjs': agent, 'a.test.yaml': suite }, [
    '--reporter',
    'json',
    '--timeout',
    '3s',
  ]);
  const { results, run_id } = report();
  expect(results.map(({ verdict, error }) => error?.kind ?? verdict)).toEqual([
    'failed',
    'timeout',
    'passed',
  ]);
  for (const { started_at } of results)
    expect(Date.parse(started_at)).toBeGreaterThan(Date.parse('2020-01-01'));
  expect(run_id).toMatch(/^20/);
  expect(exitCode).toBe(1);
});
