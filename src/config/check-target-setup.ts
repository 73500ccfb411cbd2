import { dirname, resolve } from 'node:path';
import type { Finding } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { createModel, type Environment } from '../models/create-model.ts';
import { UnsetVariable } from '../models/interpolate.ts';
import type { ModelConfig } from '../models/model-config.ts';
import { ModelError } from '../models/model-error.ts';
import { findMissingProgram } from '../processes/missing-program.ts';
import type { UnsetOption } from '../models/unset-options.ts';
import type { TargetConfig } from './config.ts';
import { fillTarget } from './read-target.ts';
import { unsetOption } from './unset-option.ts';

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
  let target: TargetConfig | undefined;
  let unset: readonly UnsetOption[] = [];
  try {
    const filled = fillTarget(authored, env);
    if (filled === undefined) return [];
    ({ target, unset } = filled);
    if (filled.kind === 'chat' && target !== undefined) createModel(target as ModelConfig, env);
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
  const doubts = unset.map((option) => unsetOption(option, { name, place }));
  const missing = target === undefined ? undefined : findMissing(target, setting);
  if (missing === undefined) return doubts;
  const { isLocal, ...found } = missing;
  const severity = isLocal ? 'warning' : 'error';
  return [
    ...doubts,
    ...finding(severity, found.code, `the target "${name}" cannot be used: ${found.message}`),
  ];
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
