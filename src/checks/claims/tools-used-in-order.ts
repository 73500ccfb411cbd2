import { isSameTool } from '../../base/match/same-tool.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { countNames } from '../count-names.ts';
import { compareUsedTools, someTools, unusedTools } from './used-tools.ts';

export const toolsUsedInOrder = defineClaim({
  kind: 'tools_used.in_order',
  doc: 'These tools were used in this order; others may come before, between and after them.',
  example: ['search', 'book'],
  reads: ['tools'],
  schema: someTools,
  evaluate: ({ value }, { reply }) =>
    compareUsedTools(reply, {
      wanted: value,
      holds: 'these tools were used in this order',
      problem: (used) => describeOrder(value, used),
    }),
  standsWithMoreCalls: (_, { outcome }) => outcome.score === 1,
  oracle({ value }) {
    const calls = value.map((tool) => ({ tool, isOrdered: true }));
    return { calls, call_rule: { order: value, least: countNames(value), calls } };
  },
});

/** Each tool at the first place where it can be: if that does not find all of them, nothing does. */
function describeOrder(wanted: readonly string[], used: readonly string[]): string {
  let next = 0;
  for (const tool of used) if (next < wanted.length && isSameTool(wanted[next]!, tool)) next++;
  if (next === wanted.length) return '';
  const unused = unusedTools(wanted, used);
  if (unused.length > 0) return `not used: ${unused.join(', ')}`;
  return `${wanted[next]!} was not used after ${wanted.slice(0, next).join(', ')}`;
}
