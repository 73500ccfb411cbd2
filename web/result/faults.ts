import { faultyCall, faultyTool, type FaultAction } from '../../src/base/model/fault.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';
import { jsonText } from '../text/json/json-text.ts';
import { callsOf } from './conversation.ts';

export type RecordedFault = NonNullable<AttemptRecord['faults']>[number];

/** `model call 2: error 500`. */
export function describeFault(fault: RecordedFault): string {
  return `${faultyCall(fault)}: ${describeAction(fault.do)}`;
}

export function describeAction(action: FaultAction): string {
  if (typeof action === 'number') return `error ${action}`;
  if (typeof action === 'object') return `replaced by ${jsonText(action.reply).slice(0, 200)}`;
  return { timeout: 'timed out', reset: 'connection reset', truncate: 'cut off' }[action];
}

/** The tool calls of an attempt that went wrong on purpose. */
export function faultyCalls({
  faults = [],
  steps,
}: AttemptRecord): ReadonlyMap<RecordedToolCall, FaultAction> {
  const found = new Map<RecordedToolCall, FaultAction>();
  if (faults.length === 0) return found;
  const counts = new Map<string, number>();
  for (const step of steps) {
    for (const call of callsOf(step)) {
      const count = (counts.get(call.tool) ?? 0) + 1;
      counts.set(call.tool, count);
      const fault = faults.find((one) => faultyTool(one) === call.tool && one.call === count);
      if (fault !== undefined) found.set(call, fault.do);
    }
  }
  return found;
}
