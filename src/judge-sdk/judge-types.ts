/**
 * What a script gets on stdin. Every field can be read in two spellings: as it is in files, and in camelCase. Listing the
 * keys of an object gives those of the file.
 */
export interface CodeJudgeInput extends CamelCaseInput {
  /** The message of the user; several messages as a conversation. */
  readonly question: string;
  readonly expected_outcome: string;
  readonly reference_answer: string;
  readonly candidate_answer: string;
  readonly input_messages: readonly Message[];
  readonly expected_messages: readonly Message[];
  readonly output_messages: readonly Message[] | null;
  /** Absolute paths. */
  readonly input_files: readonly string[];
  readonly guideline_files: readonly string[];
  readonly memory: Readonly<Record<string, unknown>>;
  readonly trace_summary: TraceSummary | null;
  /** The evaluator's own keys. */
  readonly config: Readonly<Record<string, unknown>> | null;
}

interface CamelCaseInput {
  readonly expectedOutcome: string;
  readonly referenceAnswer: string;
  readonly candidateAnswer: string;
  readonly inputMessages: readonly Message[];
  readonly expectedMessages: readonly Message[];
  readonly outputMessages: readonly Message[] | null;
  readonly inputFiles: readonly string[];
  readonly guidelineFiles: readonly string[];
  readonly traceSummary: TraceSummary | null;
}

/** A script that prints a prompt gets the same. */
export type PromptTemplateInput = CodeJudgeInput;

export interface Message {
  readonly role: 'assistant' | 'user' | 'system' | 'tool';
  readonly content?:
    | string
    | Readonly<Record<string, unknown>>
    | readonly Readonly<Record<string, unknown>>[];
  readonly tool_calls?: readonly ToolCall[];
  readonly toolCalls?: readonly ToolCall[];
  readonly name?: string;
  readonly timestamp?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly tool: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly id?: string;
  readonly timestamp?: string;
  readonly duration_ms?: number;
  readonly durationMs?: number;
}

/** What is not known is absent. */
export interface TraceSummary {
  readonly event_count: number;
  readonly eventCount: number;
  readonly tool_names: readonly string[];
  readonly toolNames: readonly string[];
  readonly tool_calls_by_name: Readonly<Record<string, number>>;
  readonly toolCallsByName: Readonly<Record<string, number>>;
  readonly error_count: number;
  readonly errorCount: number;
  readonly token_usage?: TokenUsage;
  readonly tokenUsage?: TokenUsage;
  readonly cost_usd?: number;
  readonly costUsd?: number;
  readonly duration_ms?: number;
  readonly durationMs?: number;
  readonly tool_durations?: Readonly<Record<string, readonly number[]>>;
  readonly toolDurations?: Readonly<Record<string, readonly number[]>>;
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

export interface CodeJudgeResult {
  /** 0..1. */
  readonly score: number;
  readonly hits?: readonly string[] | undefined;
  readonly misses?: readonly string[] | undefined;
  readonly reasoning?: string | undefined;
  readonly details?: unknown;
}
