import { list } from './list.ts';
import type { Field } from './object.ts';
import { complete, object } from './object.ts';
import { needsOneOf, refine } from './refine.ts';
import { oneOf, text } from './values.ts';

const action = oneOf(['allow', 'deny', 'fail']);

const rule = complete(
  object(
    {
      tool: {
        schema: text({ nonEmpty: true }),
        doc: 'The name of the tool; `*` stands for any characters.',
        missing: 'missing_value',
      },
      do: {
        schema: action,
        doc: '`allow`, `deny`, or `fail`: the attempt ends as an error.',
        missing: 'missing_value',
      },
      message: { schema: text(), doc: 'Why: the agent gets it, if it can.' },
    },
    { what: 'a rule of `approvals`' },
  ),
);

const approvals = object(
  {
    default: { schema: action, doc: 'For requests that no rule is about.' },
    rules: { schema: list(rule, { nonEmpty: true }), doc: 'The first whose tool it is decides.' },
  },
  { what: '`approvals`' },
);

/** What answers an agent that asks for permission, for tests, files and targets alike. */
export const APPROVALS_FIELD = {
  schema: refine(approvals, needsOneOf(['default', 'rules'])),
  doc: 'What Assay answers when the agent asks for permission. Without it, a step must answer; a request that no one answers is an error.',
} as const satisfies Field<unknown>;

export const STOP_AFTER_FIELD = {
  schema: oneOf(['first_tool_call']),
  doc: '`first_tool_call`: the attempt ends at the first tool call that the agent asks for, and only claims about tools can be checked.',
} as const satisfies Field<unknown>;
