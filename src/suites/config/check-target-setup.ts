import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AnyTarget, Missing, SetupPlace } from '../../agents/kinds/target-kind.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Place } from '../../base/model/place.ts';
import { UnsetVariable } from '../../agents/llm/interpolate.ts';
import { ModelError } from '../../agents/llm/model-error.ts';
import type { UnsetOption } from '../../agents/llm/unset-options.ts';
import type { TargetConfig } from './config.ts';
import { fillTarget } from './read-target.ts';
import { environmentOf } from './target-variants.ts';
import { unsetOption } from './unset-option.ts';

export interface TargetSetting extends SetupPlace {
  /** The place of the target. */
  readonly place: Place;
}

/** What a target that is used lacks on this machine. Nothing is called or started to find out. */
export async function checkTargetSetup(
  authored: TargetConfig,
  setting: TargetSetting,
): Promise<readonly Finding[]> {
  const { env, place } = setting;
  const { name } = authored;
  const finding = (severity: Finding['severity'], code: string, message: string): readonly Finding[] => [
    { severity, code, message, file: place.file, line: place.line, column: place.column, path: name },
  ];
  let missing: Missing | undefined;
  let unset: readonly UnsetOption[] = [];
  try {
    const filled = fillTarget(authored, env);
    if (filled === undefined) return [];
    ({ unset } = filled);
    const { kind, target, reader } = filled;
    if (target !== undefined && reader.errorCount === 0)
      missing = await kind.findMissing?.(target, { ...setting, env: environmentOf(authored, env) });
  } catch (error) {
    if (error instanceof UnsetVariable)
      return finding(
        'warning',
        'unset_variable',
        `the target "${name}" needs the variable ${error.variable}, but it is not set`,
      );
    if (!(error instanceof ModelError)) throw error;
    const message = `the target "${name}" cannot be used: ${error.message}`;
    return error.kind === 'unset'
      ? finding('warning', 'unset_variable', message)
      : finding('error', 'target_setup', message);
  }
  const warnings = [
    ...unset.map((option) => unsetOption(option, { name, place })),
    ...((authored as Partial<AnyTarget>).depends_on ?? [])
      .filter((path) => !/[!*?{[]/.test(path) && !existsSync(resolve(setting.folder, path)))
      .flatMap((path) =>
        finding('warning', 'no_such_file', `the target "${name}" depends on ${path}, which does not exist`),
      ),
  ];
  if (missing === undefined) return warnings;
  const { code, message, isLocal } = missing;
  const severity = isLocal ? 'warning' : 'error';
  return [...warnings, ...finding(severity, code, `the target "${name}" cannot be used: ${message}`)];
}
