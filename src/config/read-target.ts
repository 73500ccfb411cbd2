import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Environment } from '../models/create-model.ts';
import { interpolate } from '../models/interpolate.ts';
import type { ModelConfig } from '../models/model-config.ts';
import { unsetVariable, withoutUnset, type UnsetOption } from '../models/unset-options.ts';
import { NOWHERE, Reader } from '../schema/reader.ts';
import type { TargetConfig } from './config.ts';
import { kindOfTarget, TARGET_KINDS, type TargetKind } from './target-schema.ts';

/** A target under the names that Assay uses. As its author wrote it, where that cannot be read. */
export function readTarget(authored: TargetConfig): TargetConfig {
  const kind = kindOf(authored);
  if (kind === undefined) return authored;
  const read = TARGET_KINDS[kind].read(authored as unknown as Json, new Reader(NOWHERE));
  return (read as unknown as TargetConfig | undefined) ?? authored;
}

export interface UsableTarget {
  readonly kind: TargetKind;
  /** With the values of its variables; undefined when they are not what it needs. */
  readonly target: TargetConfig | undefined;
  /** What was wrong with it once the variables were known. */
  readonly reader: Reader;
  readonly unset: readonly UnsetOption[];
}

/** A target as it is used here. Throws an UnsetVariable for a variable that it needs. */
export function fillTarget(authored: TargetConfig, env: Environment): UsableTarget | undefined {
  const kind = kindOf(authored);
  if (kind === undefined) return undefined;
  const { target: known, unset } = withoutUnsetOptions(kind, readTarget(authored), env);
  const reader = new Reader(NOWHERE);
  const target = TARGET_KINDS[kind].read(interpolate(known, env) as unknown as Json, reader);
  return { kind, target: target as unknown as TargetConfig | undefined, reader, unset };
}

function kindOf(authored: TargetConfig): TargetKind | undefined {
  return kindOfTarget(authored as unknown as Json, new Reader(NOWHERE));
}

function withoutUnsetOptions(kind: TargetKind, target: TargetConfig, env: Environment) {
  if (kind === 'chat') {
    const { config, unset } = withoutUnset(target as ModelConfig, env);
    return { target: config as TargetConfig, unset };
  }
  return kind === 'template' ? withoutUnsetFolders(target, env) : { target, unset: [] };
}

/** A folder that is not named is the suite's, whether its variable is not set or it is not there at all. */
function withoutUnsetFolders(
  target: TargetConfig,
  env: Environment,
): { readonly target: TargetConfig; readonly unset: readonly UnsetOption[] } {
  const { cwd, healthcheck, ...others } = target;
  const unset: UnsetOption[] = [];
  const isSet = (folder: unknown, key: string, instead: string): boolean => {
    const variable = unsetVariable(folder, env);
    if (variable !== undefined) unset.push({ key, variable, instead });
    return folder !== undefined && variable === undefined;
  };
  const known = { ...others, ...(isSet(cwd, 'cwd', "the suite's folder") ? { cwd } : {}) };
  if (!isJsonObject(healthcheck as Json))
    return { target: { ...known, ...(healthcheck === undefined ? {} : { healthcheck }) }, unset };
  const { cwd: own, ...check } = healthcheck as JsonObject;
  const isOwnSet = isSet(own, 'healthcheck.cwd', 'the folder of the target');
  return { target: { ...known, healthcheck: { ...check, ...(isOwnSet ? { cwd: own! } : {}) } }, unset };
}
