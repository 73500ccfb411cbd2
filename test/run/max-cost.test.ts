import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';
import { repeatingProject, suiteOf, type Report } from './repeating-agent.ts';

describe('--max-cost', () => {
  test('starts nothing more once it is reached: the rest is reported, exit code 3, and --resume continues', async () => {
    const project = repeatingProject({
      'a.eval.yaml': suiteOf('y 0.25', 'y 0.5', 'y 0.25', 'y 0.25', 'y 0.25'),
    });
    const stopped = await project.report('--max-cost', '0.75');
    expect(stopped.results.map((result) => result.test)).toEqual(['a', 'b']);
    expect(stopped.summary).toMatchObject({ tests: 2, passed: 2, not_started: 3, cost_usd: 0.75 });
    expect(stopped.summary.gates).toMatchObject([
      { gate: 'max_cost', wanted: 0.75, actual: 0.75, outcome: 'undecided' },
    ]);
    expect(stopped.exit_code).toBe(3);
    const rest = await project.report('--max-cost', '0.75', '--resume');
    expect(rest.summary).toMatchObject({ tests: 5, passed: 5, not_started: 0, cost_usd: 1.5 });
    expect(rest.exit_code).toBe(0);
  });

  test('gives exit code 1 if a test failed before; a config may set it; repeats left out decide nothing', async () => {
    const failed = repeatingProject({
      'a.eval.yaml': suiteOf('n 0.1', 'y 0.1'),
      'assay.config.yaml': 'max_cost: 0.1\n',
    });
    expect((await failed.report()).exit_code).toBe(1);
    const repeated = repeatingProject({ 'a.eval.yaml': suiteOf('y 0.1; pass_at_least: 4/5', 'y 0.1') });
    const { tests, exit_code, summary } = await repeated.report('--max-cost', '0.3');
    expect(tests[0]).toMatchObject({ passed: 3, not_started: 2, gate: { outcome: 'undecided' } });
    expect(summary.not_started).toBe(3);
    expect(exit_code).toBe(3);
  });

  test('stops adaptive repeats too', async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('y 0.1', 'y 0.1') });
    const { summary, tests, exit_code } = await project.report('--repeats', 'auto', '--max-cost', '0.5');
    expect(tests).toMatchObject([{ attempts: 5, gate: { outcome: 'undecided' } }]);
    expect(summary.not_started).toBeGreaterThan(0);
    expect(exit_code).toBe(3);
  });

  test("reports once that an agent's cost is unknown", async () => {
    const project = repeatingProject({ 'a.eval.yaml': suiteOf('y', 'y', 'y') });
    const { findings, summary, exit_code } = await project.report('--max-cost', '1');
    expect(findings).toMatchObject([{ code: 'cost_unknown', severity: 'warning', line: 2 }]);
    expect(summary).toMatchObject({ attempts_without_cost: 3 });
    expect(summary.cost_usd).toBeUndefined();
    expect(exit_code).toBe(0);
    expect((await project.report()).findings).toEqual([]);
  });
});

describe('the cost of judges', () => {
  let server: ModelServer | undefined;
  let project: ReturnType<typeof createProject> | undefined;
  afterEach(async () => {
    await server?.close();
    project?.remove();
  });

  const VERDICT = JSON.stringify({ reasoning: 'fine', evidence: [], hits: [], misses: [], score: 1 });

  async function judged(price: string, evaluators: string): Promise<(...args: string[]) => Promise<Report>> {
    server = await startModelServer([{ text: VERDICT, usage: { input: 1000, output: 500 } }]);
    project = createProject({
      'agent.mjs': 'export const agent = () => ({ output: "hello", cost_usd: 0.01 });',
      'assay.config.yaml': `agent: ./agent.mjs\njudge: { provider: openai-compatible, model: m, base_url: ${server.url}/v1, api_key: k${price} }\n`,
      'a.eval.yaml': `evalcases:\n  - id: a\n    expected_outcome: Greets\n    input: hi\n    evaluators: ${evaluators}\n`,
    });
    const { path } = project;
    return async (...args) => {
      const { stdout } = await runCli(['run', '--reporter', 'json', ...args], { cwd: path });
      return JSON.parse(stdout) as Report;
    };
  }

  test('is recorded for the assertion, the attempt and the run, and is nothing for cached answers', async () => {
    const run = await judged(
      ', price: { input: 10, output: 20 }',
      '[{ type: llm_judge, samples: 2 }, { type: contains, value: hello }]',
    );
    const { results, summary } = await run();
    const [assertion, other] = results[0]!.steps[0]!.assertions;
    expect(assertion).toMatchObject({
      judge_calls: 2,
      judge_cost_usd: 0.04,
      judge_token_usage: { input: 2000, output: 1000 },
    });
    expect(other).not.toHaveProperty('judge_calls');
    expect(results[0]).toMatchObject({ cost_usd: 0.01, judge_calls: 2, judge_cost_usd: 0.04 });
    expect(summary).toMatchObject({ cost_usd: 0.01, judge_cost_usd: 0.04, attempts_without_cost: 0 });
    const cached = await run();
    expect(cached.results[0]).toMatchObject({ judge_cost_usd: 0 });
    expect(server!.requests).toHaveLength(2);
  });

  test('includes calls inside a composite, and counts for --max-cost', async () => {
    const run = await judged(
      ', price: { input: 10, output: 20 }',
      '[{ type: composite, evaluators: [{ type: llm_judge }, { type: llm_judge, name: other }] }]',
    );
    const { results, summary } = await run('--repeats', '3', '--max-cost', '0.04', '--no-cache');
    expect(results).toHaveLength(1);
    expect(results[0]!.steps[0]!.assertions[0]).toMatchObject({ judge_calls: 2, judge_cost_usd: 0.04 });
    expect(summary).toMatchObject({ not_started: 2 });
  });

  test('is reported once as unknown, not as 0, for a judge without a price', async () => {
    const run = await judged('', '[{ type: llm_judge }]');
    const { results, summary, findings } = await run('--repeats', '2', '--max-cost', '1', '--no-cache');
    expect(findings).toMatchObject([
      { code: 'cost_unknown', message: expect.stringContaining('a judge') as string },
    ]);
    expect(results[0]).toMatchObject({ judge_calls: 1 });
    expect(results[0]).not.toHaveProperty('judge_cost_usd');
    expect(summary).toMatchObject({ cost_usd: 0.02, attempts_without_cost: 2 });
  });
});
