import type { ModelMessage, ToolModelMessage } from 'ai';
import { gateFetch } from '../../evidence/observe/gate-fetch.ts';
import type { Json } from '../../base/model/json.ts';
import { refusedStatus } from '../../base/model/refused-status.ts';
import type { AgentRequest, RecordedToolCall } from '../../base/model/reply.ts';
import { callModel, type ModelRequest, type ModelResponse, type ModelTool } from '../llm/call-model.ts';
import type { Model } from '../llm/create-model.ts';
import type { WrapFetch } from '../llm/guarded-fetch.ts';
import { ModelError } from '../llm/model-error.ts';
import { priceOf, unknownPrice } from '../llm/price-table.ts';
import { addUsage } from '../../base/model/usage.ts';
import { AgentError, type OpenOptions, type RawReply, type Session } from '../contract.ts';
import { stoppedError } from '../stopped-error.ts';
import { answerToolCall, outputText } from './canned-tools.ts';
import type { CannedTool, ChatConfig } from './chat-config.ts';
import { toModelMessages } from './to-model-messages.ts';
import { monotonicMs } from '../../base/system/system-time.ts';

const DEFAULT_MAX_STEPS = 10;

/** A conversation with a model: each step sees the earlier ones. */
export class ChatSession implements Session {
  private readonly model: Model;
  private readonly config: ChatConfig;
  private readonly tools: readonly ModelTool[];
  private history: readonly ModelMessage[] = [];
  private readonly options: OpenOptions;
  private saidThatCostIsUnknown = false;
  /** The tool calls of the steps so far. */
  private callCount = 0;

  constructor(model: Model, config: ChatConfig, options: OpenOptions = {}) {
    this.options = options;
    this.model = model;
    this.config = config;
    this.tools = (config.tools ?? []).map(toModelTool);
  }

  async send(request: AgentRequest, signal: AbortSignal): Promise<RawReply> {
    const start = monotonicMs();
    const messages = [...this.history, ...toModelMessages(request.input_messages)];
    const turns: Turn[] = [];
    try {
      await this.converse(messages, turns, { signal, wrapFetch: this.gate(request.step) });
    } catch (error) {
      throw toAgentError(error, signal);
    }
    // Only now: a step that is sent again must not find its own messages.
    this.history = messages;
    // Of replayed calls somebody else knows how long they took.
    const durationMs = this.options.isOffline === true ? undefined : monotonicMs() - start;
    return { reply: toReply(this.asSeen(turns), durationMs), printed: this.notes(turns).join('\n') };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Calls the model until it answers without calling a tool. */
  private async converse(messages: ModelMessage[], turns: Turn[], calling: Calling): Promise<void> {
    const { system, tools: canned = [], max_steps: maxSteps = DEFAULT_MAX_STEPS } = this.config;
    for (;;) {
      const response = await callModel(this.model, { system, messages, tools: this.tools, ...calling });
      const calls = response.toolCalls.map((call) => answerToolCall(call, canned));
      turns.push({ response, calls });
      messages.push(...response.messages);
      if (calls.length === 0) return;
      messages.push(toToolMessage(response, calls));
      if (turns.length === maxSteps) throw tooManySteps(turns, maxSteps);
    }
  }

  /** Somebody may decide about the calls. */
  private gate(step: number): WrapFetch | undefined {
    if (this.options.beforeCall === undefined) return undefined;
    return gateFetch(this.options, { step, toError: ({ kind, message }) => new ModelError(kind, message) });
  }

  /** With the results that the model got, where somebody changed them. */
  private asSeen(turns: readonly Turn[]): readonly Turn[] {
    const { changedOutput } = this.options;
    if (changedOutput === undefined) return turns;
    return turns.map((turn) => ({
      ...turn,
      calls: turn.calls.map((call) => {
        const output = changedOutput(this.callCount++);
        return output === undefined ? call : { ...call, output };
      }),
    }));
  }

  /** What people should know about the replies. */
  private notes(turns: readonly Turn[]): readonly string[] {
    const notes = new Set(turns.flatMap(({ response }) => response.warnings));
    const { ending } = turns.at(-1)!.response;
    if (ending === 'length') notes.add('the answer was cut: it reached the token limit');
    else if (ending !== 'stop') notes.add(`the answer ended with "${ending}"`);
    if (priceOf(this.model.config) === undefined && !this.saidThatCostIsUnknown) {
      this.saidThatCostIsUnknown = true;
      notes.add(unknownPrice(this.model.config));
    }
    return [...notes];
  }
}

type Calling = Pick<ModelRequest, 'signal' | 'wrapFetch'>;

/** One call of the model, and the results of its tool calls. */
interface Turn {
  readonly response: ModelResponse;
  readonly calls: readonly RecordedToolCall[];
}

function toModelTool({
  name,
  description,
  schema = { type: 'object', properties: {} },
}: CannedTool): ModelTool {
  return { name, description, schema };
}

function toToolMessage({ toolCalls }: ModelResponse, calls: readonly RecordedToolCall[]): ToolModelMessage {
  return {
    role: 'tool',
    content: toolCalls.map(({ id, name }, index) => {
      const call = calls[index]!;
      const type = call.status === 'error' ? ('error-text' as const) : ('text' as const);
      return {
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type, value: outputText(call) },
      };
    }),
  };
}

function toReply(turns: readonly Turn[], durationMs: number | undefined): Json {
  const calls = turns.flatMap((turn) => turn.calls);
  const usage = addUsage(turns.map(({ response }) => response.usage));
  const costs = turns.map(({ response }) => response.costUsd);
  const cost = costs.every((each) => each !== undefined)
    ? costs.reduce((sum, each) => sum + each, 0)
    : undefined;
  return {
    output: turns.at(-1)!.response.text,
    tools_used: calls.map(({ tool }) => tool),
    tool_calls: calls as unknown as Json,
    output_messages: turns.map(toMessage),
    ...(usage === undefined ? {} : { token_usage: usage as unknown as Json }),
    ...(cost === undefined ? {} : { cost_usd: cost }),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
  };
}

function toMessage({ response: { text }, calls }: Turn): Json {
  const content = text === '' && calls.length > 0 ? {} : { content: text };
  return {
    role: 'assistant',
    ...content,
    ...(calls.length === 0 ? {} : { tool_calls: calls as unknown as Json }),
  };
}

function tooManySteps(turns: readonly Turn[], maxSteps: number): AgentError {
  const names = turns.flatMap(({ calls }) => calls.map(({ tool }) => tool));
  const message = `the model still called tools in turn ${maxSteps} (${names.slice(-5).join(', ')}): raise \`max_steps\` if it needs more`;
  return new AgentError('limit', message, { printed: `tools called: ${names.join(', ')}` });
}

function toAgentError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return stoppedError(signal);
  if (!(error instanceof ModelError)) return error;
  const { message, retryAfterMs, isRetryable, kind, status } = error;
  if (kind === 'timeout' || kind === 'limit' || kind === 'cassette' || kind === 'config')
    return new AgentError(kind, message);
  return new AgentError(isRetryable ? 'infrastructure' : 'agent', message, {
    retryAfterMs,
    isRateLimit: kind === 'rate_limit',
    refusedStatus: refusedStatus(status),
  });
}
