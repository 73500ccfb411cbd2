import type { Field } from './object.ts';
import { object } from './object.ts';
import { needsOneOf, refine } from './refine.ts';
import { number, oneOf } from './values.ts';

const whole = number({ min: 0, integer: true });

const limits = object(
  {
    model_calls: { schema: whole, doc: 'Calls to a model.' },
    tokens: { schema: whole, doc: 'Tokens in total.' },
    cost_usd: { schema: number({ min: 0 }), doc: 'US dollars.' },
    tool_calls: { schema: whole, doc: 'Tool calls.' },
    unseen: {
      schema: oneOf(['allow']),
      doc: '`allow`: run an agent even if nothing shows what it uses, so that the limits cannot be kept.',
    },
  },
  { what: '`limits`' },
);

/** What one attempt may use, for tests, files and targets alike. */
export const LIMITS_FIELD = {
  schema: refine(limits, needsOneOf(['model_calls', 'tokens', 'cost_usd', 'tool_calls'])),
  doc: 'The most that one attempt may use. The model call beyond it is refused, and the attempt ends as an error.',
} as const satisfies Field<unknown>;
