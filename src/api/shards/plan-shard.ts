import { createHash } from 'node:crypto';
import { refuseDamaged } from '../../runs/journal/check-run.ts';
import { recordedDurations } from '../../runs/journal/recorded-durations.ts';
import { findRun, type RunDirectory, type ShardDescription } from '../../runs/journal/run-directory.ts';
import { BalancedShards } from '../../run/plan/balance-shards.ts';
import type { PlannedAttempt } from '../../run/plan/plan.ts';
import type { RunTestsOptions } from '../../run/run-tests.ts';
import { shardOf, type Shard } from '../../run/plan/shard.ts';
import { RunNotFound } from '../recorded/run-not-found.ts';
import { ShardError } from './shard-error.ts';

export interface ShardPlan {
  readonly description: ShardDescription;
  /** The attempts of the plan that belong to this shard. */
  choose(attempts: AsyncIterable<PlannedAttempt>): AsyncIterable<PlannedAttempt>;
  /** How many attempts of each file are in this shard. */
  readonly planned: ReadonlyMap<string, number>;
}

interface ShardChoice {
  readonly shard: Shard;
  /** Balance by the durations of this run. */
  readonly by?: string | undefined;
  readonly projectRoot: string;
}

/** Goes through a whole plan, to find the attempts of this shard and the identity of the plan. */
export async function planShard(
  { attempts, learn }: Pick<RunTestsOptions, 'attempts' | 'learn'>,
  { shard, by, projectRoot }: ShardChoice,
): Promise<ShardPlan> {
  if (learn !== undefined)
    throw new ShardError(
      'a shard needs a plan that is known beforehand, but with `repeats: auto` the number of attempts depends on the results',
      'set a number with --repeats 10, or let workers on a --queue run it',
    );
  const run = by === undefined ? undefined : findDurations(projectRoot, by);
  const balanced = run === undefined ? undefined : new BalancedShards(recordedDurations(run));
  const plan = createHash('sha256');
  const files: { readonly id: string; readonly file: string }[] = [];
  const planned = new Map<string, number>();
  let total = 0;
  const count = (file: string): void => void planned.set(file, (planned.get(file) ?? 0) + 1);
  for await (const attempt of attempts) {
    const { id, file, fingerprint } = attempt;
    total++;
    plan.update(`${id}\0${fingerprint}\n`);
    if (balanced !== undefined) {
      balanced.add(attempt);
      files.push({ id, file });
    } else if (shardOf(id, shard.total) === shard.index) count(file);
  }
  const shards = balanced?.split(shard.total);
  const includes = (id: string): boolean => (shards?.get(id) ?? shardOf(id, shard.total)) === shard.index;
  for (const { id, file } of files) if (includes(id)) count(file);
  return {
    description: {
      ...shard,
      plan: plan.digest('hex').slice(0, 32),
      plan_attempts: total,
      attempts: [...planned.values()].reduce((sum, attemptsOfFile) => sum + attemptsOfFile, 0),
      balanced_by: run?.runId,
    },
    choose: (all) => only(all, includes),
    planned,
  };
}

async function* only(
  attempts: AsyncIterable<PlannedAttempt>,
  includes: (id: string) => boolean,
): AsyncGenerator<PlannedAttempt> {
  for await (const attempt of attempts) if (includes(attempt.id)) yield attempt;
}

function findDurations(projectRoot: string, name: string): RunDirectory {
  const run = findRun(projectRoot, name);
  if (run === undefined) throw new RunNotFound(name, 'balance shards by');
  refuseDamaged(run);
  return run;
}
