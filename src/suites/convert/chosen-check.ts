import type { JsonObject } from '../../base/model/json.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { PathSegment } from '../../base/model/place.ts';
import type { ConversionLog } from './conversion-log.ts';
import type { Conversion, ConvertOptions } from './contract.ts';
import { referenceCheck } from './reference-check.ts';

/**
 * The evaluators of a file that has expected answers and does not say how to compare with them. Empty if no case has
 * an expected answer.
 */
export function chosenCheck(
  cases: readonly JsonObject[],
  { evaluator }: ConvertOptions,
  log: ConversionLog,
): { readonly evaluators?: readonly JsonObject[] } {
  if (!cases.some(hasReference)) return {};
  if (evaluator === undefined)
    log.warn({
      code: 'check_chosen',
      message: 'the file does not specify how answers are compared, so each must match exactly',
      hint: 'to ask a judge instead: --evaluator llm_judge',
      from: FILE,
    });
  // A case with evaluators of its own has this one among them.
  const isUsed = cases.some((each) => hasReference(each) && !Object.hasOwn(each, 'evaluators'));
  return isUsed ? { evaluators: [referenceCheck(evaluator ?? 'match')] } : {};
}

const FILE: readonly PathSegment[] = [];

/** The suite of these cases, with such evaluators. Without cases there is none. */
export function suiteOfCases(cases: readonly JsonObject[], { options, log, findings }: Read): Conversion {
  const settings = chosenCheck(cases, options, log);
  const all = [...findings, ...log.findings];
  if (cases.length === 0) return { suite: undefined, findings: all };
  return { suite: { document: { ...settings, evalcases: cases }, comments: log.comments }, findings: all };
}

interface Read {
  readonly options: ConvertOptions;
  readonly log: ConversionLog;
  readonly findings: readonly Finding[];
}

export function hasReference(fields: JsonObject): boolean {
  return Object.hasOwn(fields, 'expected_output') || Object.hasOwn(fields, 'expected_messages');
}
