import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installGroup, type Group } from '../frameworks/install-group.ts';
import { runSuite, SUITES, type SuiteResults } from '../frameworks/run-suite.ts';
import { createWeatherScript } from '../frameworks/weather-script.ts';
import { CITIES } from '../frameworks/weather.mjs';
import { readSnippets } from '../docs/read-snippets.ts';
import { ROOT } from '../docs/assay-process.ts';
import { startModelServer, type ModelServer, type Turn } from '../servers/model-server.ts';
import { frameworkFiles } from '../../src/cli/init/framework-files.ts';
import { FRAMEWORKS as FRAMEWORK_NAMES, type Framework } from '../../src/cli/init/framework-names.ts';

/** USD of the first, the second and the third turn, by the price table: 150, 550 and 460 tokens in, 100, 100 and 40 cached, 30, 30 and 20 out. */
const COSTS = {
  'gpt-5-mini': [0.0001, 0.0002, 0.000156],
  'claude-haiku-4-5': [0.00031, 0.00071, 0.000564],
  'gemini-2.5-flash': [0.000123, 0.000243, 0.0001892],
};

const USAGE = [
  { input: 150, output: 30, cached: 100 },
  { input: 550, output: 30, cached: 100 },
  { input: 460, output: 20, cached: 40 },
];

interface Returning {
  readonly name: string;
  readonly group: Group;
  readonly file: string;
  readonly model: keyof typeof COSTS;
}

const RETURNING: readonly Returning[] = [
  { name: 'AI SDK 6', group: 'sdk', file: 'ai-sdk.ts', model: 'gpt-5-mini' },
  {
    name: 'AI SDK 6, a streamed response',
    group: 'sdk',
    file: 'ai-sdk-stream.ts',
    model: 'claude-haiku-4-5',
  },
  { name: 'openai, the last completion', group: 'sdk', file: 'openai-by-hand.ts', model: 'gpt-5-mini' },
  { name: 'openai, only the text', group: 'sdk', file: 'openai-text.ts', model: 'gpt-5-mini' },
  {
    name: '@anthropic-ai/sdk, the messages',
    group: 'sdk',
    file: 'anthropic-by-hand.ts',
    model: 'claude-haiku-4-5',
  },
  { name: 'OpenAI Agents', group: 'sdk', file: 'openai-agents.ts', model: 'gpt-5-mini' },
  { name: 'LangGraph', group: 'sdk', file: 'langgraph.ts', model: 'gpt-5-mini' },
  { name: '@google/genai', group: 'sdk', file: 'google-genai.ts', model: 'gemini-2.5-flash' },
  { name: 'tools of an MCP server', group: 'sdk', file: 'mcp.ts', model: 'gpt-5-mini' },
  { name: 'Claude Agent SDK', group: 'claude', file: 'claude-agent-sdk.ts', model: 'claude-haiku-4-5' },
  { name: 'Mastra', group: 'node22', file: 'mastra.ts', model: 'gpt-5-mini' },
  { name: 'AI SDK 7', group: 'node22', file: 'ai-sdk-7.ts', model: 'gpt-5-mini' },
];

/** One conversation about each city: the agent must find its own again. */
const TWELVE = CITIES.map((city) => {
  const call = { tool: 'get_weather', args: { city } };
  return {
    id: city,
    steps: [
      {
        input: `What is the weather in ${city}?`,
        assert: [
          { type: 'starts_with', value: `${city} is ` },
          { type: 'tool_trajectory', mode: 'exact', args_match: 'exact', expected: [call] },
          { type: 'token_usage', max_total: 280 },
        ],
      },
      {
        input: 'Which city have I asked about first?',
        assert: [
          { type: 'equals', value: `You asked about ${city} first.` },
          { type: 'tool_trajectory', mode: 'exact', expected: [] },
        ],
      },
    ],
  };
});

let server: ModelServer;
beforeAll(async () => {
  // A delay, so that conversations at the same time really are.
  const script = createWeatherScript();
  server = await startModelServer((request) => ({ ...script(request), delayMs: 20 }));
});
afterAll(() => server.close());

describe.each(RETURNING)('$name, returning its own result', ({ group, file, model }) => {
  let agent: string;
  let node: string | undefined;
  beforeAll(async () => {
    const folder = await installGroup(group);
    agent = join(folder, file);
    node = group === 'node22' ? join(folder, 'node_modules/n22/bin/node') : undefined;
  }, 300_000);

  test('true claims pass, false ones fail, numbers are exact, and twelve concurrent conversations stay apart', async () => {
    const files = { ...suites('weather', 'weather-failing'), 'twelve.test.json': JSON.stringify(TWELVE) };
    const args = [...Object.keys(files), '--agent', agent, '--workers', '12', '--timeout', '5m'];
    const { verdicts, records } = await runSuite({ files, args, url: server.url, node });
    expect(verdicts).toEqual({
      'one turn': 'passed',
      'several turns': 'passed',
      'parallel calls': 'passed',
      'the map form': 'passed',
      'a forbidden tool': 'failed',
      'another argument': 'failed',
      'no tool at all': 'failed',
      'too slow a tool': 'failed',
      'a token too many': 'failed',
      'too expensive': 'failed',
      ...Object.fromEntries(CITIES.map((city) => [city, 'passed'])),
    });
    expectFigures({ records }, COSTS[model]);
    expect(records.flatMap(({ findings = [] }) => findings)).toEqual([]);
  });
});

describe('a model that fails', () => {
  const ask = async (agent: string, faults: (index: number) => Partial<Turn>) => {
    const script = createWeatherScript();
    const failing = await startModelServer((request) => ({ ...script(request), ...faults(request.index) }));
    try {
      const files = suites('weather');
      const folder = await installGroup('sdk');
      const args = [...Object.keys(files), '-t', 'one turn', '--agent', join(folder, agent)];
      const { verdicts, records } = await runSuite({ files, args, url: failing.url });
      return { verdicts, records, asked: failing.requests.length };
    } finally {
      await failing.close();
    }
  };

  test.each(['ai-sdk.ts', 'openai-by-hand.ts', 'anthropic-by-hand.ts', 'langgraph.ts'])(
    'a retry by the SDK of %s counts once',
    async (agent) => {
      const limited = { status: 429, headers: { 'retry-after-ms': '1', 'retry-after': '0' } };
      const { verdicts, records, asked } = await ask(agent, (index) => (index === 0 ? limited : {}));
      expect(verdicts).toEqual({ 'one turn': 'passed' });
      expect(records[0]!.token_usage).toMatchObject(USAGE[0]!);
      expect(asked).toBe(3);
    },
  );

  test.each(['openai-text.ts', 'ai-sdk-stream.ts'])(
    'a stream that breaks off makes %s an error, never a pass',
    async (agent) => {
      const { verdicts } = await ask(agent, () => ({ fault: 'cut' }));
      expect(verdicts).toEqual({ 'one turn': expect.stringMatching(/^error: /) });
    },
  );
});

interface Program {
  readonly name: string;
  readonly group: Group;
  /** Where the program is, from the folder of the group. */
  readonly bin: string;
  readonly shell: string;
  readonly model: keyof typeof COSTS;
  /** As a person would write it. */
  readonly line: string;
  /** A target of its own kind. */
  readonly preset: Readonly<Record<string, unknown>>;
  /** Its events tell neither the model nor when a call began and ended. */
  readonly isTerse?: boolean;
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'Claude Code',
    group: 'claude',
    bin: 'node_modules/@anthropic-ai/claude-agent-sdk-linux-x64',
    shell: 'Bash',
    model: 'claude-haiku-4-5',
    line: 'claude -p {PROMPT} --model claude-haiku-4-5 --allowedTools Bash --output-format stream-json --verbose',
    preset: { provider: 'claude-code', model: 'claude-haiku-4-5', allowed_tools: ['Bash'] },
  },
  {
    name: 'Codex',
    group: 'codex',
    bin: 'node_modules/.bin',
    shell: 'shell',
    model: 'gpt-5-mini',
    line: 'codex exec --json --skip-git-repo-check --sandbox danger-full-access -m gpt-5-mini {PROMPT}',
    preset: {
      provider: 'codex',
      model: 'gpt-5-mini',
      args: ['--skip-git-repo-check', '--sandbox', 'danger-full-access'],
    },
    isTerse: true,
  },
  {
    name: 'Gemini CLI',
    group: 'gemini-cli',
    bin: 'node_modules/.bin',
    shell: 'run_shell_command',
    model: 'gemini-2.5-flash',
    line: 'gemini -p {PROMPT} -m gemini-2.5-flash --approval-mode yolo -o stream-json',
    preset: { provider: 'gemini-cli', model: 'gemini-2.5-flash', args: ['--approval-mode', 'yolo'] },
  },
  {
    name: 'opencode',
    group: 'opencode',
    bin: 'node_modules/opencode-linux-x64-baseline/bin',
    shell: 'bash',
    model: 'claude-haiku-4-5',
    line: 'opencode run --format json -m anthropic/claude-haiku-4-5 {PROMPT}',
    preset: { provider: 'opencode', model: 'anthropic/claude-haiku-4-5' },
  },
];

describe.each(PROGRAMS)('$name', ({ name, group, bin, shell, model, line, preset, isTerse }) => {
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const folder = await installGroup(group);
    env = { PATH: `${join(folder, bin)}:${process.env['PATH']}` };
  }, 300_000);

  test('as a plain command line', async () => {
    const tests = suites('lines', 'lines-failing', { SHELL: shell });
    const args = [...Object.keys(tests), '--timeout', '5m'];
    const files = {
      ...tests,
      ...config({ command_template: line, ...(name === 'opencode' ? { workers: 1 } : {}) }),
      ...TEXTS,
    };
    const { verdicts, records } = await runSuite({ files, args, url: server.url, env });
    expect(verdicts).toEqual({
      'one turn': 'passed',
      'a forbidden tool': 'failed',
      'no tool at all': 'failed',
      'too slow a tool': isTerse === true ? expect.stringMatching(/^error: /) : 'failed',
      'a token too many': 'failed',
    });
    expectFigures({ records }, isTerse === true ? undefined : COSTS[model]);
  });

  test('as a target of its own, over several turns', async () => {
    const tests = suites('lines-turns', { SHELL: shell });
    const args = [...Object.keys(tests), '--timeout', '5m'];
    const files = { ...tests, ...config(preset), ...TEXTS };
    const { verdicts, records } = await runSuite({ files, args, url: server.url, env });
    expect(verdicts).toEqual({ 'several turns': 'passed' });
    expectFigures({ records }, COSTS[model]);
  });
});

/** The folder of each page's packages, and where its program is. */
const PAGES: Readonly<Record<Framework, { readonly group: Group; readonly bin?: string }>> = {
  'ai-sdk': { group: 'sdk' },
  'openai-agents': { group: 'sdk' },
  langgraph: { group: 'sdk' },
  mastra: { group: 'node22' },
  openai: { group: 'sdk' },
  anthropic: { group: 'sdk' },
  'google-genai': { group: 'sdk' },
  'claude-agent-sdk': { group: 'claude' },
  mcp: { group: 'sdk' },
  'claude-code': { group: 'claude', bin: binOf('Claude Code') },
  codex: { group: 'codex', bin: binOf('Codex') },
  'gemini-cli': { group: 'gemini-cli', bin: binOf('Gemini CLI') },
  opencode: { group: 'opencode', bin: binOf('opencode') },
};

function binOf(name: string): string {
  return PROGRAMS.find((program) => program.name === name)!.bin;
}

describe.each(FRAMEWORK_NAMES)('docs/frameworks/%s.md', (name) => {
  const { group, bin } = PAGES[name];
  const snippets = readSnippets(ROOT, `docs/frameworks/${name}.md`);
  const files = Object.fromEntries(
    snippets.flatMap(({ directives, text }) => {
      const file = directives.get('file');
      return file === undefined ? [] : [[file, text] as const];
    }),
  );

  test('has what `assay init` writes', () => {
    const written = frameworkFiles(name).map((file) => [file.name, file.text] as const);
    expect(Object.fromEntries(written)).toMatchObject(files);
    expect((files['agent.ts'] ?? files['assay.config.yaml'])!.trimEnd().split('\n').length).toBeLessThan(11);
  });

  test('runs as it is written', async () => {
    const folder = await installGroup(group);
    const commands = snippets.findLast(({ language }) => language === 'sh')!;
    const args = commands.text.trim().split(' ').slice(3);
    const { verdicts, printed } = await runSuite({
      files,
      args,
      url: server.url,
      env: { PATH: `${join(folder, bin ?? '.')}:${process.env['PATH']}` },
      node: group === 'node22' ? join(folder, 'node_modules/n22/bin/node') : undefined,
      modules: join(folder, 'node_modules'),
    });
    expect(Object.values(verdicts), printed).toEqual(['passed']);
  }, 300_000);
});

/** What the shells of the programs look at. */
const TEXTS = { 'a.txt': '1\n2\n3\n', 'b.txt': '1\n2\n3\n4\n5\n' };

function config(target: object): Readonly<Record<string, string>> {
  return { 'assay.config.json': JSON.stringify({ targets: [{ name: 'program', ...target }] }) };
}

/** Suites as they are, or with words of theirs replaced. */
function suites(...names: readonly (string | Readonly<Record<string, string>>)[]): Record<string, string> {
  const words = Object.entries(names.find((name) => typeof name === 'object') ?? {});
  const files = names.filter((name) => typeof name === 'string').map((name) => `${name}.test.yaml`);
  return Object.fromEntries(
    files.map((name) => {
      let text = readFileSync(join(SUITES, name), 'utf8');
      for (const [word, replacement] of words) text = text.replaceAll(word, replacement);
      return [name, text];
    }),
  );
}

/** To the token, and to a millionth of a cent, of the first steps of the longest test that must pass. */
function expectFigures({ records }: Pick<SuiteResults, 'records'>, costs?: readonly number[]): void {
  const named = (name: string) => records.find((record) => record.test === name);
  const { steps } = (named('several turns') ?? named('one turn'))!;
  const figures = steps.map(({ token_usage, cost_usd }) => ({ token_usage, cost_usd }));
  const wanted = steps.map((_step, index) => ({
    token_usage: expect.objectContaining(USAGE[index]!) as object,
    cost_usd: costs === undefined ? undefined : (expect.closeTo(costs[index]!, 9) as number),
  }));
  expect(figures).toEqual(wanted);
}
