import { isSameTool } from '../../base/match/same-tool.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { countNames } from '../count-names.ts';
import { compareUsedTools, someTools, unusedTools } from './used-tools.ts';

export const toolsUsedIncludes = defineClaim({
  kind: 'tools_used.includes',
  doc: 'These tools were used, in any order, possibly with others. A tool that is listed twice was used at least twice.',
  example: ['search'],
  reads: ['tools'],
  schema: someTools,
  evaluate: ({ value }, { reply }) =>
    compareUsedTools(reply, {
      wanted: value,
      holds: 'these tools were used',
      problem: (used) => describeUnused(unusedTools(value, used), used),
    }),
  standsWithMoreCalls: (_, { outcome }) => outcome.score === 1,
  oracle({ value }) {
    const calls = value.map((tool) => ({ tool }));
    return { calls, call_rule: { least: countNames(value), calls } };
  },
});

function describeUnused(unused: readonly string[], used: readonly string[]): string {
  if (unused.length === 0) return '';
  const often = unused.filter((name) => used.some((tool) => isSameTool(name, tool)));
  return often.length === unused.length
    ? `not used often enough: ${often.join(', ')}`
    : `not used: ${unused.join(', ')}`;
}
