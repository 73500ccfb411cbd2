import type { JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { addUsage } from '../../base/model/usage.ts';
import { answerOf, callsOf, present, textOf, turnFacts, type ExportFormat } from './export-format.ts';

/** A log of Inspect: one model, and a sample per attempt. */
export const INSPECT_EXPORT: ExportFormat = {
  problem: ({ targets }) =>
    targets.length > 1
      ? `a log of Inspect has one model, and the run has the targets ${targets.join(', ')}`
      : undefined,
  start: ({ runId, targets: [model = 'agent'] }) => {
    const about = {
      version: 2,
      status: 'success',
      eval: { run_id: runId, task: 'assay', model, dataset: {}, config: {} },
      plan: { name: 'plan', steps: [] },
    };
    return `${printJson(about).slice(0, -1)},"samples":[`;
  },
  attempt: (record, { isFirst }) => `${isFirst ? '' : ','}\n${printJson(sampleOf(record))}`,
  end: () => '\n]}\n',
};

function sampleOf(record: AttemptRecord): JsonObject {
  const { steps, test, repeat, verdict } = record;
  const last = steps.at(-1);
  const model = steps[0]?.models?.[0] ?? record.target;
  const usage = record.token_usage ?? addUsage(steps.map(({ token_usage }) => token_usage));
  const scores = {
    ...record.foreign_scores,
    ...(verdict === 'passed' || verdict === 'failed' ? { assay: verdict === 'passed' ? 'C' : 'I' } : {}),
  };
  return present({
    id: test,
    epoch: repeat,
    input: steps[0]?.input ?? '',
    target: '',
    messages: steps.flatMap((step, index) => {
      const calls = callsOf(step, index);
      return [
        { role: 'user', content: step.input },
        ...(calls.length === 0
          ? []
          : [
              {
                role: 'assistant',
                content: '',
                tool_calls: calls.map(({ id, tool, input }) => ({
                  id,
                  function: tool,
                  arguments: input ?? {},
                })),
              },
              ...calls.map(({ id, tool, output }) => ({
                role: 'tool',
                tool_call_id: id,
                function: tool,
                content: textOf(output),
              })),
            ]),
        { role: 'assistant', content: answerOf(step) ?? '' },
      ];
    }),
    output: {
      model,
      choices: [
        { message: { role: 'assistant', content: (last && answerOf(last)) ?? '' }, stop_reason: 'stop' },
      ],
    },
    scores: Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, { value }])),
    model_usage:
      usage === undefined
        ? {}
        : {
            [model]: present({
              input_tokens: usage.input + (usage.cached ?? 0),
              output_tokens: usage.output,
              total_tokens: usage.input + (usage.cached ?? 0) + usage.output,
              input_tokens_cache_read: usage.cached,
              reasoning_tokens: usage.reasoning,
            }),
          },
    total_time: record.duration_ms === undefined ? undefined : record.duration_ms / 1000,
    metadata: { ...record.metadata, assay_turns: steps.map(turnFacts) },
  });
}
