import type { LoadedEvaluator } from '../contract/custom-evaluator.ts';
import { toAssertionKind } from '../contract/assertion-kind.ts';
import type { EvaluatorKind } from '../contract/evaluator-kind.ts';
import { evaluateLoaded } from './evaluate-loaded.ts';
import { exampleRequirements } from './example-requirements.ts';
import { ownFields, warnAboutMisspelled } from './own-fields.ts';
import type { JsonObject } from '../../base/model/json.ts';

export interface EvaluatorSource {
  /** The file, from the root of the project. */
  readonly source: string;
  /** Every evaluator file of the config. If one of them changes, verdicts may change. */
  readonly code: readonly string[];
}

/** A kind of evaluator that a config registers: suites use it by its name, like a built-in one. */
export function configEvaluator(
  evaluator: LoadedEvaluator,
  { source, code }: EvaluatorSource,
): EvaluatorKind {
  const { name, doc = 'A custom evaluator.', jsonSchema, hasSchema } = evaluator;
  return {
    ...toAssertionKind<JsonObject>({
      kind: name,
      doc,
      reads: [],
      evaluate: (fields, evidence, tools) => evaluateLoaded(evaluator, fields, { evidence, tools }),
      oracle(fields) {
        const example = evaluator.example(fields);
        return example === undefined ? undefined : exampleRequirements(example);
      },
      needs: () => ({ code }),
    }),
    unchecked: 'a custom evaluator without an `example` decides',
    isBinary: true,
    otherNames: [],
    example: {},
    source,
    schema: ownFields({
      kind: name,
      jsonSchema,
      check(fields, reader) {
        if (!hasSchema) warnAboutMisspelled(fields, reader);
        for (const problem of evaluator.check(fields)) reader.error(problem);
      },
    }),
  };
}
