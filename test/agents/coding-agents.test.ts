import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentError, type Agent, type Session } from '../../src/agents/contract.ts';
import { readEvidence } from '../../src/evidence/reply/read-evidence.ts';
import type { TargetConfig } from '../../src/suites/config/config.ts';
import { createTargetAgent } from '../../src/suites/config/target-agent.ts';
import { checkTarget } from '../../src/suites/config/target-kind.ts';
import type { Reply } from '../../src/base/model/reply.ts';
import { NOWHERE, Reader } from '../../src/base/schema/reader.ts';
import { createProject, runCli } from '../project.ts';
import { requestOf } from './contract-suite.ts';
import { writeFakeCodingAgents, type Started } from './fake-coding-agent.ts';

let folder: string;
let starts: () => readonly Started[];
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-coding-')));
  ({ starts } = writeFakeCodingAgents(join(folder, 'bin')));
  mkdirSync(join(folder, 'work'));
  env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, OPENAI_BASE_URL: '' };
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Program {
  readonly provider: string;
  readonly program: string;
  readonly settings: object;
  /** The arguments of a first step, and of one that continues a session. */
  readonly first: readonly string[];
  readonly next: (session: string) => readonly string[];
  readonly call: (prompt: string) => object;
  /** USD of the first and the second step. */
  readonly costs: readonly (number | undefined)[];
}

const CLAUDE = ['-p', '--output-format', 'stream-json', '--verbose'];
const GEMINI = ['--output-format', 'stream-json'];
const GEMINI_TOOLS = ['--allowed-tools', 'run_shell_command', '--allowed-tools', 'x'];
const PROGRAMS: readonly Program[] = [
  {
    provider: 'claude-code',
    program: 'claude',
    settings: { model: 'claude-haiku-4-5', allowed_tools: ['Bash(git *)', 'Read'] },
    first: [...CLAUDE, '--model', 'claude-haiku-4-5', '--allowedTools', 'Bash(git *),Read'],
    next: (id) => [
      ...CLAUDE,
      '--resume',
      id,
      '--model',
      'claude-haiku-4-5',
      '--allowedTools',
      'Bash(git *),Read',
    ],
    call: (path) => ({ tool: 'mcp__files__Read', input: { path } }),
    costs: [0.0001, 0.0002],
  },
  {
    provider: 'codex',
    program: 'codex',
    settings: { model: 'gpt-5-mini', args: ['--sandbox', 'read-only'] },
    first: ['exec', '--json', '--model', 'gpt-5-mini', '--sandbox', 'read-only', '-'],
    next: (id) => ['exec', '--json', '--model', 'gpt-5-mini', '--sandbox', 'read-only', 'resume', id, '-'],
    call: (command) => ({ tool: 'shell', input: { command }, status: 'ok' }),
    // By the price of the target's model: Codex does not name one.
    costs: [(100 * 0.25 + 10 * 2) / 1e6, (200 * 0.25 + 20 * 2) / 1e6],
  },
  {
    provider: 'gemini-cli',
    program: 'gemini',
    settings: { model: 'gemini-2.5-flash', allowedTools: ['run_shell_command', 'x'], args: ['--skip-trust'] },
    first: [...GEMINI, '--model', 'gemini-2.5-flash', ...GEMINI_TOOLS, '--skip-trust'],
    next: (id) => [...GEMINI, '--resume', id, '--model', 'gemini-2.5-flash', ...GEMINI_TOOLS, '--skip-trust'],
    call: (command) => ({ tool: 'run_shell_command', input: { command } }),
    costs: [(100 * 0.3 + 10 * 2.5) / 1e6, (200 * 0.3 + 20 * 2.5) / 1e6],
  },
  {
    provider: 'opencode',
    program: 'opencode',
    settings: { allowed_tools: ['bash'] },
    first: ['run', '--format', 'json'],
    next: (id) => ['run', '--format', 'json', '--session', id],
    call: (command) => ({ tool: 'bash', input: { command } }),
    costs: [0.0001, 0.0002],
  },
];

const signal = new AbortController().signal;

async function open(target: object): Promise<{ readonly agent: Agent; readonly session: Session }> {
  const agent = await createTargetAgent({ name: 'coder', ...target } as TargetConfig, { folder, env });
  return { agent, session: await agent.open({ id: 'a test', file: join(folder, 'suite.yaml') }) };
}

async function failure(provider: string, prompt: string): Promise<AgentError> {
  const { agent, session } = await open({ provider });
  const error = await Promise.resolve(session.send(requestOf(prompt, {}), signal)).catch((e: unknown) => e);
  await agent.close();
  expect(error).toBeInstanceOf(AgentError);
  return error as AgentError;
}

test('a tool of an MCP server in the settings of the program has the name of its server', async () => {
  const toolOf = async (settings: object): Promise<unknown> => {
    mkdirSync(join(folder, 'work', '.gemini'), { recursive: true });
    writeFileSync(join(folder, 'work', '.gemini', 'settings.json'), JSON.stringify(settings));
    const { agent, session } = await open({ provider: 'gemini-cli', workspace: 'work' });
    const read = readEvidence(await session.send(requestOf('hi', {}), signal), { input: 'hi' });
    await agent.close();
    return (read as { readonly reply: Reply }).reply.tool_calls?.map(({ tool }) => tool);
  };
  try {
    const [plain] = (await toolOf({})) as [string];
    const server = plain.split('_')[0]!;
    expect(await toolOf({ mcpServers: { other: {} } })).toEqual([plain]);
    expect(await toolOf({ mcpServers: { [server]: {} } })).toEqual([
      `mcp__${server}__${plain.slice(server.length + 1)}`,
    ]);
  } finally {
    rmSync(join(folder, 'work', '.gemini'), { recursive: true });
  }
});

describe.each(PROGRAMS)('$provider', ({ provider, program, settings, first, next, call, costs }) => {
  test('continues its own session, with the figures of each step', async () => {
    const { agent, session } = await open({ provider, workspace: 'work', ...settings });
    const other = await agent.open({ id: 'a test', file: join(folder, 'suite.yaml') });
    // What a shell or an option parser would read.
    const prompts = ['-v; $(touch x) "quoted"', 'and "then'];
    const converse = async (each: Session) => {
      const steps = [];
      for (const prompt of prompts) {
        const answer = await each.send(requestOf(prompt, {}), signal);
        steps.push(readEvidence(answer, { input: prompt, costOf: agent.costOf }));
      }
      return steps;
    };
    const before = countStarts();
    const conversations = await Promise.all([converse(session), converse(other)]);
    await agent.close();
    for (const steps of conversations)
      expect(steps).toMatchObject(
        prompts.map((prompt, index) => ({
          reply: {
            output: `turn ${index + 1}: ${prompt}`,
            tool_calls: [call(prompt)],
            token_usage: { input: 100 * (index + 1), output: 10 * (index + 1) },
            cost_usd: expect.closeTo(costs[index]!, 12) as number,
            evidence: { tool_calls: 'recognised', token_usage: 'recognised' },
          },
          warnings: [],
        })),
      );
    const own = starts().slice(before);
    expect(own.every(({ cwd }) => cwd === join(folder, 'work'))).toBe(true);
    const news = own.filter(({ prompt }) => prompt === prompts[0]);
    expect(news.map(({ argv }) => argv)).toEqual([
      [program, ...first],
      [program, ...first],
    ]);
    const sessions = own.filter(({ prompt }) => prompt === prompts[1]).map(({ argv }) => argv);
    const ids = sessions.map((argv) => argv.find((word) => word.startsWith(`${program}-`))!);
    expect(new Set(ids).size).toBe(2);
    expect(sessions).toEqual(ids.map((id) => [program, ...next(id)]));
    expect(own[0]!.permission).toBe(provider === 'opencode' ? '{"*":"deny","bash":"allow"}' : null);
  });

  test('reports that nobody is logged in', async () => {
    const { kind, message } = await failure(provider, 'logged out');
    expect(kind).toBe('config');
    expect(message).toMatch(new RegExp(`^${program} is not logged in: run .+, or set .+\\n.`));
  });

  test('a turn that breaks off is an error even if there is text', async () => {
    const { kind, message } = await failure(provider, 'half');
    expect({ kind, message }).toEqual({
      kind: 'contract',
      message: `${program} broke off: the turn has no end in its events:\nA warning of the program`,
    });
  });
});

function countStarts(): number {
  try {
    return starts().length;
  } catch {
    return 0;
  }
}

test.each([
  ['nothing', 'contract', /^claude exited with code 0 and printed no events$/],
  ['prose', 'contract', /^claude exited with code 0 and printed no events:\nHello!$/],
  ['cut', 'contract', /^claude broke off in the middle of an event/],
  ['busy', 'infrastructure', /^claude exited with code 1:\nAPI Error: 529 Overloaded$/],
])('a program that answers with %s is an error', async (prompt, kind, message) => {
  const error = await failure('claude-code', prompt);
  expect(error).toMatchObject({ kind, isRateLimit: prompt === 'busy' });
  expect(error.message).toMatch(message);
});

test('turns of background work belong to one step', async () => {
  const { agent, session } = await open({ provider: 'claude-code' });
  const read = [];
  for (const input of ['in the background', 'again'])
    read.push(readEvidence(await session.send(requestOf(input, {}), signal), { input }));
  await agent.close();
  expect(read).toMatchObject([
    { reply: { tools_used: ['mcp__files__Read', 'Bash'], token_usage: { input: 100, output: 10 } } },
    { reply: { tools_used: ['mcp__files__Read'], token_usage: { input: 200, output: 20 } } },
  ]);
});

test('a step after one with an unknown session is an error, not a new session', async () => {
  const { agent, session } = await open({ provider: 'codex' });
  await session.send(requestOf('nameless', {}), signal);
  await expect(session.send(requestOf('and then?', {}), signal)).rejects.toMatchObject({
    kind: 'contract',
    message: 'codex named no session in its events, so the next step cannot continue it',
  });
  await agent.close();
});

test('OPENAI_BASE_URL is passed on to codex, which does not read it itself', async () => {
  env = { ...env, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const { agent, session } = await open({ provider: 'codex', command: ['./bin/codex', '--first'] });
  await session.send(requestOf('hello', {}), signal);
  await agent.close();
  expect(starts().at(-1)!.argv.slice(0, 5)).toEqual(['codex', '--first', 'exec', '--json', '-c']);
  expect(starts().at(-1)!.argv[5]).toBe('openai_base_url="http://127.0.0.1:9/v1"');
});

test('a list of tools that codex would ignore is an error', () => {
  const reader = new Reader(NOWHERE);
  checkTarget({ name: 'x', provider: 'codex', allowed_tools: ['shell'] }, reader);
  expect(reader.findings).toMatchObject([
    { severity: 'error', code: 'allowed_tools', path: 'allowed_tools' },
  ]);
});

describe('a run', () => {
  const suite = JSON.stringify([
    {
      id: 'two steps',
      steps: [
        {
          input: 'one',
          assert: [
            { type: 'token_usage', max_total: 110 },
            { type: 'cost', budget: 0.0001 },
          ],
        },
        {
          input: 'two',
          assert: [
            { type: 'equals', value: 'turn 2: two' },
            { type: 'token_usage', max_total: 220 },
            { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'Read', args: { path: 'two' } }] },
          ],
        },
      ],
    },
    {
      id: 'too many',
      steps: [{ input: 'one' }, { input: 'two', assert: [{ type: 'token_usage', max_total: 219 }] }],
    },
    { id: 'forbidden', input: 'x', assert: [{ type: 'tool_trajectory', forbidden: ['Read'] }] },
  ]);
  const run = async (targets: readonly object[], args: readonly string[] = []) => {
    const project = createProject({
      'suite.test.json': suite,
      'assay.config.json': JSON.stringify({ targets }),
    });
    try {
      return await runCli(['run', 'suite.test.json', ...args], { cwd: project.path, env });
    } finally {
      project.remove();
    }
  };

  test('opens a session for each attempt', async () => {
    const args = ['--reporter', 'json', '--repeats', '2', '--workers', '4'];
    const { stdout } = await run([{ name: 'coder', provider: 'claude-code' }], args);
    const { results } = JSON.parse(stdout) as { results: readonly { test: string; verdict: string }[] };
    const verdicts = results.map(({ test: name, verdict }) => `${name}: ${verdict}`).sort();
    expect(verdicts).toEqual([
      'forbidden: failed',
      'forbidden: failed',
      'too many: failed',
      'too many: failed',
      'two steps: passed',
      'two steps: passed',
    ]);
  });

  test('does not start without the program', async () => {
    env = { ...env, PATH: '/usr/bin:/bin' };
    const { exitCode, stderr, stdout } = await run([{ name: 'coder', provider: 'claude-code' }]);
    expect(`${stdout}${stderr}`).toContain(
      'claude is not installed: npm i -g @anthropic-ai/claude-code, or set `command`',
    );
    expect(exitCode).toBe(2);
    const wrong = await run([{ name: 'coder', provider: 'opencode', command: 'npx opencode' }]);
    expect(`${wrong.stdout}${wrong.stderr}`).toContain('write `command` as a list, `[program, argument]`');
    expect(wrong.exitCode).toBe(2);
  });
});
