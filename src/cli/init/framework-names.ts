/** What `assay init --framework` takes: the names of the pages in docs/frameworks. */
export const FRAMEWORKS = [
  'ai-sdk',
  'openai-agents',
  'langgraph',
  'mastra',
  'openai',
  'anthropic',
  'google-genai',
  'claude-agent-sdk',
  'mcp',
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
] as const;

export type Framework = (typeof FRAMEWORKS)[number];
