import type { JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { printJson } from '../../base/model/print-json.ts';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { objectDialect } from './dialect.ts';

/** What `crew.kickoff` gives: the answer and the tokens of all agents. It does not tell which tools they used. */
export const CREWAI_RESULT = objectDialect({
  name: 'a CrewAI result',
  isMarked: (value) => typeof value['raw'] === 'string' && listAt(value, 'tasks_output') !== undefined,
  read(result) {
    const structured = valueAt(result, 'json_dict', 'pydantic');
    const usage = objectAt(result, 'token_usage');
    const raw = textAt(result, 'raw') ?? '';
    return {
      output: raw === '' && structured !== undefined ? printJson(structured) : raw,
      token_usage: crewUsage(usage),
      model_calls: usage === undefined ? undefined : numberAt(usage, 'successful_requests') || undefined,
    };
  },
});

/** `prompt_tokens` includes tokens read from a cache. */
function crewUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  return inclusiveUsage({
    prompt: countAt(usage, 'prompt_tokens'),
    cached: countAt(usage, 'cached_prompt_tokens'),
    output: countAt(usage, 'completion_tokens'),
    reasoning: countAt(usage, 'reasoning_tokens'),
  });
}
