import type { Json } from '../../base/model/json.ts';
import type { Reply, TokenUsage, TraceGap } from '../../base/model/reply.ts';
import type { SeenCalls } from '../observe/observation.ts';
import type { Trace } from '../trace.ts';
import type { ReplyWarning } from './reply-warning.ts';
import type { UnreadCall } from './unread-call.ts';

/** In USD; undefined when the price of the model is not known. */
export type CostOf = (model: string, usage: TokenUsage) => number | undefined;

/** What an agent returned for a step, before anybody read it. */
export interface RawReply {
  /** Undefined is what a function returns that returns nothing. */
  readonly reply: Json | undefined;
  /** What the agent printed beside its reply (stdout that is no reply, stderr). */
  readonly printed: string;
  /** How long the agent took, where the time somebody waited for the reply says something else. */
  readonly durationMs?: number | undefined;
  /** Why the reply may not be what was meant, where only the agent's kind can tell. */
  readonly warning?: ReplyWarning | undefined;
  /** Why the tools are not known when the reply reports none, where the agent's kind decides that. Default: they are missing. */
  readonly unreported?: TraceGap | undefined;
  /** A tool call in the response of an endpoint that the mapping of the reply leaves out. */
  readonly unmapped?: UnreadCall | undefined;
  /** When the first part of a streamed reply came. */
  readonly timeToFirstTokenMs?: number | undefined;
  /** Of a recorded reply, which was read once already: what came from other sources than the agent's report. */
  readonly recorded?: Partial<Reply> | undefined;
  /** The model that the agent was started with. It counts where nothing else names one. */
  readonly model?: string | undefined;
  /** The names of the MCP servers that the agent has, where the names of their tools do not show them. */
  readonly mcpServers?: readonly string[] | undefined;
  /** The model calls that the agent made since its last reply. Undefined: nobody watched it. */
  readonly observed?: SeenCalls | undefined;
  /** What the telemetry of the agent tells of the step. Undefined: nobody read it. */
  readonly spans?: Trace | undefined;
}
