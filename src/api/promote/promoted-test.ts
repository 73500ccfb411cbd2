import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { AttemptRecord, StepRecord } from '../../base/model/record.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import type { Comment } from '../../suites/convert/contract.ts';
import { writeYaml } from '../../suites/convert/write-yaml.ts';

interface Origin {
  readonly runId: string;
  /** The id of the new test. */
  readonly id: string;
  /** Why the attempt did not pass. */
  readonly reason?: string | undefined;
}

/** A recorded attempt as a step test: what was said, the calls that came of it, and the answers. */
export function promotedTest(record: AttemptRecord, origin: Origin): string {
  const comments: Comment[] = originOf(record, origin).map((text) => ({ at: [], text }));
  const steps = record.steps.map((step, index) => {
    const { assertions, unknown } = expectationsOf(step);
    for (const text of unknown) comments.push({ at: ['steps', index], text });
    return { input: step.input, assert: assertions };
  });
  const { memory_before: memory = {} } = record.steps[0] ?? {};
  return writeYaml(
    {
      id: origin.id,
      ...(record.description === undefined ? {} : { description: record.description }),
      tags: ['promoted'],
      ...(Object.keys(memory).length === 0 ? {} : { memory }),
      steps,
    },
    comments,
  );
}

function originOf(record: AttemptRecord, { runId, reason }: Origin): readonly string[] {
  const { source, file, line, started_at, target, test } = record;
  const from = source === undefined ? '' : `, recorded by ${source.format}`;
  const origin = `Promoted from the run ${runId}: ${test} (${target}) at ${file}:${line}${from}, ${started_at.slice(0, 10)}.`;
  if (reason === undefined)
    return [
      origin,
      'It expects exactly what the agent did then. Keep what must stay true, and loosen the rest.',
    ];
  return [
    origin,
    `It did not pass: ${reason}`,
    'The expectations are what the agent did then. Correct what it did wrong.',
  ];
}

/** What could not be known is not expected. */
function expectationsOf({ output, tool_calls, trace_gap, doubts = [] }: StepRecord): {
  readonly assertions: readonly JsonObject[];
  readonly unknown: readonly string[];
} {
  const isAnswerKnown = output !== undefined && !doubts.some(({ about }) => about === 'output');
  const areCallsKnown = tool_calls !== undefined && trace_gap === undefined;
  return {
    assertions: [
      ...(areCallsKnown ? [trajectoryOf(tool_calls)] : []),
      ...(isAnswerKnown ? [answerOf(output)] : []),
    ],
    unknown: [
      ...(areCallsKnown ? [] : ['The recording does not tell all tool calls, so none is expected.']),
      ...(isAnswerKnown ? [] : ['The recording does not tell the answer, so none is expected.']),
    ],
  };
}

/** `required: 1`: a mean over several expectations must not hide that one of them broke. */
function answerOf(output: string): JsonObject {
  return output.trim() === ''
    ? { type: 'regex', value: String.raw`^\s*$`, required: 1 }
    : { type: 'equals', value: output, required: 1 };
}

function trajectoryOf(calls: readonly RecordedToolCall[]): JsonObject {
  return {
    type: 'tool_trajectory',
    mode: 'exact',
    args_match: 'exact',
    required: 1,
    expected: calls.map(({ tool, input }) => ({
      tool,
      args:
        input === undefined ? 'any' : isJsonObject(input) && !hasMatcher(input) ? input : { $literal: input },
    })),
  };
}

/** Keys that begin so are matchers, unless they are in `$literal`. */
function hasMatcher(value: Json): boolean {
  if (isJsonList(value)) return value.some(hasMatcher);
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([key, item]) => key.startsWith('$') || hasMatcher(item))
  );
}
