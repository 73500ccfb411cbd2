import type { JsonObject } from '../../base/model/json.ts';
import { object, type Fields } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import {
  CLAIM_FIELDS,
  COMMON_FIELDS,
  FOREIGN_FIELDS,
  typeField,
  type EvaluatorKind,
  type EvaluatorSchema,
  type ReadEvaluator,
} from './evaluator-kind.ts';

/** How other files write an evaluator that Assay has under another name or with other fields. */
export interface EvaluatorSpelling {
  /** The values of `type`, with hyphens. */
  readonly names: readonly [string, ...string[]];
  readonly doc: string;
  /** What it is here. */
  readonly kind: EvaluatorKind;
  /** Reads the fields as they are written there, and returns those of `kind`. */
  readonly schema: EvaluatorSchema;
  /** `not-` before its name and `negate` are read by the schema. */
  readonly readsNegation: boolean;
}

interface SpellingDefinition<F> {
  readonly names: readonly [string, ...string[]];
  readonly doc: string;
  readonly kind: EvaluatorKind;
  readonly fields: F;
  /** Unknown keys are errors, or go into `config`. Default: error. */
  readonly unknown?: 'error' | 'config';
  readonly readsNegation?: boolean;
  /** The fields of `kind`, from those that were read; required ones are there. It reports what has no counterpart. */
  translate(read: JsonObject, reader: Reader): JsonObject | undefined;
}

export function defineSpelling<const F extends Fields>(definition: SpellingDefinition<F>): EvaluatorSpelling {
  const { names, doc, kind, fields, unknown = 'error', readsNegation = false, translate } = definition;
  const isBinary = kind.isBinary || readsNegation;
  const claim = kind.partialScore === undefined ? {} : CLAIM_FIELDS;
  const all = {
    type: typeField(names, { isBinary }),
    ...COMMON_FIELDS,
    ...FOREIGN_FIELDS,
    ...claim,
    ...fields,
  };
  const authored = object(all, { what: `the evaluator \`${names[0]}\``, unknown });
  return {
    names,
    doc,
    kind,
    readsNegation,
    schema: {
      ...authored,
      read(value, reader) {
        const errorsBefore = reader.errorCount;
        const read = authored.read(value, reader);
        if (read === undefined || reader.errorCount > errorsBefore) return undefined;
        return translate(read as JsonObject, reader) as ReadEvaluator | undefined;
      },
    },
  };
}
