import { byType } from '../../../base/schema/by-type.ts';
import { runSettings } from '../../../base/schema/foreign-fields.ts';
import { complete, object } from '../../../base/schema/object.ts';
import type { Schema } from '../../../base/schema/schema.ts';
import { number, oneOf } from '../../../base/schema/values.ts';

export interface AgentvRepeats {
  readonly repeats: number;
  readonly pass_at_least: string;
}

const count = number({ min: 1, max: 100_000, integer: true });

const trials = complete(
  object(
    {
      count: { schema: count, doc: 'How often to run each case.', missing: 'missing_value' },
      strategy: {
        schema: oneOf(['pass_at_k', 'pass_any'], {
          hintFor: (word) =>
            ['mean', 'confidence_interval', 'pass_all'].includes(word)
              ? 'write `repeats` and `pass_at_least`: how often the case must pass'
              : undefined,
        }),
        doc: 'Only `pass_at_k`: one passed attempt is enough.',
      },
      ...runSettings({
        cost_limit_usd: 'limit the cost of the run with `--max-cost`',
        early_exit: 'all attempts run',
      }),
    },
    { what: '`trials`' },
  ),
);

const byCount = byType({ number: count, object: trials });

/** `trials` and `repeat`: in AgentV, one passed attempt of several is enough. */
export const repeatCount: Schema<AgentvRepeats> = {
  ...byCount,
  read(value, reader) {
    const read = byCount.read(value, reader);
    const repeats = typeof read === 'object' ? read.count : read;
    return repeats === undefined ? undefined : { repeats, pass_at_least: `1/${repeats}` };
  },
};
