import { isJsonObject, type JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import { numberAt, objectAt, textAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import type { Trace } from '../trace.ts';
import { withFailure } from '../unfinished-trace.ts';
import { objectDialect } from './dialect.ts';

/** What `gemini --output-format json` prints: the answer and figures. It counts the tool calls and does not list them. */
export const GEMINI_CLI_RESULT = objectDialect({ name: 'a Gemini CLI result', isMarked, read: readResult });

function isMarked(value: JsonObject): boolean {
  const stats = objectAt(value, 'stats');
  const error = objectAt(value, 'error');
  if (stats !== undefined) {
    const isTold = 'response' in value || error !== undefined;
    return isTold && objectAt(stats, 'models') !== undefined && objectAt(stats, 'tools') !== undefined;
  }
  // A run that could not start prints its error alone.
  const isError = error !== undefined && ['type', 'message', 'code'].every((name) => name in error);
  return isError && Object.keys(value).every((name) => name === 'error' || name === 'session_id');
}

function readResult(value: JsonObject): Trace {
  const stats = objectAt(value, 'stats');
  const models = Object.entries(objectAt(stats, 'models') ?? {}).filter((each) => isJsonObject(each[1]));
  const error = objectAt(value, 'error');
  const figures = models.map(([, model]) => model as JsonObject);
  const trace: Trace = {
    output: textAt(value, 'response'),
    tool_calls: numberAt(objectAt(stats, 'tools'), 'totalCalls') === 0 ? [] : undefined,
    token_usage: addUsage(figures.map((model) => tokensOf(objectAt(model, 'tokens')))),
    models: models.length === 0 ? undefined : models.map(([name]) => name),
    model_calls: addAll(figures.map((model) => numberAt(objectAt(model, 'api'), 'totalRequests'))),
    session_id: textAt(value, 'session_id'),
  };
  return error === undefined ? trace : withFailure(trace, textAt(error, 'message') ?? 'an error');
}

/** `prompt` includes tokens read from a cache, but not thoughts or what tools added. */
function tokensOf(tokens: JsonObject | undefined): TokenUsage | undefined {
  const prompt = countAt(tokens, 'prompt');
  const candidates = countAt(tokens, 'candidates');
  const thoughts = countAt(tokens, 'thoughts');
  return inclusiveUsage({
    prompt: prompt === undefined ? undefined : prompt + (countAt(tokens, 'tool') ?? 0),
    cached: countAt(tokens, 'cached'),
    output: candidates === undefined ? undefined : candidates + (thoughts ?? 0),
    reasoning: thoughts,
  });
}
