import { describe, expect, test } from 'vitest';
import { createProject, startCli } from '../project.ts';

const SUITE = '- {id: red, input: x, assert: {output.equals: y}}\n';

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
    const result = await startCli(['run', '--agent', './agent.mjs', ...args], {
      cwd: project.path,
    });
    return { ...result, report: () => JSON.parse(result.stdout) as Report };
  } finally {
    project.remove();
  }
}

describe('the exit code of a red run stays red', () => {
  const ECHO = 'export const agent = (input) => input;';

  test.concurrent.each([
    [`process.on('exit', () => { process.exitCode = 0; });`, 'set process.exitCode to 0'],
    [`process.exitCode = 0;`, 'set process.exitCode to 0'],
    [`process.on('beforeExit', () => { process.exitCode = 0; });`, ''],
    [`process.on('exit', () => process.reallyExit(0));`, 'process.reallyExit(0) was called'],
    [`process.on('exit', () => process.exit(0));`, 'process.exit(0) was called'],
    [`process.on('exit', () => { throw new Error('in the way'); });`, 'in the way'],
    [`process.emit = () => { process.exitCode = 0; return true; };`, 'set process.exitCode to 0'],
    [`process.exit = process.reallyExit = process.abort = process.emit = () => {};`, ''],
    [`process.removeAllListeners(); process.exitCode = 0;`, 'set process.exitCode to 0'],
    [`process.stdout.write = process.stderr.write = () => true;`, ''],
  ])('%s', async (sabotage, said) => {
    const { exitCode, stderr, report } = await assay({ 'agent.mjs': `${sabotage}\n${ECHO}` });
    expect(stderr).toContain(said);
    expect(report().results).toMatchObject([{ verdict: 'failed' }]);
    expect(exitCode).toBe(1);
  });

  test.concurrent('an agent that never finishes loading and removes the listeners', async () => {
    const never = 'process.removeAllListeners();\nawait new Promise(() => {});';
    expect((await assay({ 'agent.mjs': `${ECHO}\n${never}` })).exitCode).toBe(2);
  });

  test.concurrent('an attempt to end the process is an error of its test, and the other tests run', async () => {
    const calls = [
      'process.reallyExit(0)',
      'process.abort()',
      'process.kill(process.pid)',
      "process.kill(process.pid, 'SIGINT')",
      'process.kill(String(process.pid), 15)',
      'process.kill(0, "SIGHUP")',
      'process.exit(0)',
    ];
    const tests = calls.map((input) => ({ id: input, input, assert: { 'output.equals': 'went on' } }));
    const others = [
      'process.kill(process.pid, 0)',
      "process.on('SIGUSR2', () => {}).kill(process.pid, 'SIGUSR2')",
    ];
    const fine = others.map((input) => ({ id: input, input, assert: { 'output.equals': 'went on' } }));
    const { report, exitCode } = await assay({
      'a.test.yaml': JSON.stringify([...tests, ...fine]),
      'agent.mjs': `export const agent = (input) => { try { (0, eval)(input); } catch {} return 'went on'; };`,
    });
    const results = report().results;
    expect(results.slice(0, calls.length).map(({ error }) => error?.kind)).toEqual(calls.map(() => 'agent'));
    expect(results[1]!.error!.message).toBe('the agent called process.abort(): return or throw instead');
    expect(results.slice(calls.length).map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
    expect(exitCode).toBe(3);
  });
});

describe('built-ins that an agent replaces', () => {
  test.concurrent.each([
    'Array.prototype.every = Array.prototype.some = () => true;',
    'String.prototype.includes = () => true;',
    'Object.defineProperty(Array.prototype, "filter", { value: () => [] });',
    'globalThis.JSON = { ...JSON, stringify: JSON.stringify, parse: JSON.parse };',
  ])('%s: the run does not succeed', async (sabotage) => {
    const { exitCode, stderr, stdout } = await assay(
      { 'agent.mjs': `export const agent = (input) => { ${sabotage} return input; };` },
      [],
    );
    expect([exitCode, stderr + stdout]).toEqual([2, expect.stringContaining('builtins_replaced')]);
  });

  test.concurrent('additions, a seeded Math.random and a listener are allowed', async () => {
    const harmless =
      'Array.prototype.last = function () { return this.at(-1); }; Math.random = () => 0.5; process.on("exit", () => {});';
    const { report, exitCode } = await assay({
      'agent.mjs': `${harmless}\nexport const agent = () => 'y';`,
    });
    expect([exitCode, report().findings]).toEqual([0, []]);
  });
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
  const { results, findings, run_id } = report();
  expect(results.map(({ verdict, error }) => error?.kind ?? verdict)).toEqual([
    'failed',
    'timeout',
    'passed',
  ]);
  for (const { started_at } of results)
    expect(Date.parse(started_at)).toBeGreaterThan(Date.parse('2020-01-01'));
  expect(run_id).toMatch(/^20/);
  const clock = findings.find(({ code }) => code === 'clock_replaced')!.message;
  for (const name of ['Date', 'setTimeout', 'performance.now']) expect(clock).toContain(name);
  expect(exitCode).toBe(1);
});
