import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

/** The score every answer of the judge has, as it is written in JSON. */
let score = '3';
let server: ModelServer;
let project: ReturnType<typeof createProject>;

beforeAll(async () => {
  server = await startModelServer(({ body }) => {
    const { properties } = body.response_format.json_schema.schema;
    const fields = Object.keys(properties).map((name) => `"${name}":${FIELDS[name] ?? score}`);
    if (properties.scores === undefined) return { text: `{${fields.join()}}` };
    return { text: `{"scores":[{"id":"depth","reasoning":"","evidence":[],"score":${score}}]}` };
  });
  const judged = (id: string, evaluator: string) =>
    `  - { id: ${id}, input: Hello, expected_outcome: It greets, evaluators: [${evaluator}] }\n`;
  project = createProject({
    'assay.config.yaml': `agent: 'cmd: echo Hello'\njudge: { provider: openai-compatible, model: j, base_url: '${server.url}/v1' }\n`,
    'a.eval.yaml': [
      'evalcases:\n',
      judged('plain', '{ type: llm_judge }'),
      judged(
        'weighed',
        '{ type: composite, evaluators: [{ type: contains, value: H }], aggregator: { type: llm_judge } }',
      ),
      judged('sampled', '{ type: llm_judge, samples: 2, prompt: "Greets?\\n{{candidate_answer}}" }'),
      judged('ranged', "{ type: rubric, rubrics: [{ id: depth, score_ranges: { '0': bad, '1': good } }] }"),
    ].join(''),
  });
});

afterAll(async () => {
  await server.close();
  project.remove();
});

const FIELDS: Readonly<Record<string, string>> = {
  reasoning: '""',
  evidence: '[]',
  hits: '[]',
  misses: '[]',
};

async function run(): Promise<{ calls: number; exitCode: number | null; results: Record<string, unknown> }> {
  const before = server.requests.length;
  const { stdout, exitCode } = await runCli(['run', '--reporter', 'json'], { cwd: project.path });
  const { results } = JSON.parse(stdout) as {
    results: {
      test: string;
      verdict: string;
      score?: number;
      error?: { kind: string };
      judge_calls?: number;
    }[];
  };
  const summaries = results.map(({ test: name, verdict, score: own, error }) => [
    name,
    error === undefined ? `${verdict} ${own}` : `${verdict} ${error.kind}`,
  ]);
  return {
    calls: server.requests.length - before,
    exitCode,
    results: Object.fromEntries(summaries) as Record<string, unknown>,
  };
}

const cached = (): number => {
  const folder = join(project.path, '.assay/cache/judge');
  return existsSync(folder) ? readdirSync(folder).length : 0;
};

test('a score out of range is requested again and then an error: never clamped, never 0, never cached', async () => {
  score = '11';
  const outside = {
    plain: 'error judge',
    weighed: 'error judge',
    sampled: 'error judge',
    ranged: 'error judge',
  };
  expect(await run()).toEqual({ calls: 15, exitCode: 3, results: outside });
  expect(cached()).toBe(0);

  // On the scale of the ranges it is a good answer, on the other one it is none.
  score = '3';
  expect(await run()).toEqual({ calls: 13, exitCode: 1, results: { ...outside, ranged: 'failed 0.3' } });
  expect(cached()).toBe(1);

  score = '0.1,"score":1';
  expect(await run()).toEqual({ calls: 12, exitCode: 1, results: { ...outside, ranged: 'failed 0.3' } });

  score = '1';
  const good = { plain: 'passed 1', weighed: 'passed 1', sampled: 'passed 1', ranged: 'failed 0.3' };
  expect(await run()).toEqual({ calls: 4, exitCode: 1, results: good });
  expect(await run()).toEqual({ calls: 0, exitCode: 1, results: good });
});
