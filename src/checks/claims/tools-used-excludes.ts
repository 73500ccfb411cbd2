import { isSameTool } from '../../base/match/same-tool.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { compareUsedTools, someTools } from './used-tools.ts';

export const toolsUsedExcludes = defineClaim({
  kind: 'tools_used.excludes',
  doc: 'None of these tools was used.',
  example: ['delete_booking'],
  reads: ['tools'],
  schema: someTools,
  evaluate: ({ value }, { reply }) =>
    compareUsedTools(reply, {
      wanted: { $not: { $contains: value.length === 1 ? value[0]! : { $oneOf: value } } },
      holds: 'none of these tools was used',
      problem(used) {
        const found = value.filter((name) => used.some((tool) => isSameTool(name, tool)));
        return found.length === 0 ? '' : `used, but must not be: ${found.join(', ')}`;
      },
    }),
  standsWithMoreCalls: (_, { outcome }) => outcome.score === 0,
  oracle: ({ value }) => ({
    call_rule: { most: Object.fromEntries(value.map((tool) => [tool, 0])) },
    unwanted: value.map((tool) => ({ calls: [{ tool }] })),
  }),
});
