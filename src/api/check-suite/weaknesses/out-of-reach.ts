import { isSameTool } from '../../../base/match/same-tool.ts';
import { faultyCall, faultyTool, type Fault } from '../../../base/model/fault.ts';
import type { CallRule } from '../../../base/model/reply-requirements.ts';
import type { CheckableAssertion, CheckableTest } from '../checkable-test.ts';

/** Why an attempt of this test never gets as far as it must: its limits stop it, or a fault does not happen. */
export interface OutOfReach {
  readonly fault?: Fault | undefined;
  readonly why: string;
}

export function outOfReach({ authored, steps, whole }: CheckableTest): readonly OutOfReach[] {
  const { limits, faults = [] } = authored;
  const found: OutOfReach[] = [];
  const needed = Math.max(sum(steps.map(mostNeeded)), mostNeeded(whole));
  if (limits?.tool_calls !== undefined && needed > limits.tool_calls)
    found.push({ why: `it needs ${needed} tool calls, and \`limits\` stop it after ${limits.tool_calls}` });
  for (const fault of faults) {
    const tool = faultyTool(fault);
    const most =
      tool === undefined
        ? Math.min(limits?.model_calls ?? Infinity, sum(steps.map(mostMessages)), mostMessages(whole))
        : Math.min(
            limits?.tool_calls ?? Infinity,
            sum(steps.map((step) => mostOf(step, tool))),
            mostOf(whole, tool),
          );
    if (fault.call > most)
      found.push({
        fault,
        why: `${faultyCall(fault)} never comes: the test allows ${most === 0 ? 'none' : `at most ${most}`}`,
      });
  }
  return found;
}

function rulesOf(list: readonly CheckableAssertion[]): readonly CallRule[] {
  return list.flatMap(({ weight, wanted }) => (weight > 0 && wanted.call_rule ? [wanted.call_rule] : []));
}

/** How many calls the strictest assertion asks for. */
function mostNeeded(list: readonly CheckableAssertion[]): number {
  return Math.max(
    0,
    ...rulesOf(list).map(({ sequence, least = {} }) =>
      Math.max(sequence?.length ?? 0, sum(Object.values(least))),
    ),
  );
}

/** How often a tool may be called at most. */
function mostOf(list: readonly CheckableAssertion[], tool: string): number {
  const isTool = (name: string): boolean => isSameTool(name, tool) || isSameTool(tool, name);
  return Math.min(
    ...rulesOf(list).flatMap(({ sequence, only, most = {}, most_in_all }) => [
      sequence === undefined ? Infinity : sequence.filter(isTool).length,
      only === undefined || only.some(isTool) ? Infinity : 0,
      ...Object.keys(most)
        .filter(isTool)
        .map((name) => most[name]!),
      most_in_all ?? Infinity,
    ]),
    Infinity,
  );
}

/** How many messages of the model the assertions allow. */
function mostMessages(list: readonly CheckableAssertion[]): number {
  const unwanted = list.flatMap(({ weight, wanted }) => (weight > 0 ? (wanted.unwanted ?? []) : []));
  return Math.min(
    Infinity,
    ...unwanted.flatMap(({ messages }) => (messages === undefined ? [] : [messages - 1])),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
