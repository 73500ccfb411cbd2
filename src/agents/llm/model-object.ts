import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { object, type Field, type ObjectSchema } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, readingOf } from '../../base/schema/refine.ts';
import { MODEL_FIELDS } from './model-config.ts';
import { isGoogle, isModelProvider, providerNamed, type Provider } from './provider-names.ts';

interface ModelObjectOptions {
  /** What the object is, for messages: "a judge". */
  readonly what: string;
  readonly unknown?: 'error' | 'warning';
  readonly refused?: Readonly<Record<string, string>>;
}

/** The schema of something with a model: it reads a ModelConfig and these fields. */
export function modelObject<const F extends Readonly<Record<string, Field<unknown>>>>(
  fields: F,
  options: ModelObjectOptions,
): ObjectSchema<F & typeof MODEL_FIELDS> {
  const schema = object({ ...fields, ...MODEL_FIELDS }, options);
  return readingOf(schema, (value, reader) => {
    const errorsBefore = reader.errorCount;
    const read = schema.read(value, reader);
    if (read === undefined) return undefined;
    const model = chooseNames(read as Readonly<Record<string, Json>>, reader);
    if (reader.errorCount === errorsBefore) checkModel(model, options.what, reader);
    return model as typeof read;
  });
}

/** The default for a Google model without a name. */
export const DEFAULT_GOOGLE_MODEL = 'gemini-2.5-flash';

/** Fields that mean the same for some providers and not for others. */
function chooseNames(read: Readonly<Record<string, Json>>, reader: Reader): Record<string, Json> {
  const { model: name, deployment, variant, version, endpoint, ...others } = read;
  const model: Record<string, Json> = others;
  const isAzure = model['provider'] === 'azure';
  const ignore = (key: string, winner: string): void =>
    reader.warning({
      code: 'alias_ignored',
      message: `\`${key}\` is ignored because \`${winner}\` is present too`,
      hint: 'remove one of them',
      at: [key],
      onKey: true,
    });
  /** The first of some names for one thing that is there; the others are ignored. */
  const choose = (names: Readonly<Record<string, Json | undefined>>): Json | undefined => {
    const [winner, ...losers] = Object.keys(names).filter((key) => names[key] !== undefined);
    for (const key of losers) ignore(key, winner!);
    return winner === undefined ? undefined : names[winner];
  };
  const chosen = choose(
    isAzure ? { deployment, model: name, variant } : { model: name, deployment, variant },
  );
  if (chosen !== undefined) model['model'] = chosen;
  const chosenVersion = choose({ version, api_version: model['api_version'] });
  if (chosenVersion !== undefined) model['api_version'] = chosenVersion;
  if (endpoint !== undefined) {
    const winner = ['base_url', 'resource_name'].find((key) => model[key] !== undefined);
    if (winner !== undefined) ignore('endpoint', winner);
    else model[isAzure ? 'endpoint' : 'base_url'] = endpoint;
  }
  return model;
}

function checkModel(model: Record<string, Json>, what: string, reader: Reader): void {
  const provider = model['provider'] as Provider;
  if (model['model'] === undefined) {
    if (isGoogle(provider)) model['model'] = DEFAULT_GOOGLE_MODEL;
    else
      reader.error({
        code: 'missing_model',
        message: `${what} needs \`model\``,
        hint: 'add `model` (or `deployment`, for azure)',
        at: ['model'],
      });
  }
  if (model['thinking_budget'] !== undefined && provider !== 'anthropic')
    reader.warning({
      code: 'without_effect',
      message: '`thinking_budget` has no effect here: only the provider anthropic uses it',
      hint: 'use `provider_options` with the name that the provider uses',
      at: ['thinking_budget'],
    });
}

/** `API_KEY` instead of `${{ API_KEY }}`: it would be sent literally. Only for values that an author wrote. */
export function checkBareVariables(authored: Json, reader: Reader): void {
  if (!isJsonObject(authored)) return;
  const provider = ownValue(authored, 'provider');
  if (typeof provider !== 'string' || !isModelProvider(providerNamed(provider))) return;
  // Self-hosted servers accept any key, also one that looks like a name.
  if (providerNamed(provider) === 'openai-compatible' || given(authored, 'base_url')) return;
  for (const key of ['api_key', 'apiKey', 'endpoint', 'resource', 'resourceName'])
    checkBareVariable(authored, key, reader);
}

const VARIABLE_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

function checkBareVariable(authored: JsonObject, key: string, reader: Reader): void {
  const value = ownValue(authored, key);
  if (typeof value !== 'string' || !VARIABLE_NAME.test(value.trim())) return;
  reader.error({
    code: 'bare_variable',
    message: `\`${key}\` is the name of a variable, not its value`,
    hint: `write \`\${{ ${value.trim()} }}\``,
    at: [key],
  });
}
