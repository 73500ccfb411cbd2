import type { RecordedToolCall } from '../../model/reply.ts';
import { isSameTool } from '../same-tool.ts';
import type { ExpectedCall } from './calls.ts';
import { argumentsMatch } from './compare-arguments.ts';

export type CallComparison = 'match' | 'other_tool' | 'wrong_arguments' | 'too_slow';

/** How a call compares with an expected one: the first thing that is wrong with it. A duration that is not known is not too long. */
export function compareCall(expected: ExpectedCall, actual: RecordedToolCall): CallComparison {
  if (!isSameTool(expected.tool, actual.tool)) return 'other_tool';
  if (!argumentsMatch(expected, actual.input)) return 'wrong_arguments';
  const { maxDurationMs } = expected;
  const isSlow =
    maxDurationMs !== undefined && actual.duration_ms !== undefined && actual.duration_ms > maxDurationMs;
  return isSlow ? 'too_slow' : 'match';
}
