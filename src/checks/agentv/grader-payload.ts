import type { Evidence } from '../../base/model/evidence.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import { judgePayload } from '../judge-payload.ts';
import { madeCalls, plainCalls } from '../made-calls.ts';
import { agentvTrace } from './trace.ts';

/** What the programs of `code-grader` and `script` get: the names of newer AgentV releases, beside those of ours. */
export function graderPayload(
  evidence: Evidence,
  config: Json | undefined,
  tools: Pick<EvaluationTools, 'findFile'>,
): JsonObject {
  const payload = judgePayload(evidence, config, tools);
  const calls = madeCalls(evidence.reply);
  const { output_messages, candidate_answer, input_files, guideline_files, trace_summary: summary } = payload;
  const trace = isJsonObject(summary) ? summary : {};
  const messages = isJsonList(output_messages)
    ? (output_messages as readonly JsonObject[])
    : [
        {
          role: 'assistant',
          content: candidate_answer!,
          ...(calls?.length ? { tool_calls: plainCalls(calls) } : {}),
        },
      ];
  return {
    ...payload,
    criteria: payload['expected_outcome']!,
    input: payload['input_messages']!,
    input_files: [...asList(input_files), ...asList(guideline_files)],
    output: candidate_answer!,
    messages,
    expected_output: payload['expected_messages']!,
    metadata: evidence.test.metadata ?? null,
    // Nobody knows whether the agent called tools: a trace without calls would say that it did not.
    trace: calls === undefined ? null : agentvTrace(messages, trace),
    trace_summary: isJsonObject(summary) ? { ...summary, tool_calls: summary['tool_calls_by_name']! } : null,
    token_usage: trace['token_usage'] ?? null,
    cost_usd: trace['cost_usd'] ?? null,
    duration_ms: trace['duration_ms'] ?? null,
    start_time: null,
    end_time: null,
    file_changes: null,
    workspace_path: null,
  };
}

function asList(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}
