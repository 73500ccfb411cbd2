import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult } from '../project.ts';
import { listen } from '../servers/listen.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const TESTS = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `- { id: t${index}, input: "hi ${index}", assert: { output.includes: ok } }`,
  ).join('\n');

/** An endpoint that answers with these statuses, the last one for ever. Tells what was requested. */
async function endpoint(...statuses: number[]): Promise<{ readonly url: string; readonly paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    paths.push(request.url ?? '');
    const status = statuses[Math.min(paths.length, statuses.length) - 1]!;
    const body =
      status === 200 ? { output: 'ok', tools_used: [], memory: {} } : { id: `req_${paths.length}` };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  servers.push(server);
  return { url: `${await listen(server)}/`, paths };
}

interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly error: number;
  readonly not_started: number;
  readonly stopped_targets?: readonly {
    target: string;
    reason: string;
    not_started: number;
  }[];
  readonly gates: readonly { readonly outcome: string }[];
}

function summaryOf({ stdout, stderr }: CliResult): Summary {
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  return JSON.parse(stdout).summary;
}

async function runIn(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<CliResult & { readonly summary: Summary }> {
  const project = createProject(files);
  const ended = await runCli(['run', '--reporter', 'json', '--retry', '0', '--no-record', ...args], {
    cwd: project.path,
  });
  project.remove();
  return { ...ended, summary: summaryOf(ended) };
}

describe('a target where nothing works', () => {
  test('is not called any more after five attempts with the same error, whatever its numbers', async () => {
    const { url, paths } = await endpoint(503);
    const { summary, exitCode } = await runIn({ 'a.test.yaml': TESTS(9) }, ['--agent', url, '-j', '1']);
    expect(summary).toMatchObject({
      error: 5,
      not_started: 4,
      stopped_targets: [{ target: url, reason: 'same_error', not_started: 4 }],
    });
    expect(paths).toHaveLength(5);
    expect(exitCode).toBe(3);
  });

  test('is called for every test with --no-stop, and for few tests', async () => {
    const { url, paths } = await endpoint(503);
    const all = await runIn({ 'a.test.yaml': TESTS(7) }, ['--agent', url, '-j', '1', '--no-stop']);
    expect(all.summary).toMatchObject({ error: 7, not_started: 0 });
    expect(paths).toHaveLength(7);
    const few = await runIn({ 'a.test.yaml': TESTS(4) }, ['--agent', url, '-j', '1']);
    expect(few.summary).toMatchObject({ error: 4, not_started: 0 });
    expect(few.summary.stopped_targets).toBeUndefined();
  });

  test.each([
    ['passed', [200, 503]],
    ['ended with another error', [503, 500, 503]],
  ])('is called on if one of the first attempts %s', async (_, statuses) => {
    const { url } = await endpoint(...statuses);
    const { summary } = await runIn({ 'a.test.yaml': TESTS(8) }, ['--agent', url, '-j', '1']);
    expect(summary).toMatchObject({ not_started: 0 });
  });

  test('counts repeats, and leaves a gate on the pass rate undecided', async () => {
    const { url } = await endpoint(503);
    const args = ['--agent', url, '-j', '1', '--repeats', '3', '--min-pass-rate', '50%'];
    const { summary, exitCode } = await runIn({ 'a.test.yaml': TESTS(4) }, args);
    expect(summary).toMatchObject({
      not_started: 7,
      gates: [{ outcome: 'undecided' }],
    });
    expect(exitCode).toBe(3);
  });

  test('that times out is stopped too', async () => {
    const { summary } = await runIn(
      {
        'agent.mjs': 'export const agent = () => new Promise(() => {});',
        'a.test.yaml': TESTS(8),
      },
      ['--agent', './agent.mjs', '--timeout', '50ms'],
    );
    expect(summary).toMatchObject({ error: 5, not_started: 3 });
  });

  test('does not stop the other targets', async () => {
    const { url } = await endpoint(200);
    const config = `targets:\n  - { name: good, url: "${url}" }\n  - { name: dead, url: "http://127.0.0.1:9/" }`;
    const { summary, exitCode } = await runIn({ 'assay.config.yaml': config, 'a.test.yaml': TESTS(40) }, [
      '--target',
      'good,dead',
    ]);
    expect(summary).toMatchObject({
      passed: 40,
      stopped_targets: [{ target: 'dead' }],
      targets: [
        { target: 'good', not_started: 0 },
        { target: 'dead', not_started: summary.not_started },
      ],
    });
    expect(summary.not_started).toBeGreaterThan(0);
    expect(exitCode).toBe(3);
  });
});

describe('a refused key', () => {
  test.each([401, 403])('of an endpoint stops its target at once: %i', async (status) => {
    const { url, paths } = await endpoint(status);
    const { summary, exitCode } = await runIn({ 'a.test.yaml': TESTS(3) }, ['--agent', url, '-j', '1']);
    expect(summary).toMatchObject({
      error: 1,
      not_started: 2,
      stopped_targets: [{ reason: 'key_refused' }],
    });
    expect(paths).toHaveLength(1);
    expect(exitCode).toBe(3);
  });

  test('is what a 401 after good answers says, and not what a 403 says', async () => {
    const expired = await endpoint(200, 401);
    const { summary } = await runIn({ 'a.test.yaml': TESTS(4) }, ['--agent', expired.url, '-j', '1']);
    expect(summary).toMatchObject({ passed: 1, error: 1, not_started: 2 });
    const forbidden = await endpoint(200, 403, 200);
    const { summary: other } = await runIn({ 'a.test.yaml': TESTS(4) }, [
      '--agent',
      forbidden.url,
      '-j',
      '1',
    ]);
    expect(other).toMatchObject({ passed: 3, error: 1, not_started: 0 });
  });

  const FUNCTION = (path: string, url: string): string => `
    export async function agent() {
      const response = await fetch('${url}${path}', { method: 'POST', body: JSON.stringify({ model: 'm', messages: [] }) });
      if (!response.ok) throw Object.assign(new Error('refused'), { status: response.status });
      return { output: 'ok', tools_used: [] };
    }`;

  test('of the model of a function stops it, and that of one of its tools does not', async () => {
    const { url } = await endpoint(401);
    const run = (path: string) =>
      runIn({ 'agent.mjs': FUNCTION(path, url), 'a.test.yaml': TESTS(7) }, ['--agent', './agent.mjs']);
    expect((await run('v1/chat/completions')).summary).toMatchObject({
      error: 1,
      not_started: 6,
      stopped_targets: [{ reason: 'key_refused' }],
    });
    expect((await run('weather')).summary).toMatchObject({
      error: 7,
      not_started: 0,
    });
  });

  test('of the model of a Python agent, as its error tells', async () => {
    const agent = (path: string): string => `
class Response:
    status_code = 401
    url = "https://api.example.com/${path}"
class Refused(Exception):
    response = Response()
def agent(input_text, memory):
    raise RuntimeError("no answer") from Refused()
`;
    const run = (path: string) =>
      runIn({ 'agent.py': agent(path), 'a.test.yaml': TESTS(6) }, ['--agent', './agent.py', '-j', '1']);
    expect((await run('v1/messages')).summary).toMatchObject({
      error: 1,
      not_started: 5,
    });
    expect((await run('calendar')).summary).toMatchObject({
      error: 6,
      not_started: 0,
    });
  });

  test('of a judge stops the tests that need one, and the message names it', async () => {
    const { url } = await endpoint(401);
    const judged = (index: number): string =>
      `  - id: j${index}\n    input: hi\n    evaluators: [{ name: good, type: llm_judge, prompt: "Good? {{candidate_answer}}" }]`;
    const suite = [
      'tests:',
      ...[0, 1, 2].map(judged),
      '  - { id: plain, input: hi, evaluators: [{ name: c, type: contains, value: ok }] }',
      judged(3),
    ].join('\n');
    const { summary, stdout } = await runIn(
      {
        'assay.config.yaml': `judge: { provider: openai-compatible, name: strict, base_url: "${url}v1", model: m, api_key: k }`,
        'agent.mjs': "export const agent = () => ({ output: 'ok', tools_used: [] });",
        'a.eval.yaml': suite,
      },
      ['--agent', './agent.mjs'],
    );
    expect(JSON.parse(stdout).findings).toEqual([]);
    expect(summary).toMatchObject({
      error: 1,
      passed: 1,
      not_started: 3,
      stopped_targets: [
        {
          reason: 'judge_key_refused',
          error: { message: expect.stringContaining('judge') },
        },
      ],
    });
  });
});

test('every report says why tests were not started, and --resume runs them', async () => {
  const { url } = await endpoint(503, 503, 503, 503, 503, 200);
  const project = createProject({ 'a.test.yaml': TESTS(7) });
  const cli = (...args: string[]) => runCli(args, { cwd: project.path });
  const run = ['run', '--agent', url, '-j', '1', '--retry', '0'];
  const first = await cli(...run);
  expect(first.exitCode).toBe(3);
  expect(first.stdout).toContain('5 errored, 2 tests not started (5)');
  expect(first.stdout).toContain('was not called any more, because its first 5 attempts');
  for (const name of ['junit', 'tap', 'markdown', 'github', 'agent']) {
    const { stdout } = await cli('report', '--reporter', name);
    expect(stdout, name).toContain('was not called any more');
  }
  const resumed = await cli(...run, '--resume');
  expect(resumed.stdout).toContain('5 errored, 2 passed');
  expect(resumed.stdout).not.toContain('not started');
  project.remove();
});
