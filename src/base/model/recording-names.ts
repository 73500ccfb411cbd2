/** What `assay import` reads, by the names of `--from`. */
export const RECORDING_NAMES = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'atif',
  'inspect',
  'tau-bench',
  'promptfoo',
  'langsmith',
  'langfuse',
  'agentv-transcript',
  'chat',
] as const;
export type RecordingName = (typeof RECORDING_NAMES)[number];
