import { z } from 'zod/v3';

// The camelCase names of judge-types.ts, for scripts that validate their input.

export const TokenUsageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cached: z.number().optional(),
});

export const TraceSummarySchema = z.object({
  eventCount: z.number(),
  toolNames: z.array(z.string()),
  toolCallsByName: z.record(z.number()),
  errorCount: z.number(),
  tokenUsage: TokenUsageSchema.optional(),
  costUsd: z.number().optional(),
  durationMs: z.number().optional(),
  toolDurations: z.record(z.array(z.number())).optional(),
});

export const ToolCallSchema = z.object({
  tool: z.string(),
  input: z.unknown(),
  output: z.unknown(),
  id: z.string().optional(),
  timestamp: z.string().optional(),
});

const anyObject = z.record(z.unknown());

export const MessageSchema = z.object({
  role: z.enum(['assistant', 'user', 'system', 'tool']),
  content: z.union([z.string(), anyObject, z.array(anyObject)]).optional(),
  toolCalls: z.array(ToolCallSchema).optional(),
  name: z.string().optional(),
  timestamp: z.string().optional(),
  metadata: anyObject.optional(),
});

export const CodeJudgeInputSchema = z.object({
  question: z.string(),
  expectedOutcome: z.string(),
  expectedMessages: z.array(MessageSchema),
  referenceAnswer: z.string().optional(),
  candidateAnswer: z.string(),
  outputMessages: z.array(MessageSchema).nullish(),
  guidelineFiles: z.array(z.string()),
  inputFiles: z.array(z.string()),
  inputMessages: z.array(MessageSchema),
  traceSummary: TraceSummarySchema.nullish(),
  config: anyObject.nullish(),
});

/** A prompt template gets the same input as a code judge. */
export const PromptTemplateInputSchema = CodeJudgeInputSchema;

export const CodeJudgeResultSchema = z.object({
  score: z.number().min(0).max(1),
  hits: z.array(z.string()).default([]),
  misses: z.array(z.string()).default([]),
  reasoning: z.string().optional(),
  details: anyObject.optional(),
});
