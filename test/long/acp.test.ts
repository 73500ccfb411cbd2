import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installGroup, type Group } from '../frameworks/install-group.ts';
import { runSuite } from '../frameworks/run-suite.ts';
import { createWeatherScript } from '../frameworks/weather-script.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

interface AcpProgram {
  readonly name: string;
  readonly group: Group;
  /** What is in the folder of the group has its path from there. */
  readonly command: readonly string[];
  readonly settings?: object;
  readonly env?: (url: string) => Readonly<Record<string, string>>;
  /** The tool that counts the lines of a file, as the agent names it. */
  readonly tool: string;
  /** It asks for permission first. */
  readonly asks: boolean;
}

const PROGRAMS: readonly AcpProgram[] = [
  {
    name: 'Gemini CLI',
    group: 'gemini-cli',
    command: ['node_modules/.bin/gemini', '--acp'],
    tool: 'run_shell_command',
    asks: true,
  },
  {
    name: 'opencode',
    group: 'opencode',
    command: ['node_modules/opencode-linux-x64-baseline/bin/opencode', 'acp'],
    env: (url) => ({
      ANTHROPIC_BASE_URL: `${url}/v1`,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        share: 'disabled',
        model: 'anthropic/claude-haiku-4-5',
        permission: { bash: 'ask' },
        provider: { anthropic: { options: { baseURL: `${url}/v1` } } },
      }),
    }),
    tool: 'bash',
    asks: true,
  },
  {
    name: 'Claude',
    group: 'acp',
    command: ['node_modules/n22/bin/node', 'node_modules/.bin/claude-agent-acp'],
    // It refuses to start as root elsewhere.
    env: () => ({ IS_SANDBOX: '1' }),
    tool: 'Bash',
    asks: false,
  },
  {
    name: 'Codex',
    group: 'acp',
    command: ['node_modules/.bin/codex-acp', '-c', 'sandbox_mode="danger-full-access"'],
    settings: { auth: 'openai-api-key' },
    tool: 'execute',
    asks: false,
  },
];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(createWeatherScript());
});
afterAll(() => server.close());

describe.each(PROGRAMS)('$name over ACP', ({ group, command, settings, env, tool, asks }) => {
  let argv: readonly string[];
  beforeAll(async () => {
    const folder = await installGroup(group);
    argv = command.map((word) => (word.startsWith('node_modules/') ? join(folder, word) : word));
  }, 300_000);

  test('answers, calls a tool, and asks for permission where it needs one', async () => {
    const suite = {
      id: 'lines',
      input: 'How many lines are in a.txt?',
      approvals: { default: 'allow' },
      assert: [
        { type: 'equals', value: 'a.txt has 3 lines.' },
        { type: 'tool_trajectory', minimums: { [tool]: 1 }, forbidden: ['delete_account'] },
      ],
    };
    const targets = [{ name: 'program', provider: 'acp', command: argv, cwd: 'work', ...settings }];
    const { verdicts, records, printed } = await runSuite({
      files: {
        'suite.test.json': JSON.stringify(suite),
        'assay.config.json': JSON.stringify({ targets }),
        'work/a.txt': '1\n2\n3\n',
      },
      args: ['suite.test.json', '--timeout', '5m'],
      url: server.url,
      ...(env !== undefined && { env: env(server.url) }),
    });
    expect(verdicts, printed).toEqual({ lines: 'passed' });
    const asked = records[0]!.steps[0]!.approvals_asked;
    expect(asked).toMatchObject(asks ? [{ tool, do: 'allow', by: 'default' }] : []);
  });
});
