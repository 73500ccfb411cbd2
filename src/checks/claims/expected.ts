import { jsonMatches } from '../../base/match/json-matches.ts';
import { comparableObject } from '../../base/match/matchers/comparable.ts';
import { firstMatcher } from '../../base/match/matchers/read-matcher.ts';
import { sampleValues } from '../../base/match/matchers/sample-values.ts';
import { shownExpected } from '../../base/match/matchers/shown-expected.ts';
import { isJsonObject } from '../../base/model/json.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { object } from '../../base/schema/object.ts';
import { text } from '../../base/schema/values.ts';
import { unknownCalls, usedTools } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';
import { wantedMemory } from '../wanted-memory.ts';
import { areSameTools, isMoreThan, toolNames, wantedTools } from './tools-used.ts';

/** The parts of a reply that it compares. */
const PARTS = ['output', 'tools_used', 'memory'] as const;

const schema = object(
  {
    output: { schema: text(), doc: 'The exact output.', missing: 'missing_output' },
    tools_used: { schema: toolNames, doc: 'The exact list of tools used. Default: none.' },
    memory: { schema: comparableObject(), doc: 'The whole memory after the step. Default: empty.' },
  },
  { what: '`expected`' },
);

/** Full equality of output, tools and memory: a separate field of a step, not a key of `assert`. */
export const expected = defineClaim({
  kind: 'expected',
  doc: 'Output, tools and memory are exactly these.',
  example: { output: 'Paris', tools_used: ['search'], memory: { city: 'Paris' } },
  reads: ['output', 'tools', 'memory'],
  states: { at: 'parts' },
  schema,
  // A block without an output is an error in its file, and is never evaluated.
  parameters: (_key, { output = '', tools_used = [], memory = {} }) => ({ tools_used, memory, output }),
  evaluate(wanted, { reply, memoryAfter }) {
    const used = usedTools(reply);
    if (used === undefined) return unmeasured(unknownCalls(reply));
    const actual = { output: reply.output, tools_used: used.names, memory: memoryAfter };
    const different = PARTS.filter((part) =>
      part === 'tools_used'
        ? !areSameTools(wanted.tools_used, used.names)
        : !jsonMatches(wanted[part], actual[part]),
    );
    const holds = different.length === 0;
    return {
      score: holds ? 1 : 0,
      message: holds ? 'output, tools and memory are as expected' : undefined,
      expected: {
        output: wanted.output,
        // The same tools with the names of their MCP servers are not a difference.
        tools_used: different.includes('tools_used') ? wanted.tools_used : used.names,
        memory: holds ? wanted.memory : shownExpected(wanted.memory, memoryAfter),
      },
      actual,
      warnings: used.warnings,
    };
  },
  // With another output or memory, calls decide nothing.
  standsWithMoreCalls: (wanted, { evidence: { reply, memoryAfter } }) =>
    isMoreThan(wanted.tools_used, reply.tools_used ?? []) ||
    !jsonMatches(wanted.output, reply.output) ||
    !jsonMatches(wanted.memory, memoryAfter),
  oracle: ({ output, tools_used, memory }) => ({
    output,
    ...wantedTools(tools_used),
    ...wantedMemory(undefined, memory),
    memory:
      firstMatcher(memory) === undefined ? memory : sampleValues(memory).find((value) => isJsonObject(value)),
    rule: { type: 'literal', text: output, at: 'whole' },
  }),
});
