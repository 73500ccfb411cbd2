import type { Json, JsonObject } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import type { ConversionLog } from '../conversion-log.ts';
import { caseListOf } from './own-suite.ts';
import { leaveOut } from './steps-to-eval.ts';

export interface DatasetParts {
  /** The lines. */
  readonly text: string;
  /** What the file sets for all of its cases; undefined if it sets nothing. */
  readonly sidecar: JsonObject | undefined;
}

/** An eval file as a dataset: a line for each case, and the settings of the file beside it. */
export function evalToDataset(document: JsonObject, log: ConversionLog): DatasetParts {
  const { [caseListOf(document)]: cases, $schema, ...sidecar } = document;
  if ($schema !== undefined && $schema !== null) leaveOut('$schema', log, ['$schema']);
  return {
    text: (cases as readonly Json[]).map((item) => `${printJson(item)}\n`).join(''),
    sidecar: Object.keys(sidecar).length === 0 ? undefined : sidecar,
  };
}
