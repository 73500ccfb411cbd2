import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../project.ts';
import { startModelServer, type ModelServer, type ReceivedRequest } from '../servers/model-server.ts';
import { runSuite, verdictsOf } from './run-faults.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(converse);
});
afterAll(() => server.close());

/** Calls the tool once for each question, and then says in which form it got the results: as they are, cut, or of somebody else. */
function converse({ text }: ReceivedRequest) {
  const asked = text.split('"what is the weather"').length - 1;
  const found = text.match(/the weather is fine|corrupt|the weath(?=["\\])/g) ?? [];
  if (found.length < asked) return { toolCalls: [{ name: 'search', args: '{}' }] };
  return {
    text: found.map((result) => ({ corrupt: 'LIE', 'the weath': 'CUT' })[result] ?? 'TRUE').join(' '),
  };
}

const TOOLS = [{ name: 'search', replies: [{ return: 'the weather is fine' }] }];
const chat = (name: string, more: object) => ({ name, model: 'm', api_key: 'k', tools: TOOLS, ...more });

const config = () => ({
  targets: [
    chat('responses', { provider: 'openai', base_url: `${server.url}/v1` }),
    chat('chat', { provider: 'openai', api: 'chat', base_url: `${server.url}/v1` }),
    chat('anthropic', { provider: 'anthropic', base_url: `${server.url}/v1` }),
    chat('google', { provider: 'google', base_url: `${server.url}/v1beta` }),
  ],
});

const model = (call: number, what: unknown) => ({ on: 'model', call, do: what });
const search = (call: number, what: unknown) => ({ on: 'tool search', call, do: what });

/** By id: the faults, and the outputs of the steps. */
const TESTS: Readonly<Record<string, readonly [faults: readonly object[], ...outputs: readonly string[]]>> = {
  reply: [[model(2, { reply: 'lies' })], 'lies'],
  limited: [[model(2, 429)], 'TRUE'],
  broken: [[model(1, 'reset'), model(3, 'truncate')], 'TRUE'],
  refused: [[model(1, 401)], ''],
  history: [[search(1, { reply: 'corrupt' }), search(2, 'truncate')], 'LIE', 'LIE CUT', 'LIE CUT TRUE'],
};

const evalcases = () =>
  config().targets.flatMap(({ name }) =>
    Object.entries(TESTS).map(([id, [faults, ...outputs]]) => ({
      id: `${name} ${id}`,
      execution: { target: name },
      faults,
      steps: outputs.map((output) => ({
        input: 'what is the weather',
        assert: { 'output.equals': output },
      })),
    })),
  );

test('faults work with the models of every API, live and replayed', async () => {
  const project = createProject({
    'assay.config.yaml': JSON.stringify(config()),
    'a.eval.json': JSON.stringify({ evalcases: evalcases() }),
  });
  const run = (mode: string) =>
    runSuite({ cwd: project.path, url: server.url, args: ['--workers', '8', '--cassettes', mode] });
  const recorded = await run('record');
  const { length } = server.requests;
  for (const { name } of config().targets) {
    const ended = Object.keys(TESTS).map((id) => {
      const { verdict, retries, error } = recorded.of(`${name} ${id}`);
      return [id, verdict, retries, error?.kind];
    });
    expect(ended, name).toEqual([
      ['reply', 'passed', 0, undefined],
      ['limited', 'passed', 1, undefined],
      ['broken', 'passed', 2, undefined],
      ['refused', 'error', 0, 'agent'],
      ['history', 'passed', 0, undefined],
    ]);
    const { steps } = recorded.of(`${name} history`);
    const outputs = steps.map(({ tool_calls }) => tool_calls!.map(({ output }) => output));
    expect(outputs, name).toEqual([['corrupt'], ['the weath'], ['the weather is fine']]);
  }
  const replayed = await run('replay');
  expect(verdictsOf(replayed)).toEqual(verdictsOf(recorded));
  expect(server.requests).toHaveLength(length);
  project.remove();
});
