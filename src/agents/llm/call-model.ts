import type { ModelMessage, ToolSet } from 'ai';
import type { JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { callOptions } from './call-options.ts';
import { classifyError } from './classify-error.ts';
import type { Model } from './create-model.ts';
import type { WrapFetch } from './guarded-fetch.ts';
import type { AiSdk } from './load-ai-sdk.ts';
import { ModelError } from './model-error.ts';
import { costOf, priceOf } from './price-table.ts';
import { readUsage } from './read-usage.ts';
import { describeWarning } from './describe-warning.ts';
import { startTimer, stopTimer } from '../../base/system/system-time.ts';

export interface ModelRequest {
  readonly system?: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[] | undefined;
  /** The reply must be JSON that fits this schema. */
  readonly schema?: JsonObject | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** Default: it goes to the network as it is. */
  readonly wrapFetch?: WrapFetch | undefined;
}

/** A tool that the model may call. The caller answers the call. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema: JsonObject;
}

export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** The model's messages, for the next request. */
  readonly messages: readonly ModelMessage[];
  /** Why it stopped: `stop`, `length`, `tool-calls`, `content-filter`, ... */
  readonly ending: string;
  /** The server's name for it. */
  readonly model: string;
  /** Undefined: the server did not say. */
  readonly usage: TokenUsage | undefined;
  /** Undefined: the usage or the price is unknown. */
  readonly costUsd: number | undefined;
  readonly warnings: readonly string[];
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON, if it followed the protocol. */
  readonly inputText: string;
}

/** Calls a model once. Every failure is a ModelError. */
export async function callModel(model: Model, request: ModelRequest): Promise<ModelResponse> {
  const { signal } = request;
  if (signal.aborted) throw stopped();
  const { sdk, languageModel } = await model.load(request.wrapFetch);
  const timeoutMs = request.timeoutMs ?? model.config.timeout_ms;
  const limit = startLimit(signal, timeoutMs);
  try {
    return await generate(model, request, { sdk, languageModel, signal: limit.signal });
  } catch (error) {
    if (signal.aborted) throw stopped();
    if (limit.hasPassed()) {
      throw new ModelError(
        'timeout',
        `the model "${model.config.model}" did not answer within ${timeoutMs} ms`,
      );
    }
    throw classifyError(error, model, sdk);
  } finally {
    limit.clear();
  }
}

function stopped(): ModelError {
  return new ModelError('stopped', 'the call was stopped before the model answered');
}

function startLimit(signal: AbortSignal, timeoutMs: number | undefined) {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  let passed = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : startTimer(() => {
          passed = true;
          controller.abort();
        }, timeoutMs);
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    clear() {
      stopTimer(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

type Loaded = Awaited<ReturnType<Model['load']>>;

async function generate(
  model: Model,
  { system, messages, tools = [], schema }: ModelRequest,
  { sdk, languageModel, signal }: Loaded & { readonly signal: AbortSignal },
): Promise<ModelResponse> {
  const inputTexts: string[] = [];
  const result = await sdk.generateText({
    ...callOptions(model.config),
    model: keepInputTexts(sdk, languageModel, inputTexts),
    ...(system === undefined ? {} : { system }),
    messages: [...messages],
    allowSystemInMessages: true,
    ...(tools.length === 0 ? {} : { tools: toToolSet(sdk, tools) }),
    ...(schema === undefined ? {} : { output: jsonOutput(sdk, schema) }),
    maxRetries: 0,
    abortSignal: signal,
    // An address in a suite is never fetched from here; a provider that takes addresses fetches them itself.
    experimental_download: (downloads) => Promise.resolve(downloads.map(refuseDownload)),
  });
  const usage = readUsage(result.usage);
  return {
    text: result.text,
    toolCalls: result.toolCalls.map(({ toolCallId, toolName }, index) => {
      return { id: toolCallId, name: toolName, inputText: inputTexts[index] ?? '' };
    }),
    // Results that the SDK gave itself, for calls it could not parse, are left out: the caller answers every call.
    messages: result.response.messages.filter(({ role }) => role === 'assistant'),
    ending: result.finishReason,
    model: result.response.modelId,
    usage,
    costUsd: costOf(usage, priceOf(model.config)),
    warnings: (result.warnings ?? []).map(describeWarning),
  };
}

/** The SDK returns parsed arguments, in which large integers are rounded and some keys are refused. */
function keepInputTexts(sdk: AiSdk, model: Loaded['languageModel'], inputTexts: string[]) {
  if (model.specificationVersion !== 'v3') return model;
  return sdk.wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      async wrapGenerate({ doGenerate }) {
        const result = await doGenerate();
        for (const part of result.content) if (part.type === 'tool-call') inputTexts.push(part.input);
        return result;
      },
    },
  });
}

/** Without a prototype: a model that calls the tool `constructor` calls a tool that does not exist. */
function toToolSet(sdk: AiSdk, tools: readonly ModelTool[]): ToolSet {
  const set = Object.create(null) as ToolSet;
  for (const { name, description, schema } of tools) {
    const inputSchema = sdk.jsonSchema(schema);
    set[name] = sdk.tool({ ...(description === undefined ? {} : { description }), inputSchema });
  }
  return set;
}

/** Requests JSON, but leaves parsing to the caller. */
function jsonOutput(sdk: AiSdk, schema: JsonObject) {
  const output = sdk.Output.object({ schema: sdk.jsonSchema(schema), name: 'answer' });
  return { ...output, parseCompleteOutput: ({ text }: { readonly text: string }) => Promise.resolve(text) };
}

function refuseDownload({
  url,
  isUrlSupportedByModel,
}: {
  readonly url: URL;
  readonly isUrlSupportedByModel: boolean;
}): null {
  if (isUrlSupportedByModel) return null;
  throw new ModelError(
    'request',
    `the model takes no address such as ${url.origin}: give the image as a data: URL`,
  );
}
