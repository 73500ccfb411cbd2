export { defineCodeJudge, type CodeJudgeHandler } from './code-judge.ts';
export { definePromptTemplate, type PromptTemplateHandler } from './prompt-template.ts';
export {
  createTargetClient,
  TargetInvocationError,
  TargetNotAvailableError,
  type TargetClient,
  type TargetInfo,
  type TargetInvokeRequest,
  type TargetInvokeResponse,
} from './target-client.ts';
export type {
  CodeJudgeInput,
  CodeJudgeResult,
  Message,
  PromptTemplateInput,
  TokenUsage,
  ToolCall,
  TraceSummary,
} from './judge-types.ts';
export {
  CodeJudgeInputSchema,
  CodeJudgeResultSchema,
  MessageSchema,
  PromptTemplateInputSchema,
  TokenUsageSchema,
  ToolCallSchema,
  TraceSummarySchema,
} from './judge-schemas.ts';
export { z } from 'zod/v3';
