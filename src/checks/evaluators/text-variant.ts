import type { Field } from '../../base/schema/object.ts';
import { boolean } from '../../base/schema/values.ts';

/** Another way to compare texts, switched on by a field. It is the only way in files of AgentV 4 and newer. */
export interface TextVariant<N extends string> {
  readonly name: N;
  readonly field: Field<boolean>;
  /** Each text, before they are compared. */
  prepare(text: string): string;
}

export const TRIM: TextVariant<'trim'> = {
  name: 'trim',
  field: {
    schema: boolean(),
    doc: 'Ignores whitespace around the output and around the text. Default: false.',
  },
  prepare: (text) => text.trim(),
};

export const LOWERCASE: TextVariant<'lowercase'> = {
  name: 'lowercase',
  field: {
    schema: boolean(),
    doc: 'Compares lower-case letters as JavaScript makes them: `STRASSE` is not `Straße`. Default: false.',
  },
  prepare: (text) => text.toLowerCase(),
};

/** How texts are compared by default, and the variant that a field switches on. */
export interface Comparing {
  /** Default: texts are compared as they are. */
  readonly prepare?: (text: string) => string;
  readonly variant?: TextVariant<string>;
}

/** How the texts of an evaluator with these parameters are prepared. */
export function preparation({ prepare, variant }: Comparing, parameters: object) {
  const isVariant = variant !== undefined && (parameters as Record<string, unknown>)[variant.name] === true;
  return { isVariant, prepare: isVariant ? variant.prepare : (prepare ?? ((text: string) => text)) };
}
