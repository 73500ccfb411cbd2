import type { CallRule, RequiredCall } from '../../../base/model/reply-requirements.ts';
import { unite } from '../oracle/unite-calls.ts';

/** Whether no tool calls can follow all of the rules. */
export function areImpossibleCalls(rules: readonly CallRule[]): boolean {
  const sequence = sequenceOf(rules);
  const least = leastOf(rules);
  if (sequence === undefined) return breaksLimits(least, rules);
  const isTooShort = [...least].some(
    ([tool, count]) => sequence.filter((name) => name === tool).length < count,
  );
  return isTooShort || rules.some((rule) => !follows(sequence, rule));
}

/** The same for rules about all steps together, beside the rules of each step. */
export function areImpossibleOverSteps(
  whole: readonly CallRule[],
  steps: readonly (readonly CallRule[])[],
): boolean {
  const sequences = steps.map(sequenceOf);
  if (sequences.every((sequence) => sequence !== undefined)) {
    const calls = sequences.flat();
    return whole.some((rule) => !follows(calls, rule));
  }
  const least = new Map<string, number>();
  for (const rules of steps)
    for (const [tool, count] of leastOf(rules)) least.set(tool, (least.get(tool) ?? 0) + count);
  for (const [tool, count] of leastOf(whole)) least.set(tool, Math.max(count, least.get(tool) ?? 0));
  return breaksLimits(least, whole);
}

type Counts = ReadonlyMap<string, number>;

function sequenceOf(rules: readonly CallRule[]): readonly string[] | undefined {
  return rules.find((rule) => rule.sequence !== undefined)?.sequence;
}

/** How often each tool is called at least. */
function leastOf(rules: readonly CallRule[]): Counts {
  const least = new Map<string, number>();
  const raise = (tool: string, count: number): void => {
    least.set(tool, Math.max(count, least.get(tool) ?? 0));
  };
  for (const rule of rules) {
    for (const [tool, count] of entriesOf(rule.least)) raise(tool, count);
    const { sequence = [] } = rule;
    for (const tool of sequence) raise(tool, sequence.filter((name) => name === tool).length);
  }
  const calls = rules.flatMap((rule) => rule.calls ?? []);
  for (const tool of new Set(calls.map((call) => call.tool)))
    raise(tool, countDifferent(calls.filter((call) => call.tool === tool)));
  return least;
}

/** How many of some calls of one tool must be different calls. */
function countDifferent(calls: readonly RequiredCall[]): number {
  const different: RequiredCall[] = [];
  for (const call of calls) if (different.every((other) => areDifferent(other, call))) different.push(call);
  return different.length;
}

/** With matchers, one input may satisfy both although none was found: then nothing is claimed. */
function areDifferent(a: RequiredCall, b: RequiredCall): boolean {
  return a.fits === undefined && b.fits === undefined && unite(a, b) === undefined;
}

function breaksLimits(least: Counts, rules: readonly CallRule[]): boolean {
  const total = [...least.values()].reduce((sum, count) => sum + count, 0);
  return rules.some(
    ({ most, most_in_all: all = Infinity, only }) =>
      total > all ||
      entriesOf(most).some(([tool, count]) => (least.get(tool) ?? 0) > count) ||
      (only !== undefined && [...least].some(([tool, count]) => count > 0 && !only.includes(tool))),
  );
}

function follows(calls: readonly string[], rule: CallRule): boolean {
  const countOf = (tool: string): number => calls.filter((name) => name === tool).length;
  const { sequence, order, least, most, most_in_all: all = Infinity, only } = rule;
  return (
    (sequence === undefined ||
      (sequence.length === calls.length && sequence.every((tool, at) => tool === calls[at]))) &&
    (order === undefined || hasInOrder(calls, order)) &&
    entriesOf(least).every(([tool, count]) => countOf(tool) >= count) &&
    entriesOf(most).every(([tool, count]) => countOf(tool) <= count) &&
    calls.length <= all &&
    (only === undefined || calls.every((tool) => only.includes(tool)))
  );
}

function hasInOrder(calls: readonly string[], order: readonly string[]): boolean {
  let next = 0;
  for (const call of calls) if (call === order[next]) next++;
  return next === order.length;
}

function entriesOf(counts: Readonly<Record<string, number>> = {}): readonly (readonly [string, number])[] {
  return Object.entries(counts);
}
