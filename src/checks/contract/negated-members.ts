import type { Assertion } from '../../base/model/assertion.ts';
import type { Reader } from '../../base/schema/reader.ts';
import type { EvaluatorKind, ReadEvaluator } from './evaluator-kind.ts';

/** AgentV 4 does not read `negate` of an evaluator inside a `composite`. */
export function warnAboutNegatedMembers(read: ReadEvaluator, { nests }: EvaluatorKind, reader: Reader): void {
  const members = (read as Readonly<Record<string, unknown>>)[nests!.field] as readonly Assertion[];
  for (const { name, negate, place } of members)
    if (negate)
      reader.findings.push({
        severity: 'warning',
        code: 'agentv_negate',
        message: 'AgentV 4 ignores `negate` of an evaluator inside a `composite`, and Assay does not',
        hint: 'move it out of the `composite`, or state the opposite without `negate`',
        file: place.file,
        line: place.line,
        column: place.column,
        path: name,
      });
}
