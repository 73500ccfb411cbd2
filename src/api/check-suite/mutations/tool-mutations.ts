import type { RecordedToolCall } from '../../../base/model/reply.ts';
import { jsonChanges } from './json-changes.ts';
import type { Mutation, MutationFamily } from './mutation.ts';

/** Calls dropped, added, swapped and renamed, and their arguments changed. */
export const toolMutations: MutationFamily = function* (reply) {
  const { calls } = reply;
  const change = (name: string, changed: readonly RecordedToolCall[]): Mutation => ({
    name,
    reply: { ...reply, calls: changed },
  });
  yield change('tool added', [...calls, { tool: 'another_tool' }]);
  if (calls.length > 0) yield change('all tools dropped', []);
  for (const [index, call] of calls.slice(0, MOST).entries()) {
    yield change(`tool ${call.tool} dropped`, calls.toSpliced(index, 1));
    yield change(`tool ${call.tool} renamed`, calls.with(index, { ...call, tool: `${call.tool}_renamed` }));
    yield change(`tool ${call.tool} called twice`, calls.toSpliced(index, 0, call));
    yield change(`tool ${call.tool} slowed down`, calls.with(index, { ...call, duration_ms: 1e9 }));
    const next = calls[index + 1];
    if (next !== undefined && next.tool !== call.tool)
      yield change(
        `tools ${call.tool} and ${next.tool} swapped`,
        calls.with(index, next).with(index + 1, call),
      );
    if (call.input === undefined) continue;
    for (const { what, where, value } of jsonChanges(call.input))
      yield change(`argument ${where} of ${call.tool} ${what}`, calls.with(index, { ...call, input: value }));
  }
};

const MOST = 40;
