import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';
import { FETCH_AGENT, lookUpAndTell } from './fetch-agent.ts';
import { cassetteOf, runSuite, verdictsOf, type RanSuite } from './run-faults.ts';

const model = (call: number, what: unknown) => ({ on: 'model', call, do: what });
const search = (call: number, what: unknown) => ({ on: 'tool search', call, do: what });
const WEATHER = 'the weather is fine';

/** By id: the input, the faults, and what the output must hold. */
const TESTS: Readonly<
  Record<string, readonly [input: string, faults: readonly object[], output?: string, limits?: object]>
> = {
  limited: ['hello', [model(1, 429)]],
  unavailable: ['look up 1', [model(2, 503), model(3, 529)], `I found | ${WEATHER}`],
  reset: ['look up 1', [model(2, 'reset')], `I found | ${WEATHER}`],
  timeout: ['impatient', [model(1, 'timeout')]],
  cut: ['look up 1', [model(2, 'truncate')], `I found | ${WEATHER}`],
  'cut-stream': ['stream', [model(1, 'truncate')]],
  reply: ['hello', [model(1, { reply: 'lies' })], 'lies'],
  'reply-stream': ['stream', [model(1, { reply: 'lies' })], 'lies'],
  'reply-body': ['hello', [model(1, { reply: { choices: [{ message: { content: 'raw' } }] } })], 'raw'],
  'asks-again': [
    'hello',
    [
      model(1, {
        reply: {
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: null,
                tool_calls: [{ id: 'x', type: 'function', function: { name: 'search', arguments: '{}' } }],
              },
            },
          ],
        },
      }),
      search(1, { reply: 'gone' }),
    ],
    'I found | gone',
  ],
  'tool-cut': ['look up 2', [search(2, 'truncate')], `I found | ${WEATHER} | the weath`],
  'tool-lies': [
    'look up 2',
    [search(1, { reply: { error: 'no' } })],
    `I found | {"error":"no"} | ${WEATHER}`,
  ],
  'tool-and-model': ['look up 1', [search(1, { reply: 'gone' }), model(2, 500)], 'I found | gone'],
  // An error is not a call that counts, half an answer is.
  'within-limit': [
    'look up 1',
    [model(1, 429), model(2, 'reset')],
    `I found | ${WEATHER}`,
    { model_calls: 2 },
  ],
  'over-limit': ['look up 1', [model(2, 'truncate')], 'I found', { model_calls: 2 }],
  throws: ['plain hello', [model(1, 500)]],
  'throws-reset': ['plain hello', [model(1, 'reset')]],
  beyond: ['hello', [model(2, 429)]],
  'no-tool': ['hello', [search(1, 'truncate')]],
  'tool-once': ['look up 1', [search(2, 'truncate')]],
};

const SUITE = Object.entries(TESTS).map(([id, [input, faults, output = 'I found', limits]]) => ({
  id,
  input,
  ...(limits !== undefined && { limits }),
  faults,
  assert: { 'output.equals': output },
}));

let server: ModelServer;
let project: ReturnType<typeof createProject>;
let recorded: RanSuite;
let requests: number;

const run = (args: readonly string[], url = server.url) =>
  runSuite({ cwd: project.path, url, args: ['--agent', './agent.mjs', ...args] });

beforeAll(async () => {
  server = await startModelServer(lookUpAndTell);
  project = createProject({ 'agent.mjs': FETCH_AGENT, 'a.test.json': JSON.stringify(SUITE) });
  recorded = await run(['--cassettes', 'record', '--workers', '8', '--repeats', '2']);
  requests = server.requests.length;
});
afterAll(async () => {
  project.remove();
  await server.close();
});

test('an agent that survives its faults passes', () => {
  const passed = recorded.results.filter(({ verdict }) => verdict === 'passed').map(({ test: id }) => id);
  const lasting = new Set(['over-limit', 'throws', 'throws-reset', 'beyond', 'no-tool', 'tool-once']);
  const wanted = Object.keys(TESTS).filter((id) => !lasting.has(id));
  expect(passed.toSorted()).toEqual([...wanted, ...wanted].toSorted());
});

test('an agent that fails because of a fault is not retried', () => {
  for (const id of ['throws', 'throws-reset'])
    expect(recorded.of(id)).toMatchObject({ verdict: 'error', retries: 0, error: { kind: 'agent' } });
  expect(recorded.of('throws').error!.message).toContain('(after the fault at model call 1: 500)');
});

test('a call that a limit refuses gets no fault', () => {
  expect(recorded.of('over-limit')).toMatchObject({ verdict: 'error', error: { kind: 'limit' } });
});

test('a fault that did not happen is an error even if the assertions hold', () => {
  const message = 'the fault at model call 2 did not happen: the attempt made 1 model call';
  expect(recorded.of('beyond')).toMatchObject({ verdict: 'error', error: { kind: 'fault', message } });
  expect(recorded.of('no-tool').error!.message).toMatch(
    /call 1 of the tool "search".*the model never called/,
  );
  expect(recorded.of('tool-once').error!.message).toContain('the model called the tool once');
  const places = recorded.findings.filter(({ code }) => code === 'fault_missed');
  expect(places).toHaveLength(3);
  expect(places).toContainEqual(expect.objectContaining({ message, file: 'a.test.json', line: 1 }));
});

test('the trace shows what the model got', () => {
  const outputs = (id: string) => recorded.of(id).steps[0]!.tool_calls!.map(({ output }) => output);
  expect(outputs('tool-cut')).toEqual([WEATHER, 'the weath']);
  expect(outputs('tool-lies')).toEqual([{ error: 'no' }, WEATHER]);
  expect(recorded.of('reply').steps[0]).toMatchObject({
    model_calls: 1,
    evidence: { tool_calls: 'observed' },
  });
});

test("a cassette has the model's requests and responses, not the faults", () => {
  const count = (id: string) => cassetteOf(project.path, `${id}@`).split('"request"').length - 1;
  // Two repeats each.
  expect({ limited: count('limited'), cut: count('cut'), replies: count('reply') }).toEqual({
    limited: 2,
    cut: 6,
    replies: 0,
  });
  expect(cassetteOf(project.path, 'cut@')).not.toContain('broken');
  expect(cassetteOf(project.path, 'tool-and-model@')).not.toContain(WEATHER);
});

test('a replay has the same faults, without the model', async () => {
  const replayed = await run(
    ['--cassettes', 'replay', '--workers', '8', '--repeats', '2'],
    'http://127.0.0.1:9',
  );
  expect(verdictsOf(replayed)).toEqual(verdictsOf(recorded));
  expect(server.requests).toHaveLength(requests);
  expect(replayed.findings.map(({ code }) => code)).not.toContain('cassette_unused');
});

test('results are the same without cassettes and with one worker', async () => {
  const alone = await run(['--workers', '1', '--repeats', '2']);
  expect(verdictsOf(alone)).toEqual(verdictsOf(recorded));
});

test('grading a recorded run takes its faults into account', async () => {
  const grade = async () => {
    const { stdout } = await runCli(['grade', '--reporter', 'json'], { cwd: project.path });
    const { results } = JSON.parse(stdout) as { results: readonly AttemptRecord[] };
    return (id: string) => results.find(({ test: name }) => name === id)!;
  };
  const graded = await grade();
  expect(graded('limited')).toMatchObject({ verdict: 'passed', faults: [model(1, 429)] });
  expect(graded('beyond')).toMatchObject({ verdict: 'error', error: { kind: 'fault' } });
  const changed = SUITE.map((each) => (each.id === 'limited' ? { ...each, faults: [model(1, 500)] } : each));
  writeFileSync(join(project.path, 'a.test.json'), JSON.stringify(changed));
  const again = await grade();
  expect(again('limited')).toMatchObject({ verdict: 'error', error: { kind: 'outdated' } });
  expect(again('limited').error!.message).toContain('the faults changed after the agent replied');
  expect(again('reset')).toMatchObject({ verdict: 'passed' });
});

test('`assay check` checks the assertions and ignores the faults', async () => {
  const { stdout, exitCode } = await runCli(['check', '-t', 'limited'], { cwd: project.path });
  expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 });
});
