// A script gets its own copy, and the types of AgentV's scripts have no `readonly`. Unlike interfaces, type aliases
// are assignable to a Record.

/**
 * What a script gets on stdin. Every field can be read in two spellings: as in files, and in camelCase. Listing the
 * keys of an object gives those of the file.
 */
export interface CodeJudgeInput extends CamelCaseInput {
  /** The user's message; several messages appear as a conversation. */
  question: string;
  expected_outcome: string;
  reference_answer: string;
  candidate_answer: string;
  input_messages: Message[];
  expected_messages: Message[];
  output_messages: Message[] | null;
  /** Absolute paths. */
  input_files: string[];
  guideline_files: string[];
  memory: Record<string, unknown>;
  trace_summary: TraceSummary | null;
  /** The evaluator's own keys. */
  config: Record<string, unknown> | null;
}

interface CamelCaseInput {
  expectedOutcome: string;
  referenceAnswer: string;
  candidateAnswer: string;
  inputMessages: Message[];
  expectedMessages: Message[];
  outputMessages: Message[] | null;
  inputFiles: string[];
  guidelineFiles: string[];
  traceSummary: TraceSummary | null;
}

/** A script that prints a prompt gets the same input. */
export type PromptTemplateInput = CodeJudgeInput;

export type Message = {
  role: 'assistant' | 'user' | 'system' | 'tool';
  content?: string | Record<string, unknown> | Record<string, unknown>[];
  tool_calls?: ToolCall[];
  toolCalls?: ToolCall[];
  name?: string;
  timestamp?: string;
  metadata?: Record<string, unknown>;
};

export type ToolCall = {
  tool: string;
  input?: unknown;
  output?: unknown;
  id?: string;
  timestamp?: string;
  duration_ms?: number;
  durationMs?: number;
};

/** Unknown values are absent. */
export type TraceSummary = {
  event_count: number;
  eventCount: number;
  tool_names: string[];
  toolNames: string[];
  tool_calls_by_name: Record<string, number>;
  toolCallsByName: Record<string, number>;
  error_count: number;
  errorCount: number;
  token_usage?: TokenUsage;
  tokenUsage?: TokenUsage;
  cost_usd?: number;
  costUsd?: number;
  duration_ms?: number;
  durationMs?: number;
  tool_durations?: Record<string, number[]>;
  toolDurations?: Record<string, number[]>;
};

export type TokenUsage = {
  input: number;
  output: number;
  cached?: number;
};

export interface CodeJudgeResult {
  /** 0..1. */
  score: number;
  hits?: string[] | undefined;
  misses?: string[] | undefined;
  reasoning?: string | undefined;
  details?: unknown;
}
