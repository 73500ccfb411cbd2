import type { Environment } from '../../agents/llm/create-model.ts';
import { interpolate } from '../../agents/llm/interpolate.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { ObjectSchema } from '../../base/schema/object.ts';
import { NOWHERE, Reader } from '../../base/schema/reader.ts';
import type { TargetConfig } from './config.ts';
import { checkTarget, kindOfTarget } from './target-kind.ts';
import { variantsSchema, type VariantConfig } from '../../agents/kinds/variant-schema.ts';

/** The targets that one entry of a config stands for: itself, or its variants, each named `target/variant`. */
export function expandVariants(target: TargetConfig): readonly TargetConfig[] {
  const variants = readVariants(target as unknown as JsonObject, new Reader(NOWHERE));
  if (variants === undefined) return [target];
  return variants.map((variant) => variantTarget(target as unknown as JsonObject, variant));
}

/** The name of a config's entry: for a variant, that of its target. */
export function baseName({ name, variant_of }: TargetConfig): string {
  return variant_of ?? name;
}

/** The environment of a target: a variant may set variables. */
export function environmentOf({ env: own }: TargetConfig, env: Environment): Environment {
  return own === undefined ? env : { ...env, ...variablesOf({ env: own }, env) };
}

/** The variables that a variant sets. */
export function variablesOf({ env: own = {} }: Pick<TargetConfig, 'env'>, env: Environment) {
  return interpolate(own, env) as Readonly<Record<string, string>>;
}

/** Undefined without variants, or if they cannot be read: then the target has errors. */
function readVariants(target: JsonObject, reader: Reader): readonly VariantConfig[] | undefined {
  const written = ownValue(target, 'variants');
  if (written === undefined) return undefined;
  reader.enter('variants');
  const variants = variantsSchema.read(written, reader) as readonly VariantConfig[] | undefined;
  reader.leave();
  return reader.errorCount === 0 ? variants : undefined;
}

function variantTarget(target: JsonObject, { name, env, ...changes }: VariantConfig): TargetConfig {
  const { variants: _variants, ...base } = target;
  const { args, with: settings, ...others } = changes;
  const own = base['with'] ?? {};
  const merged = settings !== undefined && isJsonObject(own) ? { with: { ...own, ...settings } } : {};
  const changed: JsonObject = { ...base, ...others, ...merged };
  const kind = args === undefined ? undefined : kindOfTarget(changed, new Reader(NOWHERE));
  return {
    ...((args && kind?.withArgs?.(changed, args)) ?? changed),
    name: `${String(target['name'])}/${name}`,
    variant_of: target['name'],
    ...(env === undefined ? {} : { env }),
  } as unknown as TargetConfig;
}

/** A target as its kind reads it, without what only variants have. */
export function withoutVariantFields(target: JsonObject): JsonObject {
  const { variants: _variants, variant_of: _of, env: _env, ...own } = target;
  return own;
}

/** What is wrong with a target that has variants: with each of them, under its name. */
export function checkVariants(target: JsonObject, createReader: () => Reader): ReadonlyMap<string, Reader> {
  const whole = createReader();
  const name = ownValue(target, 'name');
  const variants = readVariants(target, whole);
  if (variants === undefined || typeof name !== 'string') {
    if (typeof name !== 'string') checkTarget(withoutVariantFields(target), whole);
    return new Map([[typeof name === 'string' ? name : '', whole]]);
  }
  const byName = new Map<string, Reader>();
  const names = new Map<string, number>();
  const contents = new Map<string, string>();
  for (const [index, variant] of variants.entries()) {
    const reader = createReader();
    const expanded = variantTarget(target, variant);
    const isDuplicate = reportDuplicate(variant, { index, names, reader });
    checkFields(target, { variant, index, reader });
    if (reader.errorCount === 0) checkTarget(withoutVariantFields(expanded as unknown as JsonObject), reader);
    if (reader.errorCount === 0 && !isDuplicate) {
      const { name: _name, ...content } = expanded as unknown as JsonObject;
      const printed = printJson(content);
      const same = contents.get(printed);
      if (same === undefined) contents.set(printed, variant.name);
      else
        reader.error({
          code: 'same_variant',
          message: `"${variant.name}" changes nothing that "${same}" does not: both run the same agent`,
          hint: 'change its settings, or remove it',
          at: ['variants', index],
        });
    }
    const before = byName.get(expanded.name);
    if (before === undefined) byName.set(expanded.name, reader);
    else before.add(reader);
  }
  return byName;
}

interface VariantPlace {
  readonly index: number;
  readonly reader: Reader;
}

function reportDuplicate(
  { name }: VariantConfig,
  { index, names, reader }: VariantPlace & { readonly names: Map<string, number> },
): boolean {
  const first = names.get(name);
  if (first === undefined) {
    names.set(name, index);
    return false;
  }
  reader.error({
    code: 'duplicate_target',
    message: `"${name}" is already the name of \`variants[${first}]\``,
    hint: 'rename or remove one of them',
    at: ['variants', index, 'name'],
  });
  return true;
}

/** What a variant can change only where its kind has the field. */
const KIND_FIELDS = ['model', 'system', 'with'] as const;

/** A setting that the kind of the target cannot use is an error: the variant would be the plain target. */
function checkFields(
  target: JsonObject,
  { variant, index, reader }: VariantPlace & { readonly variant: VariantConfig },
): void {
  const { variants: _variants, ...base } = target;
  const kind = kindOfTarget({ ...base, ...(variant.model && { model: variant.model }) }, reader);
  if (kind === undefined) return;
  const { fields, what } = kind.schema as ObjectSchema<Record<string, unknown>>;
  const can = (field: (typeof KIND_FIELDS)[number]): boolean => Object.hasOwn(fields, field);
  const hasProgram = kind.startsProgram?.(base) ?? false;
  const hasArgs = kind.withArgs?.(base, []) !== undefined;
  const usable = [...KIND_FIELDS.filter(can), ...(hasArgs ? ['args'] : []), 'env'].map(
    (field) => `\`${field}\``,
  );
  const refuse = (field: string): void =>
    reader.error({
      code: 'variant_field',
      message: `a variant of ${what} cannot set \`${field}\``,
      hint: `it can set ${usable.join(', ')}; or write two targets`,
      at: ['variants', index, field],
      onKey: true,
    });
  for (const field of KIND_FIELDS) if (variant[field] !== undefined && !can(field)) refuse(field);
  if (variant.args !== undefined && !hasArgs) refuse('args');
  if (variant.env !== undefined && !hasProgram)
    for (const name of unusedVariables(variant.env, base))
      reader.error({
        code: 'variant_field',
        message: `nothing uses the variable ${name}: Assay starts no program for ${what}`,
        hint: can('with')
          ? `write \`with: { ${name}: ... }\` instead of \`env\`: the agent gets it as \`settings\``
          : `write \`\${{ ${name} }}\` in the target where its value belongs`,
        at: ['variants', index, 'env', name],
        onKey: true,
      });
}

function unusedVariables(env: Readonly<Record<string, string>>, target: JsonObject): readonly string[] {
  const written = textsOf(target).join('\n');
  return Object.keys(env).filter(
    (name) =>
      !new RegExp(String.raw`\$\{\{\s*${name.replaceAll(/[^\w]/g, String.raw`\$&`)}\s*\}\}`).test(written),
  );
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}
