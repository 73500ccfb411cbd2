import type { TelemetryDialect } from '../fact.ts';
import { ADK } from './adk.ts';
import { AI_SDK } from './ai-sdk.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import { CODEX } from './codex.ts';
import { GEMINI_CLI } from './gemini-cli.ts';
import { GENAI } from './genai.ts';
import { OPENINFERENCE } from './openinference.ts';
import { TRACELOOP } from './traceloop.ts';

/** The first that knows a span or an event reads it: the conventions are last, because the others use names of them too. */
export const TELEMETRY_DIALECTS: readonly TelemetryDialect[] = [
  CLAUDE_CODE,
  CODEX,
  GEMINI_CLI,
  AI_SDK,
  OPENINFERENCE,
  ADK,
  TRACELOOP,
  GENAI,
];
