import type { Json, JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { AttemptRecord, StepRecord } from '../../base/model/record.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';

export interface ExportContext {
  readonly runId: string;
  /** Every one of them; a log of Inspect has one model. */
  readonly targets: readonly string[];
  /** Tests that ran more than once. */
  readonly isRepeated: (record: AttemptRecord) => boolean;
}

/** How a run is written for other tools: a text before its attempts, one for each, and one after. */
export interface ExportFormat {
  start?(context: ExportContext): string;
  attempt(record: AttemptRecord, context: ExportContext & { readonly isFirst: boolean }): string;
  end?(context: ExportContext): string;
  /** Why a run cannot be written. */
  problem?(context: ExportContext): string | undefined;
}

export function line(value: Json): string {
  return `${printJson(value)}\n`;
}

/** The answer, if it is known. */
export function answerOf({ output, doubts = [] }: StepRecord): string | undefined {
  return doubts.some(({ about }) => about === 'output') ? undefined : output;
}

/** Calls without an id need one, so that their results find them. */
export function callsOf(
  { tool_calls = [] }: StepRecord,
  step: number,
): readonly (RecordedToolCall & { readonly id: string })[] {
  return tool_calls.map((call, index) => ({ ...call, id: call.id ?? `call_${step + 1}_${index + 1}` }));
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : printJson(value);
}

/** What nothing judged has no status. */
export function statusOf({ verdict }: AttemptRecord): string {
  return { passed: 'pass', failed: 'fail', error: 'error', skipped: 'skip', not_graded: 'unknown' }[verdict];
}

/** A record without the fields that are not there. */
export function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** The conversation in the words of OpenAI. */
export function chatMessages(steps: readonly StepRecord[]): readonly JsonObject[] {
  return steps.flatMap((step, index) => {
    const calls = callsOf(step, index);
    const answer = answerOf(step);
    return [
      { role: 'user', content: step.input },
      ...(calls.length === 0
        ? []
        : [
            {
              role: 'assistant',
              content: null,
              tool_calls: calls.map(({ id, tool, input }) => ({
                id,
                type: 'function',
                function: { name: tool, arguments: input === undefined ? '' : textOf(input) },
              })),
            },
            ...calls.flatMap(({ id, tool, output }) =>
              output === undefined
                ? []
                : [{ role: 'tool', tool_call_id: id, name: tool, content: textOf(output) }],
            ),
          ]),
      ...(answer === undefined ? [] : [{ role: 'assistant', content: answer }]),
    ];
  });
}

/** What messages cannot say of a step, so that an export that is read again gives the same verdicts. */
export function turnFacts(step: StepRecord): JsonObject {
  const { token_usage, usage_complete, cost_usd, models, model_calls, duration_ms, memory, error } = step;
  const { tools_used, tool_calls = tools_used?.map((tool) => ({ tool })) } = step;
  const gap = gapOf(step);
  return present({
    // An answer that is not known, and not an empty one.
    output: answerOf(step) === undefined ? null : undefined,
    error: step.output === undefined ? error?.message : undefined,
    doubts: step.doubts as unknown as Json | undefined,
    memory,
    token_usage: token_usage as Json | undefined,
    usage_complete,
    cost_usd,
    models,
    model_calls,
    duration_ms,
    tool_calls: tool_calls as unknown as Json | undefined,
    gap: gap?.at === undefined ? undefined : { at: gap.at, form: gap.form ?? '' },
  });
}

/** Where two sources tell of other calls, neither tells all of them. */
function gapOf({ trace_gap, unreported_calls, observed_calls }: StepRecord): StepRecord['trace_gap'] {
  if (unreported_calls === undefined && observed_calls === undefined) return trace_gap;
  return { kind: 'incomplete', at: 'the run', form: 'the agent reported other calls than were observed' };
}
