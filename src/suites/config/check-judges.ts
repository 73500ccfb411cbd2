import { JudgeError } from '../../checks/judges/judge-error.ts';
import { resolveJudge, type JudgeSources } from '../../checks/judges/resolve-judge.ts';
import type { Finding } from '../../base/model/finding.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import type { TargetConfig } from './config.ts';
import { isForeignTarget } from './target-kind.ts';

interface JudgeNames {
  /** Those of the config. */
  readonly source: Source;
  /** Every target that it may name, including those of other files. */
  readonly targets: readonly TargetConfig[];
}

/**
 * Judge names in a config that match no target. They matter only when a judge is called, so they do not stop a run.
 */
export function checkJudges(config: Json, { source, targets }: JudgeNames): readonly Finding[] {
  if (!isJsonObject(config)) return [];
  const known = (targets as unknown as readonly Json[]).filter(isJsonObject);
  const reader = new Reader(source);
  const check = (wanted: Json | undefined, at: readonly PathSegment[]): void => {
    if (typeof wanted !== 'string' || isForeign(wanted, known)) return;
    try {
      resolveJudge({ targets: known } as unknown as JudgeSources, { wanted });
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      reader.error({ code: 'judge_setup', message: error.message, at });
    }
  };
  check(ownValue(config, 'judge'), ['judge']);
  const own = ownValue(config, 'targets');
  for (const [index, target] of (Array.isArray(own) ? own : []).entries())
    if (isJsonObject(target)) check(ownValue(target, 'judge_target'), ['targets', index, 'judge_target']);
  return reader.findings;
}

/** A target of an unknown kind may be meant for another tool, and has been reported already. */
function isForeign(name: string, targets: readonly JsonObject[]): boolean {
  return targets.some((target) => ownValue(target, 'name') === name && isForeignTarget(target));
}
