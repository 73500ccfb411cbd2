import { basename, dirname, join } from 'node:path';
import { isModelProvider, providerNamed } from '../../agents/llm/provider-names.ts';
import { parseDocument } from '../formats/document.ts';
import { findProjectRoot } from '../load/project-root.ts';
import { readSuiteFile } from '../load/read-suite-file.ts';
import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import type { Source } from '../../base/schema/reader.ts';
import { withDotEnv } from './dot-env.ts';
import { withUsedTargets } from './use-target.ts';

interface ConfigDocument {
  readonly value: Json;
  readonly source: Source;
}

/** A targets file as AgentV 4 and newer write it, as ours: places stay those of the file. */
export function readAgentvTargets(file: string, document: ConfigDocument): ConfigDocument {
  if (isProvidersFile(file)) return readProviders(file, document);
  const targets = isJsonObject(document.value) ? ownValue(document.value, 'targets') : undefined;
  if (!/^targets\.ya?ml$/.test(basename(file)) || !isJsonList(targets)) return document;
  const isJudged =
    basename(dirname(file)) === '.agentv' && ownValue(document.value as JsonObject, 'judge') === undefined;
  const named = targets.map(withOurNames);
  const used = withUsedTargets(isJudged ? named.map(asOwnJudge) : named, () =>
    withDotEnv(findProjectRoot(dirname(file)), process.env),
  );
  const value = { ...(document.value as JsonObject), targets: used.targets };
  return renamed(value, document.source, ['targets'], used.usedAt);
}

/** `.agentv/providers.yaml`: what newer AgentV releases have instead of `targets.yaml`. */
export function isProvidersFile(file: string): boolean {
  return /^providers\.ya?ml$/.test(basename(file)) && basename(dirname(file)) === '.agentv';
}

function readProviders(file: string, { value, source }: ConfigDocument): ConfigDocument {
  const authored = isJsonObject(value) ? ownValue(value, 'providers') : value;
  if (!isJsonList(authored)) return { value, source };
  const defaults = (isJsonObject(value) ? ownValue(value, 'defaults') : undefined) ?? projectDefaults(file);
  const [provider, grader] = ['provider', 'grader'].map((name) =>
    isJsonObject(defaults) ? ownValue(defaults, name) : undefined,
  );
  const targets = authored.map((each) => withOurNames(toTarget(each)));
  const names = targets.map((target) => (isJsonObject(target) ? ownValue(target, 'name') : undefined));
  const standard = names.includes('default') ? undefined : targets[names.indexOf(provider)];
  const config = {
    targets: isJsonObject(standard) ? [...targets, { ...standard, name: 'default' }] : targets,
    ...(grader === undefined ? {} : { judge: grader }),
  };
  return renamed(config, source, isJsonList(value) ? [] : ['providers']);
}

/** `defaults` of `config.yaml` beside the file: an object, or a file with one. */
function projectDefaults(file: string): Json | undefined {
  const read = (name: string): Json | undefined => {
    const text = readSuiteFile(join(dirname(file), name));
    if (!('text' in text)) return undefined;
    const document = parseDocument(name, text.text, 'core');
    return 'source' in document ? document.value : undefined;
  };
  const config = read('config.yaml');
  const defaults = isJsonObject(config) ? ownValue(config, 'defaults') : undefined;
  return typeof defaults === 'string' ? read(defaults.replace(/^file:\/\//, '')) : defaults;
}

/** `id` says what it is, `label` is its name, and the settings may stand under `config`. */
function toTarget(authored: Json): Json {
  if (!isJsonObject(authored)) return authored;
  const { id, label, config, runtime: _of, ...own } = authored;
  const settings = { ...own, ...(isJsonObject(config) ? config : {}) };
  const { api_format, ...others } = settings as Record<string, Json>;
  return withVariables({
    name: label ?? id ?? null,
    provider: typeof id === 'string' ? id.replace(/^agentv:/, '') : (id ?? null),
    ...others,
    ...(api_format === undefined ? {} : { api: api_format }),
  });
}

/** `{{ env.NAME }}` is `${{ NAME }}` here. */
function withVariables(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, '$${{ $1 }}');
  if (isJsonList(value)) return value.map(withVariables);
  if (!isJsonObject(value)) return value;
  const filled: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(filled, key, withVariables(value[key]!));
  return filled;
}

const OTHER_NAMES: Readonly<Record<string, string>> = { judge_target: 'grader_target', api: 'api_format' };

function withOurNames(target: Json): Json {
  if (!isJsonObject(target) || ownValue(target, 'judge_target') !== undefined) return target;
  const { grader_target: grader, ...others } = target;
  return grader === undefined ? target : { ...others, judge_target: grader };
}

/** In AgentV, a model without a grader judges its own answers. Each of these verdicts has a warning. */
function asOwnJudge(target: Json): Json {
  if (!isJsonObject(target) || ownValue(target, 'judge_target') !== undefined) return target;
  const [name, provider] = ['name', 'provider'].map((key) => ownValue(target, key));
  const isModel = typeof provider === 'string' && isModelProvider(providerNamed(provider));
  return isModel && typeof name === 'string' ? { ...target, judge_target: name } : target;
}

/** Places of targets are those in the list at `at`, and of a target that uses another one, there. */
function renamed(
  value: Json,
  source: Source,
  at: readonly PathSegment[],
  usedAt: ReadonlyMap<PathSegment, number> = new Map(),
): ConfigDocument {
  const locate = (path: readonly PathSegment[], part: 'key' | 'value') => {
    const [first, ...below] = path;
    const [index, field] = below;
    if (field !== undefined && field !== 'name') below[0] = usedAt.get(index!) ?? index!;
    const own = first === 'targets' ? [...at, ...below] : path;
    const last = own.at(-1);
    const other = typeof last === 'string' ? OTHER_NAMES[last] : undefined;
    const found = source.locate(own, part);
    const parent = source.locate(own.slice(0, -1), 'value');
    const isMissing = found.line === parent.line && found.column === parent.column;
    return other !== undefined && isMissing ? source.locate([...own.slice(0, -1), other], part) : found;
  };
  return { value, source: { file: source.file, isLazy: source.isLazy, locate } };
}
