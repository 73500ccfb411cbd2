import type { Json } from '../../base/model/json.ts';
import { list } from '../../base/schema/list.ts';
import { complete, mapOf, object, type CompleteOf } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import { anyJson, text } from '../../base/schema/values.ts';

const name = refine(text({ nonEmpty: true }), checkName);

export const settingsSchema = mapOf(anyJson());

const FIELDS = {
  name: {
    schema: name,
    doc: 'Its name: suites and `--target` write `target/variant`.',
    missing: 'missing_name',
  },
  env: {
    schema: mapOf(text()),
    doc: 'Variables for the program that the target starts, and for `${{ NAME }}` in the target.',
  },
  model: { schema: text({ nonEmpty: true }), doc: 'Another `model`.' },
  system: { schema: text(), doc: 'Another `system` prompt.' },
  args: {
    schema: list(text(), { nonEmpty: true }),
    doc: 'More arguments for the program that the target starts.',
  },
  with: {
    schema: settingsSchema,
    doc: 'More settings, or other values: they win over `with` of the target.',
  },
} as const;

/** A variant of a target: its name, and what it changes. */
const variantSchema = object(FIELDS, { what: 'a variant' });

export const variantsSchema = list(complete(variantSchema), { nonEmpty: true, label: 'list of variants' });

export type VariantConfig = CompleteOf<typeof FIELDS>;

/** `target/variant` is one name, and a comma separates names on the command line. */
function checkName(given: Json, reader: Reader): void {
  const written = given as string;
  if (/[/,]/.test(written) || written.trim() !== written)
    reader.error({
      code: 'variant_name',
      message: `${JSON.stringify(written)} cannot be the name of a variant`,
      hint: 'leave out slashes, commas, and spaces at the ends',
    });
}
