import type { Json, JsonObject } from '../../base/model/json.ts';
import type { AttemptRecord, StepRecord } from '../../base/model/record.ts';
import { answerOf, callsOf, line, present, statusOf, textOf, type ExportFormat } from './export-format.ts';

/** A trajectory per line: an agent's step holds its calls, their results, and the answer. */
export const ATIF_EXPORT: ExportFormat = {
  attempt: (record, { runId, isRepeated }) =>
    line({
      schema_version: 'ATIF-v1.7',
      session_id: record.test,
      trajectory_id: record.id,
      agent: present({ name: record.target, version: '', model_name: record.steps[0]?.models?.[0] }),
      steps: stepsOf(record),
      extra: present({
        assay_run: runId,
        status: statusOf(record),
        repeat: isRepeated(record) ? record.repeat : undefined,
        scores: record.foreign_scores,
      }),
    }),
};

function stepsOf({ steps, started_at }: AttemptRecord): readonly JsonObject[] {
  let at = Date.parse(started_at);
  let number = 0;
  return steps.flatMap((step, index) => {
    const said = {
      step_id: ++number,
      timestamp: new Date(at).toISOString(),
      source: 'user',
      message: step.input,
    };
    at += step.duration_ms ?? 0;
    const isSilent = answerOf(step) === undefined && (step.tool_calls ?? []).length === 0;
    return isSilent
      ? [said]
      : [said, agentStep(step, index, { step_id: ++number, timestamp: new Date(at).toISOString() })];
  });
}

function agentStep(step: StepRecord, index: number, place: JsonObject): JsonObject {
  const calls = callsOf(step, index);
  const { token_usage: usage, cost_usd, model_calls, models } = step;
  const cached = usage?.cached;
  return present({
    ...place,
    source: 'agent',
    message: answerOf(step) ?? '',
    model_name: models?.[0],
    llm_call_count: model_calls,
    tool_calls:
      calls.length === 0
        ? undefined
        : calls.map(({ id, tool, input }) => ({
            tool_call_id: id,
            function_name: tool,
            arguments: input ?? {},
          })),
    observation: calls.every(({ output, status }) => output === undefined && status === undefined)
      ? undefined
      : {
          results: calls.map(({ id, output, status, duration_ms }) => ({
            source_call_id: id,
            content: textOf(output),
            extra: present({
              is_error: status === undefined ? undefined : status === 'error',
              duration_ms: duration_ms as Json | undefined,
            }),
          })),
        },
    metrics:
      usage === undefined && cost_usd === undefined
        ? undefined
        : present({
            prompt_tokens: usage && usage.input + (cached ?? 0),
            completion_tokens: usage?.output,
            cached_tokens: cached,
            cost_usd,
          }),
  });
}
