import { pruneRuns, type Pruning } from '../../api/prune/prune-runs.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { PRUNE_OPTIONS } from '../prune-options.ts';
import { printError } from '../print-error.ts';

/** `assay prune`: removes old runs. */
export async function prune({
  positionals,
  options,
  stdout,
  stderr,
}: CommandContext<typeof PRUNE_OPTIONS>): Promise<number> {
  const { keep, 'older-than': olderThanMs, 'dry-run': isTrial } = options;
  if (positionals.length > 0 || (keep === undefined && olderThanMs === undefined)) {
    const problem = positionals.length > 0 ? 'prune takes no paths' : 'prune needs --keep or --older-than';
    await printError(stderr, `${problem}\n  hint: assay prune --keep 20, or assay prune --older-than 30d`);
    return EXIT.invalid;
  }
  const pruned = pruneRuns({ projectRoot: findProjectRoot(process.cwd()), keep, olderThanMs, isTrial });
  await stdout.write(pruneText(pruned, isTrial));
  return EXIT.ok;
}

function pruneText({ runs, young }: Pruning, isTrial: boolean): string {
  const removed = runs.filter(({ keptBecause }) => keptBecause === undefined);
  const bytes = removed.reduce((sum, run) => sum + run.bytes, 0);
  const lines = runs.map(({ runId, keptBecause }) =>
    keptBecause === undefined
      ? `${isTrial ? 'would remove' : 'removed'} ${runId}`
      : `kept ${runId}: ${keptBecause}`,
  );
  const kept = young + runs.length - removed.length;
  const count = `${removed.length} ${removed.length === 1 ? 'run' : 'runs'}`;
  lines.push(`${count} ${isTrial ? 'to remove' : 'removed'} (${Math.ceil(bytes / 1024)} KB), ${kept} kept`);
  return lines.map((line) => `${line}\n`).join('');
}
