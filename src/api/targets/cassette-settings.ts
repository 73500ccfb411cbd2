import { resolve } from 'node:path';
import type { CassetteMode } from '../../evidence/cassettes/track.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import { CassetteUsageError } from '../basics/cassette-usage-error.ts';
import type { RunOptions } from '../basics/run-options.ts';

const DEFAULT_FOLDER = 'cassettes';

/** What was asked for. Undefined: nothing is recorded and nothing replayed. */
export interface CassetteSettings {
  readonly mode: CassetteMode;
  readonly folder: string;
  /** Suites are named by their paths from here: the folder of the config. */
  readonly base: string;
  readonly ignore: readonly string[];
  readonly passthrough: readonly string[];
  readonly withDelays: boolean;
}

/** By the options, else by the config of the first suite. */
export async function cassetteSettings(
  options: Pick<RunOptions, 'cassettes' | 'cassetteTiming' | 'ci' | 'queue' | 'shard'>,
  resolver: TargetResolver,
  file: string | undefined,
): Promise<CassetteSettings | undefined> {
  const { config, folder } = file === undefined ? NOTHING : await resolver.cassettesFor(file);
  const mode = options.cassettes ?? config?.mode ?? 'off';
  if (mode === 'off') {
    if (options.cassetteTiming === true)
      throw new CassetteUsageError('--cassette-timing is for --cassettes replay');
    return undefined;
  }
  refuseMode(mode, options);
  return {
    mode,
    base: folder,
    folder: resolve(folder, config?.dir ?? DEFAULT_FOLDER),
    ignore: config?.ignore ?? [],
    passthrough: config?.passthrough ?? [],
    withDelays: options.cassetteTiming === true,
  };
}

const NOTHING = { config: undefined, folder: '.' };

function refuseMode(
  mode: CassetteMode,
  { ci, queue, shard }: Pick<RunOptions, 'ci' | 'queue' | 'shard'>,
): void {
  if (mode === 'replay') return;
  if (mode === 'new' && ci === true)
    throw new CassetteUsageError(
      '--cassettes new would call the model for what is not recorded, and a person must review that: it is not allowed in CI',
      'use --cassettes replay in CI, and record on your machine',
    );
  const what = queue === undefined ? (shard === undefined ? undefined : '--shard') : '--queue';
  if (what !== undefined)
    throw new CassetteUsageError(
      `--cassettes ${mode} cannot be used with ${what}: the recordings would be on several machines`,
      `record without ${what}; replaying works with it`,
    );
}
