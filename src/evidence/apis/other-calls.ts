import { isJsonObject } from '../../base/model/json.ts';
import type { OtherCalls } from '../../base/model/other-calls.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { Exchange } from '../exchange.ts';
import { objectAt, textAt, objectsAt } from '../foreign-fields.ts';
import { parseServerSentEvents } from '../parse-events.ts';
import { countAt } from '../provider-usage.ts';

/** By the end of the path: OpenAI and those like it, Cohere, Ollama, Gemini, Vertex and Bedrock. */
const PATHS: readonly (readonly [OtherCalls['kind'], RegExp])[] = [
  [
    'embedding',
    /\/(?:embeddings|v[12]\/embed|api\/embed|model\/[^/]*embed[^/]*\/invoke)$|:(?:embedContent|batchEmbedContents)$|embed[^/]*:predict$/i,
  ],
  ['image', /\/images\/(?:generations|edits|variations)$|\/imagen[^/]*:predict$/i],
];

/** A request to a model that gives no answers. Undefined: it is none. `path` without the query. */
export function kindOfOtherCall(method: string, path: string): OtherCalls['kind'] | undefined {
  if (method.toUpperCase() !== 'POST') return undefined;
  return PATHS.find(([, pattern]) => pattern.test(path))?.[0];
}

/** What one of them used. Undefined: it is none, or the server refused it. */
export function readOtherCall({
  method,
  path,
  request = {},
  status,
  response,
  response_text,
}: Exchange): OtherCalls | undefined {
  const [plain = ''] = path.split('?', 1);
  const kind = kindOfOtherCall(method, plain);
  if (kind === undefined || status < 200 || status > 299) return undefined;
  const events = response_text === undefined ? [] : parseServerSentEvents(response_text).events;
  const bodies = [response, ...events].filter(isJsonObject);
  return {
    kind,
    model: textAt(request, 'model') ?? modelIn(plain),
    calls: 1,
    token_usage: bodies.flatMap((body) => usageOf(body) ?? []).at(-1),
  };
}

type Body = NonNullable<Exchange['request']>;

function usageOf(body: Body): TokenUsage | undefined {
  const told =
    objectAt(body, 'usage', 'usageMetadata') ?? objectAt(objectAt(body, 'meta'), 'billed_units') ?? body;
  const statistics = objectsAt(body, 'predictions').map(
    (each) => objectAt(objectAt(each, 'embeddings'), 'statistics') ?? {},
  );
  const counts = statistics.map((each) => countAt(each, 'token_count'));
  const input = counts.length > 0 && !counts.includes(undefined) ? sum(counts as number[]) : inputOf(told);
  return input === undefined ? undefined : { input, output: countAt(told, 'output_tokens') ?? 0 };
}

function inputOf(told: Body): number | undefined {
  return countAt(
    told,
    'input_tokens',
    'prompt_tokens',
    'total_tokens',
    'promptTokenCount',
    'prompt_eval_count',
    'inputTextTokenCount',
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, each) => all + each, 0);
}

function modelIn(path: string): string | undefined {
  const name = /\/models?\/([^/:]+)/.exec(path)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return name;
  }
}
