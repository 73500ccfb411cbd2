import type { RecordedToolCall } from '../../model/reply.ts';
import { isSameTool } from '../same-tool.ts';
import type { ExpectedCall } from './calls.ts';
import { compareArguments } from './compare-arguments.ts';

export type CallComparison = 'match' | 'other_tool' | 'wrong_arguments' | 'unknown_arguments' | 'too_slow';

/**
 * How a call compares with an expected one: the first thing that is wrong with it. A duration that is not known is not too
 * long. Arguments that are not known do not match, unless `assumed` says that they are as expected.
 */
export function compareCall(
  expected: ExpectedCall,
  actual: RecordedToolCall,
  assumed?: 'arguments',
): CallComparison {
  if (!isSameTool(expected.tool, actual.tool)) return 'other_tool';
  const comparison = compareArguments(expected, actual.input);
  if (comparison === 'differ') return 'wrong_arguments';
  if (comparison === 'unknown' && assumed === undefined) return 'unknown_arguments';
  const { maxDurationMs } = expected;
  const isSlow =
    maxDurationMs !== undefined && actual.duration_ms !== undefined && actual.duration_ms > maxDurationMs;
  return isSlow ? 'too_slow' : 'match';
}
