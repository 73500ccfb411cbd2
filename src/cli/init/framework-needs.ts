import type { Framework } from './framework-names.ts';

/** What the example of a framework needs before its first run. */
interface Needs {
  /** Packages to install. */
  readonly packages?: string;
  /** A program that must be in PATH. */
  readonly program?: string;
  /** The variable with the key for its model. */
  readonly key?: string;
}

const NEEDS: Readonly<Record<Framework, Needs>> = {
  'ai-sdk': { packages: 'ai @ai-sdk/openai zod', key: 'OPENAI_API_KEY' },
  'openai-agents': { packages: '@openai/agents zod', key: 'OPENAI_API_KEY' },
  langgraph: {
    packages: '@langchain/langgraph @langchain/openai langchain zod',
    key: 'OPENAI_API_KEY',
  },
  mastra: { packages: '@mastra/core zod', key: 'OPENAI_API_KEY' },
  openai: { packages: 'openai', key: 'OPENAI_API_KEY' },
  anthropic: { packages: '@anthropic-ai/sdk zod', key: 'ANTHROPIC_API_KEY' },
  'google-genai': { packages: '@google/genai', key: 'GEMINI_API_KEY' },
  'claude-agent-sdk': { packages: '@anthropic-ai/claude-agent-sdk', key: 'ANTHROPIC_API_KEY' },
  mcp: { packages: '@modelcontextprotocol/client @modelcontextprotocol/server zod' },
  'claude-code': { program: 'claude' },
  codex: { program: 'codex' },
  'gemini-cli': { program: 'gemini' },
  opencode: { program: 'opencode' },
};

/** In words: what to do before the first run. */
export function describeNeeds(framework: Framework): string {
  const { packages, program, key } = NEEDS[framework];
  if (program !== undefined) return `install \`${program}\` and log in, or set its key`;
  return `npm install ${packages}${key === undefined ? '' : `, and set ${key}`}`;
}
