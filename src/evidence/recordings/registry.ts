import { AGENTV_TRANSCRIPT } from './agentv-transcript.ts';
import { ATIF } from './atif.ts';
import { CHAT } from './chat.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import { CODEX } from './codex.ts';
import { GEMINI_CLI } from './gemini-cli.ts';
import { INSPECT } from './inspect.ts';
import { LANGFUSE } from './langfuse.ts';
import { LANGSMITH } from './langsmith.ts';
import { OPENCODE } from './opencode.ts';
import { OTLP } from './otlp.ts';
import { PROMPTFOO } from './promptfoo.ts';
import { COPILOT } from './copilot.ts';
import type { RecordingFormat } from './recording.ts';
import { TAU_BENCH } from './tau-bench.ts';

/** The first that recognises a file reads it: the last takes any messages. */
export const RECORDING_FORMATS: readonly RecordingFormat[] = [
  CLAUDE_CODE,
  CODEX,
  GEMINI_CLI,
  OPENCODE,
  COPILOT,
  ATIF,
  INSPECT,
  TAU_BENCH,
  OTLP,
  PROMPTFOO,
  LANGSMITH,
  LANGFUSE,
  AGENTV_TRANSCRIPT,
  CHAT,
];
