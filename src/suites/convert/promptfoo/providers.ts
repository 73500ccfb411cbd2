import { basename } from '../../formats/path-names.ts';
import { isJsonList, isJsonObject, type JsonObject } from '../../../base/model/json.ts';
import { fieldOf, given, itemsOf, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import type { ConfigFiles } from './config-files.ts';
import { commandTarget } from './exec-provider.ts';
import { isPython, isScript, parseFileReference, type FileReference } from './file-reference.ts';
import { httpTarget } from './http-provider.ts';
import { modelTarget } from './model-target.ts';
import type { CodeProvider, ProviderCode, ProviderNames } from './provider-code.ts';
import { nameOf, type At, type Report } from './report.ts';

/** A provider that has become a target. */
export interface ConvertedProvider {
  /** The name of its target. */
  readonly name: string;
  /** What a test may call it. */
  readonly names: readonly string[];
  /** The labels of its prompts; undefined: all. */
  readonly prompts?: readonly string[] | undefined;
  /** Whether it is code that gets the variables of a test. */
  readonly isCode: boolean;
  readonly target: JsonObject;
  /** The same provider with one more transform; undefined if it cannot have one. */
  readonly withTransform?: ((transform: string) => JsonObject) | undefined;
  /** Why its answers are not those that promptfoo would see. */
  readonly blocked?: string | undefined;
}

export interface ProviderContext {
  readonly files: ConfigFiles;
  readonly code: ProviderCode;
  /** Of the config that is written. */
  readonly report: Report;
  /** Where the target is in it. */
  readonly at: At;
}

/** An authored provider: an id, and settings beside it. */
export interface AuthoredProvider {
  readonly id: string;
  readonly label: string | undefined;
  readonly config: ForeignValue | undefined;
  readonly from: At;
  readonly item: ForeignValue;
}

/** The providers of a config, as targets. */
export function readProviders(
  config: ForeignValue,
  places: Omit<ProviderContext, 'at'>,
): readonly ConvertedProvider[] {
  const converted: ConvertedProvider[] = [];
  const here = (): ProviderContext => ({ ...places, at: ['targets', converted.length] });
  const field = fieldOf(config, 'providers') ?? fieldOf(config, 'targets');
  if (field === undefined) return [];
  const items = isJsonList(field.value) ? itemsOf(field) : [field];
  const taken = new Set<string>();
  for (const item of items.flatMap((each) => listed(each, here()))) {
    const authored = authoredProvider(item);
    if (authored === undefined) lose(item, 'it is not a provider that can be read', here());
    else converted.push(...convertProvider(authored, taken, here()));
  }
  return converted;
}

/** `file://providers.yaml` lists more providers. */
function listed(item: ForeignValue, context: ProviderContext): readonly ForeignValue[] {
  const reference = parseFileReference(textOf(item) ?? '');
  if (reference === undefined || !/\.(?:ya?ml|json)$/i.test(reference.path)) return [item];
  const read = context.files.document(reference.path);
  if ('problem' in read) {
    lose(item, read.problem, context);
    return [];
  }
  return isJsonList(read.value.value) ? itemsOf(read.value) : [read.value];
}

/** `openai:gpt-5`, `{id: openai:gpt-5, config}` or `{openai:gpt-5: {config}}`. */
export function authoredProvider(item: ForeignValue): AuthoredProvider | undefined {
  const from = item.path;
  const text = textOf(item);
  if (text !== undefined) return { id: text, label: undefined, config: undefined, from, item };
  if (!isJsonObject(item.value)) return undefined;
  const id = textOf(fieldOf(item, 'id'));
  if (id !== undefined)
    return { id, label: textOf(fieldOf(item, 'label')), config: fieldOf(item, 'config'), from, item };
  const [key, ...more] = Object.keys(item.value);
  const inner = key === undefined ? undefined : fieldOf(item, key);
  if (inner === undefined || more.length > 0 || !isJsonObject(inner.value)) return undefined;
  return {
    id: textOf(fieldOf(inner, 'id')) ?? key!,
    label: textOf(fieldOf(inner, 'label')),
    config: fieldOf(inner, 'config'),
    from,
    item: inner,
  };
}

const PROVIDER_FIELDS: ReadonlySet<string> = new Set(['id', 'label', 'config', 'prompts', 'transform']);

function convertProvider(
  authored: AuthoredProvider,
  taken: Set<string>,
  context: ProviderContext,
): readonly ConvertedProvider[] {
  const { id, label, item, from } = authored;
  const made = targetOf(authored, context);
  if ('why' in made) {
    lose({ value: item.value, path: from }, made.why, context);
    return [];
  }
  for (const other of otherFields(item, PROVIDER_FIELDS))
    context.report.lost(
      { what: nameOf(other), why: 'targets have no such setting', from: other.path, value: other.value },
      [...context.at, nameOf(other)],
    );
  const name = uniqueName(label ?? shortName(id), taken);
  const { transforms, isLost } = readTransform(
    fieldOf(item, 'transform'),
    made.asCode !== undefined,
    context,
  );
  const { asCode, fields } = made;
  const withTransforms = (all: readonly string[]): JsonObject =>
    asCode === undefined
      ? fields
      : { ...fields, agent: context.code.script(asCode, given({ id, label }) as ProviderNames, all) };
  const prompts = fieldOf(item, 'prompts');
  const converted: ConvertedProvider = {
    name,
    names: [name, id, ...(label === undefined ? [] : [label])],
    prompts: prompts === undefined ? undefined : itemsOf(prompts).map(({ value }) => String(value)),
    isCode: made.isCode,
    target: { name, ...withTransforms(transforms) },
    withTransform:
      asCode === undefined || isLost ? undefined : (transform) => withTransforms([...transforms, transform]),
    blocked: isLost ? 'the transform of its provider is not converted' : undefined,
  };
  return [converted];
}

function lose(item: ForeignValue, why: string, { report, at }: ProviderContext): void {
  const id = textOf(item) ?? textOf(fieldOf(item, 'id')) ?? nameOf(item);
  report.lost({ what: `the provider ${id}`, why, from: item.path }, at);
}

type Made =
  | {
      readonly fields: JsonObject;
      readonly isCode: boolean;
      /** Code in JavaScript can have transforms. */
      readonly asCode?: CodeProvider;
    }
  | { readonly why: string };

function targetOf(authored: AuthoredProvider, context: ProviderContext): Made {
  const { id } = authored;
  if (id === 'echo') return { fields: {}, isCode: false, asCode: 'echo' };
  const file = codeFile(id);
  if (file !== undefined) return codeTarget(file, authored, context);
  if (id.startsWith('exec:')) return plain(commandTarget(authored, context));
  if (/^https?(?::\/\/|$)/.test(id)) return plain(httpTarget(authored, context));
  return plain(modelTarget(authored, context));
}

function plain(target: JsonObject | { readonly why: string }): Made {
  return 'why' in target ? { why: target['why'] as string } : { fields: target, isCode: false };
}

/** `file://provider.py:call`, `python:provider.py` or `./provider.mjs`. */
function codeFile(id: string): FileReference | undefined {
  const named = /^(?:python:)(.*)$/.exec(id)?.[1];
  const reference =
    parseFileReference(id) ??
    (named === undefined ? undefined : parseFileReference(`file://${named}`)) ??
    (/^\.{0,2}\/.*\.\w+(?::\w+)?$/.test(id) ? parseFileReference(`file://${id}`) : undefined);
  return reference !== undefined && (isScript(reference.path) || isPython(reference.path))
    ? reference
    : undefined;
}

function codeTarget(file: FileReference, { id, config }: AuthoredProvider, context: ProviderContext): Made {
  if (context.files.text(file.path) === undefined)
    return { why: `${file.path} is not a file of this project that can be read` };
  const options = given({ id: undefined, config: config?.value ?? {} }) as JsonObject;
  if (isPython(file.path))
    return { fields: { agent: context.code.pythonProvider({ file, options }) }, isCode: true };
  return { fields: {}, isCode: true, asCode: { file, options: { id, ...options } } };
}

function readTransform(
  field: ForeignValue | undefined,
  isPossible: boolean,
  { code, report, at }: ProviderContext,
): { readonly transforms: readonly string[]; readonly isLost: boolean } {
  if (field === undefined) return { transforms: [], isLost: false };
  const text = textOf(field);
  const named =
    text === undefined || !isPossible
      ? { why: 'only providers in JavaScript can be transformed: change what the agent returns' }
      : namedTransform(text, code);
  if ('name' in named) return { transforms: [named.name], isLost: false };
  report.lost({ what: 'transform', why: named.why, from: field.path, value: field.value }, [
    ...at,
    'transform',
  ]);
  return { transforms: [], isLost: true };
}

export function namedTransform(
  text: string,
  code: ProviderCode,
): { readonly name: string } | { readonly why: string } {
  const file = parseFileReference(text);
  if (file !== undefined && !isScript(file.path))
    return { why: 'only a transform in JavaScript can be converted' };
  return code.transform(text, file);
}

/** A short name for a provider without a label. */
function shortName(id: string): string {
  const file = codeFile(id);
  if (file !== undefined) return basename(file.path).replace(/\.\w+$/, '');
  return id.startsWith('exec:') ? 'exec' : id;
}

function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted} ${count}`;
  taken.add(name);
  return name;
}
