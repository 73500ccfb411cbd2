import type { RunDirectory, ShardDescription } from '../../runs/journal/run-directory.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';

interface ShardRun {
  readonly run: RunDirectory;
  readonly shard: ShardDescription;
}

export interface CheckedShards {
  readonly findings: readonly Finding[];
  /** How many attempts the missing shards would have had. */
  readonly missing: number;
}

/** What keeps shards from forming one whole run: one is missing, occurs twice, or belongs to another plan. */
export function checkShards(
  runs: readonly RunDirectory[],
  { allowMissing }: { readonly allowMissing: boolean },
): CheckedShards {
  const plans = groupBy(
    runs.flatMap((run) => {
      const shard = run.description()?.shard;
      return shard === undefined ? [] : [{ run, shard }];
    }),
    ({ shard }) => `${shard.plan} ${shard.total} ${shard.balanced_by ?? ''}`,
  );
  const findings: Finding[] = [];
  const incomplete = [...plans.values()].filter((shards) => missingShards(shards).length > 0);
  for (const shards of plans.values()) findings.push(...findDoubled(shards));
  for (const shards of incomplete) findings.push(findMissing(shards, { allowMissing }));
  // Several whole plans may be merged; a part of another one is a mistake.
  if (plans.size > 1 && incomplete.length > 0) findings.push(...findForeign([...plans.values()]));
  return { findings, missing: incomplete.reduce((sum, shards) => sum + missingAttempts(shards), 0) };
}

function missingShards(shards: readonly ShardRun[]): readonly number[] {
  const there = new Set(shards.map(({ shard }) => shard.index));
  const { total } = shards[0]!.shard;
  return Array.from({ length: total }, (_, index) => index + 1).filter((index) => !there.has(index));
}

function missingAttempts(shards: readonly ShardRun[]): number {
  const there = new Map(shards.map(({ shard }) => [shard.index, shard.attempts]));
  return shards[0]!.shard.plan_attempts - [...there.values()].reduce((sum, count) => sum + count, 0);
}

function findMissing(
  shards: readonly ShardRun[],
  { allowMissing }: { readonly allowMissing: boolean },
): Finding {
  const { total, plan_attempts } = shards[0]!.shard;
  const missing = missingShards(shards).map((index) => `${index}/${total}`);
  const lost = missingAttempts(shards);
  const finding = fileFinding(
    shards[0]!.run.path,
    'shard_missing',
    `${missing.length === 1 ? 'shard' : 'shards'} ${missing.join(', ')} of this plan ${missing.length === 1 ? 'is' : 'are'} missing, with ${lost} of ${plan_attempts} attempts`,
    allowMissing
      ? 'they are treated as not started; to get the whole run, list the run of every shard'
      : 'name the run of every shard, or add --allow-missing',
  );
  return allowMissing ? { ...finding, severity: 'warning' } : finding;
}

function findDoubled(shards: readonly ShardRun[]): readonly Finding[] {
  const byIndex = groupBy(shards, ({ shard }) => shard.index);
  return [...byIndex.values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const { index, total } = same[0]!.shard;
      const message = `shard ${index}/${total} occurs ${same.length} times: ${same.map(({ run }) => run.runId).join(', ')}`;
      const { runId, path } = same.at(-1)!.run;
      return {
        ...fileFinding(path, 'shard_twice', message, `the records of the last one, ${runId}, count`),
        severity: 'warning' as const,
      };
    });
}

/** The plan of most runs is assumed to be the right one. */
function findForeign(plans: readonly (readonly ShardRun[])[]): readonly Finding[] {
  const meant = plans.toSorted((a, b) => b.length - a.length)[0]!;
  return plans
    .filter((plan) => plan !== meant)
    .flat()
    .map(({ run, shard }) =>
      fileFinding(
        run.path,
        'shard_foreign',
        `this run is shard ${shard.index}/${shard.total} of another plan`,
        'every shard needs the same files, options, config and, with --shard-by, the same run',
      ),
    );
}

function groupBy<K>(shards: readonly ShardRun[], keyOf: (shard: ShardRun) => K): Map<K, ShardRun[]> {
  const groups = new Map<K, ShardRun[]>();
  for (const shard of shards) groups.set(keyOf(shard), [...(groups.get(keyOf(shard)) ?? []), shard]);
  return groups;
}
