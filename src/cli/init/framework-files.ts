import { FRAMEWORK_AGENTS } from './framework-agents.ts';
import type { Framework } from './framework-names.ts';
import type { TemplateFile } from './template-file.ts';

const WEATHER_TEST = `steps:
  - input: What is the weather in Berlin?
    assert:
      - { type: contains, value: '15' }
      - { type: tool_trajectory, mode: exact, expected: [{ tool: get_weather, args: { city: Berlin } }] }
      - { type: token_usage, max_total: 5000 }
  - input: And in Rome?
    assert:
      - { type: tool_trajectory, mode: exact, expected: [{ tool: get_weather, args: { city: Rome } }] }
`;

const LINES_TEST = `input: How many lines are in a.txt?
assert:
  - { type: contains, value: '3' }
  - { type: tool_trajectory, forbidden: [Write, Edit, write, edit, write_file, replace] }
  - { type: token_usage, max_total: 200000 }
`;

const THREE_LINES = 'one\ntwo\nthree\n';

const MCP_TEST = `input: '{"tool":"get_weather","city":"Berlin"}'
assert:
  output.includes: '15'
`;

const MCP_SERVER = `import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'weather', version: '1.0.0' });
server.registerTool('get_weather', { inputSchema: z.object({ city: z.string() }) }, ({ city }) => ({
  content: [{ type: 'text', text: JSON.stringify({ city, celsius: 15 }) }],
}));
await server.connect(new StdioServerTransport());
`;

/** The line that starts each coding agent without a terminal. */
const PROGRAM_LINES = {
  'claude-code':
    'claude -p {PROMPT} --model claude-haiku-4-5 --allowedTools Bash --output-format stream-json --verbose',
  codex: 'codex exec --json --skip-git-repo-check --sandbox read-only -m gpt-5-mini {PROMPT}',
  'gemini-cli': 'gemini -p {PROMPT} -m gemini-2.5-flash --approval-mode yolo -o stream-json',
  opencode: 'opencode run --format json -m anthropic/claude-haiku-4-5 {PROMPT}',
} as const;

type Agent = keyof typeof FRAMEWORK_AGENTS;
type Program = keyof typeof PROGRAM_LINES;

/** A working example for a framework: its agent or its target, and a test. */
export function frameworkFiles(framework: Framework): readonly TemplateFile[] {
  return framework in PROGRAM_LINES ? programFiles(framework as Program) : agentFiles(framework as Agent);
}

function agentFiles(framework: Agent): readonly TemplateFile[] {
  const agent = { name: 'agent.ts', text: FRAMEWORK_AGENTS[framework] };
  const config = { name: 'assay.config.yaml', text: 'agent: ./agent.ts\n' };
  switch (framework) {
    case 'claude-agent-sdk':
      return [agent, ...linesFiles(), config];
    case 'mcp':
      return [
        agent,
        { name: 'server.mjs', text: MCP_SERVER },
        { name: 'server.test.yaml', text: MCP_TEST },
        config,
      ];
    default:
      return [agent, { name: 'weather.test.yaml', text: WEATHER_TEST }, config];
  }
}

function programFiles(program: Program): readonly TemplateFile[] {
  // Two runs of opencode at once lock each other out of its database.
  const workers = program === 'opencode' ? '    workers: 1\n' : '';
  const text = `targets:\n  - name: ${program}\n    command_template: ${PROGRAM_LINES[program]}\n${workers}`;
  return [...linesFiles(), { name: 'assay.config.yaml', text }];
}

function linesFiles(): readonly TemplateFile[] {
  return [
    { name: 'lines.test.yaml', text: LINES_TEST },
    { name: 'a.txt', text: THREE_LINES },
  ];
}
