import { JudgeError } from '../judges/judge-error.ts';
import { resolveJudge, type JudgeSources } from '../judges/resolve-judge.ts';
import type { Finding } from '../model/finding.ts';
import { isJsonObject, ownValue, type Json } from '../model/json.ts';
import type { PathSegment } from '../model/place.ts';
import { Reader, type Source } from '../schema/reader.ts';
import { isForeignTarget } from './target-schema.ts';

/** Names of judges in a config that lead nowhere. They matter when a judge is asked, so they stop no run by themselves. */
export function checkJudges(config: Json, source: Source): readonly Finding[] {
  if (!isJsonObject(config)) return [];
  const given = ownValue(config, 'targets');
  const targets: readonly Json[] = Array.isArray(given) ? given : [];
  const reader = new Reader(source);
  const check = (wanted: Json | undefined, at: readonly PathSegment[]): void => {
    if (typeof wanted !== 'string' || isForeign(wanted, targets)) return;
    try {
      resolveJudge({ targets: targets.filter(isJsonObject) } as unknown as JudgeSources, { wanted });
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      reader.error({ code: 'judge_setup', message: error.message, at });
    }
  };
  check(ownValue(config, 'judge'), ['judge']);
  for (const [index, target] of targets.entries())
    if (isJsonObject(target)) check(ownValue(target, 'judge_target'), ['targets', index, 'judge_target']);
  return reader.findings;
}

/** A target of a kind that is not known may be meant for another tool, and is said already. */
function isForeign(name: string, targets: readonly Json[]): boolean {
  return targets.some(
    (target) => isJsonObject(target) && ownValue(target, 'name') === name && isForeignTarget(target),
  );
}
