import { jsonEqual } from '../../match/json-equal.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { object } from '../../schema/object.ts';
import { jsonObject, text } from '../../schema/values.ts';
import { unknownCalls, usedTools } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';
import { areSameTools, toolNames, wantedTools } from './tools-used.ts';

/** The parts of a reply that it compares. */
const PARTS = ['output', 'tools_used', 'memory'] as const;

const schema = object(
  {
    output: { schema: text(), doc: 'The exact output.', missing: 'missing_output' },
    tools_used: { schema: toolNames, doc: 'The exact list of tools used. Default: none.' },
    memory: { schema: jsonObject(), doc: 'The whole memory after the step. Default: empty.' },
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
        : !jsonEqual(wanted[part], actual[part]),
    );
    const message =
      different.length === 0
        ? 'output, tools and memory are as expected'
        : `not as expected: ${different.join(', ')}`;
    return {
      score: different.length === 0 ? 1 : 0,
      message,
      expected: { output: wanted.output, tools_used: wanted.tools_used, memory: wanted.memory },
      actual,
      warnings: used.warnings,
    };
  },
  oracle: ({ output, tools_used, memory }) => ({
    output,
    ...wantedTools(tools_used),
    memory,
    memory_rule: { path: undefined, says: { equals: memory } },
    rule: { type: 'literal', text: output, at: 'whole' },
  }),
});
