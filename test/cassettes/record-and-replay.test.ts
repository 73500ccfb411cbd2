import { afterEach, expect, test } from 'vitest';
import { createTapedProject, FETCH_AGENT, KEY, weatherModel, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

const SUITE = `
tests:
  - id: paris
    input: Weather in Paris?
    assert: [{ type: contains, value: 21 degrees }, { type: tool_trajectory, mode: exact, expected: [{ tool: weather }] }]
  - id: Rome, too
    input: Weather in Rome?
    assert: [{ type: contains, value: Weather in Rome }]
`;
const FILES = {
  'assay.config.yaml': 'agent: ./agent.mjs\n',
  'agent.mjs': FETCH_AGENT,
  'weather.eval.yaml': SUITE,
};

test('a run is recorded, and replayed without a model, a key or a server', async () => {
  project = await createTapedProject(FILES);
  const recorded = await project.run(['run', '--cassettes', 'record']);
  expect(recorded, recorded.stderr).toMatchObject({ exitCode: 0 });
  const files = project.cassettes();
  expect(Object.keys(files)).toEqual([
    'weather.eval.yaml/paris@default.json',
    expect.stringMatching(/^weather\.eval\.yaml\/rome-too~[0-9a-f]{8}@default\.json$/),
  ]);
  for (const text of Object.values(files)) {
    expect(text).not.toContain(KEY);
    expect(text.toLowerCase()).not.toContain('authorization');
  }
  const asked = project.server.requests.length;
  expect(asked).toBe(4);
  await project.server.close();
  const replayed = await project.run(['run', '--cassettes', 'replay']);
  expect(replayed, replayed.stdout).toMatchObject({ exitCode: 0, stderr: '' });
  expect(project.server.requests).toHaveLength(asked);
  expect(project.cassettes()).toEqual(files);
});

test('a judge is asked the same again, however long the tools of the agent took', async () => {
  const suite = `
tests:
  - id: paris
    input: Weather in Paris?
    expected_outcome: Names the degrees
    assert: [{ type: llm_judge }]
`;
  const judge = 'judge: { provider: openai, api: chat, model: judge-model }\n';
  const answer = { reasoning: 'fine', evidence: [], hits: [], misses: [], score: 1 };
  const model = weatherModel();
  project = await createTapedProject(
    { ...FILES, 'assay.config.yaml': `agent: ./agent.mjs\n${judge}`, 'weather.eval.yaml': suite },
    (request, index) =>
      (request.body as { readonly model: string }).model === 'judge-model'
        ? { text: JSON.stringify(answer) }
        : model(request, index),
  );
  expect(await project.run(['run', '--cassettes', 'record'])).toMatchObject({ exitCode: 0 });
  const replayed = await project.run(['run', '--cassettes', 'replay']);
  expect(replayed, replayed.stdout).toMatchObject({ exitCode: 0 });
});

test('recording the same conversation again changes only what the model sent', async () => {
  project = await createTapedProject(FILES, (request) => {
    const turn = weatherModel()(request, 0);
    return turn.toolCalls === undefined
      ? turn
      : { toolCalls: [{ ...turn.toolCalls[0]!, id: `call_${request.index}` }] };
  });
  const texts: Readonly<Record<string, string>>[] = [];
  for (let round = 0; round < 2; round++) {
    const { exitCode, stderr } = await project.run(['run', '--cassettes', 'record']);
    expect(exitCode, stderr).toBe(0);
    texts.push(
      Object.fromEntries(
        Object.entries(project.cassettes()).map(([file, text]) => [
          file,
          text
            .replaceAll(/"time": \{.*\}/g, '"time"')
            .replaceAll(/"id": "(?:chatcmpl|call)[^"]*"/g, '"id"')
            .replaceAll(/"created": \d+/g, '"created"'),
        ]),
      ),
    );
  }
  expect(texts[1]).toEqual(texts[0]);
});
