import type { JsonObject } from '../../base/model/json.ts';
import { toAssertionKind } from '../contract/assertion-kind.ts';
import type { LoadedEvaluator } from '../contract/custom-evaluator.ts';
import type { EvaluatorKind } from '../contract/evaluator-kind.ts';
import { wrongInFile, type Obstacle } from '../contract/preflight.ts';
import { judgeFailed } from '../unmeasured.ts';
import { evaluateLoaded } from './evaluate-loaded.ts';
import { splitReference } from './evaluator-reference.ts';
import { ownFields } from './own-fields.ts';

/**
 * An evaluator that a suite names by its file: `./check.ts#tone`. Reading a suite executes nothing, so its fields are checked
 * when it is loaded: before the agent is called.
 */
export function fileEvaluator(reference: string): EvaluatorKind {
  const { file, name } = splitReference(reference)!;
  return {
    ...toAssertionKind<JsonObject>({
      kind: reference,
      doc: 'A custom evaluator.',
      reads: [],
      async evaluate(fields, evidence, tools) {
        let evaluator: LoadedEvaluator;
        try {
          evaluator = await tools.loadEvaluator(reference);
        } catch (error) {
          return judgeFailed((error as Error).message);
        }
        const [problem] = problemsOf(evaluator, fields);
        if (problem !== undefined) return judgeFailed(problem.message);
        return evaluateLoaded(evaluator, fields, { evidence, tools });
      },
      async preflight(fields, tools) {
        const found = await tools.findEvaluator(reference);
        if (found === undefined) return [];
        return isObstacles(found) ? found : problemsOf(found, fields);
      },
      needs: () => ({ code: [file] }),
    }),
    unchecked: 'a custom evaluator decides whose file the suite names',
    isBinary: true,
    otherNames: [],
    example: {},
    defaultName: name,
    schema: ownFields({ kind: reference, check: () => {} }),
  };
}

function isObstacles(found: LoadedEvaluator | readonly Obstacle[]): found is readonly Obstacle[] {
  return Array.isArray(found);
}

function problemsOf(evaluator: LoadedEvaluator, fields: JsonObject): readonly Obstacle[] {
  return evaluator
    .check(fields)
    .map(({ code, message, hint }) =>
      wrongInFile(code, hint === undefined ? message : `${message} (${hint})`),
    );
}
