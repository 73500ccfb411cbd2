import { jsonEqual } from '../base/match/json-equal.ts';
import { isSameTool } from '../base/match/same-tool.ts';
import type { RecordedToolCall } from '../base/model/reply.ts';

/** What two sources tell of the same calls. */
export interface ComparedCalls {
  /** The reported calls, with what only the other source tells of them. */
  readonly calls: readonly RecordedToolCall[];
  /** Calls that only the other source tells of. */
  readonly unreported: readonly RecordedToolCall[];
  /** Calls that only the report tells of. */
  readonly unseen: readonly RecordedToolCall[];
  /** What the other source tells of each reported call. */
  readonly pairs: readonly (RecordedToolCall | undefined)[];
  /** Calls that both tell of, with other arguments. */
  readonly differing: readonly RecordedToolCall[];
}

/** Pairs calls by id, else by tool in the order in which they were made: parallel calls end in any order. */
export function compareCalls(
  reported: readonly RecordedToolCall[],
  observed: readonly RecordedToolCall[],
): ComparedCalls {
  const open = new Set(observed);
  const byId = reported.map((call) =>
    take(open, (other) => call.id !== undefined && call.id === other.id && isSameTool(call.tool, other.tool)),
  );
  const pairs = reported.map(
    (call, index) => byId[index] ?? take(open, (other) => isSameTool(call.tool, other.tool)),
  );
  return {
    calls: reported.map((call, index) => fill(call, pairs[index])),
    pairs,
    unreported: [...open],
    unseen: reported.filter((_, index) => pairs[index] === undefined),
    differing: reported.filter(({ input }, index) => {
      const other = pairs[index]?.input;
      return input !== undefined && other !== undefined && !jsonEqual(input, other);
    }),
  };
}

function take(
  open: Set<RecordedToolCall>,
  fits: (call: RecordedToolCall) => boolean,
): RecordedToolCall | undefined {
  for (const call of open) {
    if (!fits(call)) continue;
    open.delete(call);
    return call;
  }
  return undefined;
}

/** What the report says stands. A duration from the wire keeps its bound. */
function fill(call: RecordedToolCall, other: RecordedToolCall | undefined): RecordedToolCall {
  if (other === undefined) return call;
  const { tool: _tool, duration_bound, ...details } = other;
  const bound =
    call.duration_ms === undefined && duration_bound !== undefined ? { duration_bound } : undefined;
  return { ...details, ...bound, ...present(call) };
}

function present(call: RecordedToolCall): RecordedToolCall {
  return Object.fromEntries(
    Object.entries(call).filter(([, value]) => value !== undefined),
  ) as unknown as RecordedToolCall;
}
