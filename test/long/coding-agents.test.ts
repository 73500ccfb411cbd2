import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installGroup, type Group } from '../frameworks/install-group.ts';
import { runSuite } from '../frameworks/run-suite.ts';
import { createWeatherScript } from '../frameworks/weather-script.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

interface Program {
  readonly provider: string;
  readonly group: Group;
  /** Where the program is, from the folder of the group. */
  readonly bin: string;
  readonly settings: object;
  /** The call that counts the lines of a file. */
  readonly call: { readonly tool: string; readonly args: object };
}

const COMMAND = 'wc -l < a.txt';
const PROGRAMS: readonly Program[] = [
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
    settings: {
      model: 'gpt-5-mini',
      args: ['--skip-git-repo-check', '--sandbox', 'danger-full-access'],
    },
    call: { tool: 'shell', args: { command: `/bin/bash -lc '${COMMAND}'` } },
  },
  {
    provider: 'gemini-cli',
    group: 'gemini-cli',
    bin: 'node_modules/.bin',
    settings: { model: 'gemini-2.5-flash', args: ['--approval-mode', 'yolo'] },
    call: { tool: 'run_shell_command', args: { command: COMMAND } },
  },
  {
    provider: 'opencode',
    group: 'opencode',
    bin: 'node_modules/opencode-linux-x64-baseline/bin',
    settings: { model: 'anthropic/claude-haiku-4-5', allowed_tools: ['bash'] },
    call: { tool: 'bash', args: { command: COMMAND } },
  },
];

let server: ModelServer;
let refusing: ModelServer;
beforeAll(async () => {
  server = await startModelServer(createWeatherScript());
  refusing = await startModelServer(() => ({ status: 401, message: 'Incorrect API key provided' }));
});
afterAll(() => Promise.all([server.close(), refusing.close()]));

describe.each(PROGRAMS)('$provider', ({ provider, group, bin, settings, call }) => {
  let path: string;
  beforeAll(async () => {
    path = `${join(await installGroup(group), bin)}:${process.env['PATH']}`;
  }, 300_000);

  const files = (suite: object) => ({
    'suite.test.json': JSON.stringify(suite),
    'assay.config.json': JSON.stringify({
      targets: [{ name: 'program', provider, cwd: 'work', ...settings }],
    }),
    'work/a.txt': '1\n2\n3\n',
  });
  const args = ['suite.test.json', '--timeout', '5m'];

  test("reported and observed evidence agree, in the target's folder", async () => {
    const suite = {
      id: 'lines',
      input: 'How many lines are in a.txt?',
      assert: [
        { type: 'equals', value: 'a.txt has 3 lines.' },
        { type: 'tool_trajectory', mode: 'exact', args_match: 'superset', expected: [call] },
        { type: 'tool_trajectory', forbidden: ['delete_account'] },
      ],
    };
    const { verdicts, records } = await runSuite({
      files: files(suite),
      args: [...args, '--observe'],
      url: server.url,
      env: {
        PATH: path,
        // The SDK in opencode adds no version, and its own config would go past the proxy.
        ...(provider === 'opencode'
          ? { ANTHROPIC_BASE_URL: `${server.url}/v1`, OPENCODE_CONFIG_CONTENT: '{"share":"disabled"}' }
          : {}),
      },
    });
    expect(verdicts).toEqual({ lines: 'passed' });
    // The events of opencode leave out the call that makes a title.
    const codes = (records[0]!.findings ?? []).map(({ code }) => code);
    expect(codes).toEqual(provider === 'opencode' ? ['usage_disagrees'] : []);
    // Only the observed evidence has it.
    expect(records[0]!.steps[0]!.time_to_first_token_ms).toBeGreaterThan(0);
  });

  test('reports that nobody is logged in', async () => {
    const isCodex = provider === 'codex';
    const { verdicts, records } = await runSuite({
      files: files({ id: 'lines', input: 'How many lines are in a.txt?', assert: { tools_used: [] } }),
      args,
      url: isCodex ? refusing.url : server.url,
      env: { PATH: path, ANTHROPIC_API_KEY: undefined, GEMINI_API_KEY: undefined },
    });
    expect(verdicts).toEqual({ lines: expect.stringMatching(/^error: \w+ is not logged in: /) });
    expect(records[0]!.error!.kind).toBe('config');
  });
});
