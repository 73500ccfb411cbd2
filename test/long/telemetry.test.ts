import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installGroup, type Group } from '../frameworks/install-group.ts';
import { runSuite } from '../frameworks/run-suite.ts';
import { createWeatherScript } from '../frameworks/weather-script.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(createWeatherScript());
});
afterAll(() => server.close());

const NEVER = { type: 'tool_trajectory', forbidden: ['delete_account'] };
const calls = (city: string) => ({
  type: 'tool_trajectory',
  mode: 'exact',
  args_match: 'exact',
  expected: [{ tool: 'get_weather', args: { city } }],
});
const SUITE = [
  {
    id: 'calls',
    input: 'What is the weather in Paris?',
    assert: [NEVER, calls('Paris'), { type: 'token_usage', max_total: 280 }],
  },
  {
    id: 'parallel',
    input: 'What is the weather in Rome and Oslo?',
    assert: [{ type: 'tool_trajectory', minimums: { get_weather: 2 } }],
  },
  { id: 'another argument', input: 'What is the weather in Lima?', assert: [calls('Paris')] },
  { id: 'a forbidden call', input: 'Please delete my account', assert: [NEVER] },
  {
    id: 'a token too many',
    input: 'What is the weather in Cairo?',
    assert: [{ type: 'token_usage', max_total: 279 }],
  },
];

describe('AI SDK 7 with @ai-sdk/otel', () => {
  let folder: string;
  let node: string;
  beforeAll(async () => {
    folder = await installGroup('otel');
    node = join(folder, 'node_modules/n22/bin/node');
  }, 300_000);

  const run = (agent: string) =>
    runSuite({
      files: { 'suite.test.json': JSON.stringify(SUITE) },
      args: ['suite.test.json', '--observe=otel', '--agent', agent, '--timeout', '5m'],
      url: server.url,
      node,
    });

  test('a program that sends its spans before it ends', async () => {
    const { verdicts, records } = await run(`cmd: ${node} ${folder}/program.ts`);
    expect(verdicts).toEqual({
      calls: 'passed',
      parallel: 'passed',
      'another argument': 'failed',
      'a forbidden call': 'failed',
      'a token too many': 'failed',
    });
    const [step] = records[0]!.steps;
    expect(step!.evidence).toMatchObject({ tool_calls: 'spans', token_usage: 'spans' });
    expect(step!.tool_calls).toMatchObject([
      { tool: 'get_weather', input: { city: 'Paris' }, output: { city: 'Paris', celsius: 18 } },
    ]);
    expect(records.flatMap(({ findings = [] }) => findings)).toEqual([]);
  });

  test('a program that ends before it has sent them: nothing passes that needs what is missing', async () => {
    const { verdicts } = await run(`cmd: ${node} ${folder}/program.ts --no-shutdown`);
    expect(verdicts).toMatchObject({
      calls: expect.stringContaining('the telemetry') as string,
      'another argument': expect.stringMatching(/^(?:error|failed)/) as string,
      'a forbidden call': expect.stringMatching(/^(?:error|failed)/) as string,
      'a token too many': expect.stringMatching(/^(?:error|failed)/) as string,
    });
  });

  test('a file, whose spans are flushed', async () => {
    const { verdicts, records } = await run(join(folder, 'ai-sdk-7.ts'));
    expect(verdicts).toMatchObject({
      calls: 'passed',
      'a forbidden call': 'failed',
      'another argument': 'failed',
    });
    // Its model calls were observed too, and both agree.
    expect(records.flatMap(({ findings = [] }) => findings)).toEqual([]);
  });
});

const COMMAND = 'wc -l < a.txt';
const PROGRAMS: readonly { provider: string; group: Group; bin: string; settings: object; call: object }[] = [
  {
    provider: 'claude-code',
    group: 'claude',
    bin: 'node_modules/@anthropic-ai/claude-agent-sdk-linux-x64',
    settings: { model: 'claude-haiku-4-5', allowed_tools: ['Bash'] },
    call: { tool: 'Bash', args: { command: COMMAND } },
  },
  {
    provider: 'codex',
    group: 'codex',
    bin: 'node_modules/.bin',
    settings: { model: 'gpt-5-mini', args: ['--skip-git-repo-check', '--sandbox', 'danger-full-access'] },
    call: { tool: 'shell', args: { command: `/bin/bash -lc '${COMMAND}'` } },
  },
  {
    provider: 'gemini-cli',
    group: 'gemini-cli',
    bin: 'node_modules/.bin',
    settings: { model: 'gemini-2.5-flash', args: ['--approval-mode', 'yolo'] },
    call: { tool: 'run_shell_command', args: { command: COMMAND } },
  },
];

test.each(PROGRAMS)(
  '$provider: its telemetry agrees with its own report',
  async ({ provider, group, bin, settings, call }) => {
    const suite = {
      id: 'lines',
      input: 'How many lines are in a.txt?',
      assert: [
        { type: 'equals', value: 'a.txt has 3 lines.' },
        { type: 'tool_trajectory', mode: 'exact', args_match: 'superset', expected: [call] },
        NEVER,
      ],
    };
    const target = { name: 'program', provider, cwd: 'work', observe: 'otel', ...settings };
    const { verdicts, records } = await runSuite({
      files: {
        'suite.test.json': JSON.stringify(suite),
        'assay.config.json': JSON.stringify({ targets: [target] }),
        'work/a.txt': '1\n2\n3\n',
      },
      args: ['suite.test.json', '--timeout', '5m'],
      url: server.url,
      env: { PATH: `${join(await installGroup(group), bin)}:${process.env['PATH']}` },
    });
    // Without its telemetry, the claim that a tool was never called would be an error.
    expect(verdicts).toEqual({ lines: 'passed' });
    const codes = (records[0]!.findings ?? []).map(({ code }) => code);
    expect(codes).toEqual([]);
    expect(records[0]!.steps[0]!.timeline).toContainEqual(expect.objectContaining({ kind: 'model' }));
  },
);
