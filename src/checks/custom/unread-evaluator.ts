import type { JsonObject } from '../../base/model/json.ts';
import { toAssertionKind } from '../contract/assertion-kind.ts';
import type { EvaluatorKind } from '../contract/evaluator-kind.ts';
import { judgeFailed } from '../unmeasured.ts';
import type { EvaluatorSource } from './config-evaluator.ts';
import { ownFields } from './own-fields.ts';

/** An evaluator whose file this command does not execute: what is written for it is kept as it is. */
export function unreadEvaluator(name: string, { source, code }: EvaluatorSource): EvaluatorKind {
  return {
    ...toAssertionKind<JsonObject>({
      kind: name,
      doc: 'A custom evaluator.',
      reads: [],
      evaluate: () => judgeFailed(`the code of the evaluator \`${name}\` was not read`),
      needs: () => ({ code }),
    }),
    unchecked: 'its code was not read: add --trust-config',
    isBinary: true,
    otherNames: [],
    example: {},
    source,
    schema: ownFields({ kind: name, check: () => {} }),
  };
}
