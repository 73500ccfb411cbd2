import { dirname, resolve } from 'node:path';
import type { Finding } from '../model/finding.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { createModel, type Environment } from '../models/create-model.ts';
import { interpolate, UnsetVariable } from '../models/interpolate.ts';
import type { ModelConfig } from '../models/model-config.ts';
import { ModelError } from '../models/model-error.ts';
import { findMissingProgram } from '../processes/missing-program.ts';
import { NOWHERE, Reader } from '../schema/reader.ts';
import type { TargetConfig } from './config.ts';
import { kindOfTarget, TARGET_KINDS } from './target-schema.ts';

export interface TargetSetting {
  readonly env: Environment;
  /** The folder paths of the config are relative to. */
  readonly folder: string;
  /** A suite whose tests it runs. */
  readonly suite: string;
  /** Where the target stands. */
  readonly place: Place;
}

/** What a target that is used would lack on this machine. Nothing is called or started to find out. */
export function checkTargetSetup(authored: TargetConfig, setting: TargetSetting): readonly Finding[] {
  const { env, place } = setting;
  const { name } = authored;
  const finding = (severity: Finding['severity'], code: string, message: string): readonly Finding[] => [
    { severity, code, message, file: place.file, line: place.line, column: place.column, path: name },
  ];
  const kind = kindOfTarget(authored as unknown as Json, new Reader(NOWHERE));
  if (kind === undefined) return [];
  let target: TargetConfig | undefined;
  try {
    const read = interpolate(authored, env) as unknown as Json;
    target = TARGET_KINDS[kind].read(read, new Reader(NOWHERE)) as unknown as TargetConfig | undefined;
    if (kind === 'chat' && target !== undefined) createModel(target as ModelConfig, env);
  } catch (error) {
    if (error instanceof UnsetVariable)
      return finding(
        'warning',
        'unset_variable',
        `the target "${name}" needs the variable ${error.variable}, which is not set`,
      );
    if (!(error instanceof ModelError)) throw error;
    const message = `the target "${name}" cannot be used: ${error.message}`;
    return error.kind === 'unset'
      ? finding('warning', 'unset_variable', message)
      : finding('error', 'target_setup', message);
  }
  const missing = target === undefined ? undefined : findMissing(target, setting);
  if (missing === undefined) return [];
  const { isLocal, ...found } = missing;
  return finding(
    isLocal ? 'warning' : 'error',
    found.code,
    `the target "${name}" cannot be used: ${found.message}`,
  );
}

interface Missing {
  readonly code: string;
  readonly message: string;
  readonly isLocal: boolean;
}

function findMissing(target: TargetConfig, { env, folder, suite }: TargetSetting): Missing | undefined {
  const { command, healthcheck, cwd = '.' } = target;
  if (Array.isArray(command)) {
    const missing = findMissingProgram(command as readonly string[], { cwd: folder, env });
    return missing === undefined ? undefined : { code: 'target_setup', ...missing };
  }
  if (typeof healthcheck !== 'object') return undefined;
  const { command: line, cwd: own } = healthcheck as JsonObject;
  if (typeof line !== 'string') return undefined;
  const where = resolve(dirname(suite), typeof own === 'string' ? own : cwd);
  const missing = findMissingProgram(line, { cwd: where, env });
  // Whether an agent is well depends on where it runs.
  return missing === undefined
    ? undefined
    : { code: 'healthcheck', message: `its health check cannot work: ${missing.message}`, isLocal: true };
}
