/** What `assay import` reads, by the names of `--from`. */
export const RECORDING_NAMES = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'copilot',
  'atif',
  'inspect',
  'tau-bench',
  'otlp',
  'promptfoo',
  'langsmith',
  'langfuse',
  'agentv-transcript',
  'chat',
] as const;
export type RecordingName = (typeof RECORDING_NAMES)[number];

/** What `assay export` writes. */
export const EXPORT_NAMES = ['atif', 'otlp', 'inspect', 'jsonl'] as const;
export type ExportName = (typeof EXPORT_NAMES)[number];
