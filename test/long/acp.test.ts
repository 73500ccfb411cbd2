import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installGroup, type Group } from '../frameworks/install-group.ts';
import { runSuite } from '../frameworks/run-suite.ts';
import { createWeatherScript } from '../frameworks/weather-script.ts';
import { startModelServer, type ModelServer } from '../servers/model-server.ts';

interface AcpProgram {
  readonly name: string;
  readonly group: Group;
  /** From the folder of the group. */
  readonly command: readonly string[];
  readonly settings?: object;
  readonly node?: boolean;
  readonly env?: (url: string) => Readonly<Record<string, string>>;
  /** The tool that counts the lines of a file. */
  readonly tool: string;
}

const PROGRAMS: readonly AcpProgram[] = [
  {
    name: 'Gemini CLI',
    group: 'gemini-cli',
    command: ['node_modules/.bin/gemini', '--acp'],
    settings: { auth: 'gemini-api-key' },
    tool: 'run_shell_command',
  },
  {
    name: 'opencode',
    group: 'opencode',
    command: ['node_modules/opencode-linux-x64-baseline/bin/opencode', 'acp'],
    settings: { model: 'anthropic/claude-haiku-4-5' },
    env: (url) => ({
      ANTHROPIC_BASE_URL: `${url}/v1`,
      OPENCODE_CONFIG_CONTENT: '{"share":"disabled","permission":{"bash":"ask"}}',
    }),
    tool: 'bash',
  },
  {
    name: 'Claude',
    group: 'acp',
    command: ['node_modules/.bin/claude-agent-acp'],
    node: true,
    tool: 'Bash',
  },
  {
    name: 'Codex',
    group: 'acp',
    command: ['node_modules/.bin/codex-acp'],
    settings: { auth: 'openai-api-key' },
    tool: 'shell',
  },
];

let server: ModelServer;
let node22: string;
beforeAll(async () => {
  server = await startModelServer(createWeatherScript());
  node22 = join(await installGroup('acp'), 'node_modules/n22/bin/node');
}, 300_000);
afterAll(() => server.close());

describe.each(PROGRAMS)('$name over ACP', ({ group, command, settings, node, env, tool }) => {
  let argv: readonly string[];
  beforeAll(async () => {
    const folder = await installGroup(group);
    const [program, ...args] = command;
    argv = [...(node ? [node22] : []), join(folder, program!), ...args];
  }, 300_000);

  const runOne = (suite: object) =>
    runSuite({
      files: {
        'suite.test.json': JSON.stringify(suite),
        'assay.config.json': JSON.stringify({
          targets: [{ name: 'program', provider: 'acp', command: argv, cwd: 'work', ...settings }],
        }),
        'work/a.txt': '1\n2\n3\n',
      },
      args: ['suite.test.json', '--timeout', '5m'],
      url: server.url,
      env: env?.(server.url) ?? {},
    });

  test('answers, calls a tool with its arguments, and gets its permission', async () => {
    const { verdicts, records, printed } = await runOne({
      id: 'lines',
      input: 'How many lines are in a.txt?',
      approvals: { default: 'allow' },
      assert: [
        { type: 'equals', value: 'a.txt has 3 lines.' },
        { type: 'tool_trajectory', minimums: { [tool]: 1 }, forbidden: ['delete_account'] },
      ],
    });
    expect(verdicts, printed).toEqual({ lines: 'passed' });
    console.log(JSON.stringify(records[0]!.steps[0], null, 1).slice(0, 3000));
  });
});
