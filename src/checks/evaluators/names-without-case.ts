import { isSameTool } from '../../base/match/same-tool.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import type { AuthoredTrajectory } from './trajectory-fields.ts';

/** With `ignore_case`, a call of a tool that is written in other letters has the authored name. */
export function namedAsAuthored(
  { ignore_case, expected = [], minimums = {}, maximums = {}, forbidden = [] }: AuthoredTrajectory,
  calls: readonly RecordedToolCall[],
): readonly RecordedToolCall[] {
  if (ignore_case !== true) return calls;
  const names = [
    ...expected.map(({ tool }) => tool),
    ...Object.keys(minimums),
    ...Object.keys(maximums),
    ...forbidden,
  ];
  return calls.map((call) => {
    if (names.some((name) => isSameTool(name, call.tool))) return call;
    const name = names.find((each) => isSameTool(each.toLowerCase(), call.tool.toLowerCase()));
    return name === undefined ? call : { ...call, tool: name };
  });
}
