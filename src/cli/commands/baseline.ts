import { join, relative } from 'node:path';
import { NotComparable } from '../../api/baseline/compared-side.ts';
import { updateBaseline, type UpdatedBaseline } from '../../api/compare/update-baseline.ts';
import { DamagedRun } from '../../runs/journal/damaged-run.ts';
import { JournalVersionError } from '../../runs/journal/line-opener.ts';
import { findRun } from '../../runs/journal/run-directory.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { BASELINE_OPTIONS } from '../recorded-run-options.ts';
import { printError } from '../print-error.ts';
import { explainStop } from '../explain-stop.ts';

/** `assay baseline update [RUN]`: the results of a run, as a file of the repository. */
export async function baseline({
  positionals,
  options,
  stdout,
  stderr,
}: CommandContext<typeof BASELINE_OPTIONS>): Promise<number> {
  const [action, name = 'latest', ...more] = positionals;
  const stop = async (said: string): Promise<number> => {
    await printError(stderr, `${said}`);
    return EXIT.invalid;
  };
  if (action !== 'update' || more.length > 0)
    return stop('baseline takes an action and a run\n  hint: assay baseline update [RUN]');
  const projectRoot = findProjectRoot(process.cwd());
  const run = findRun(projectRoot, name);
  if (run === undefined)
    return stop(`there is no run "${name}"\n  hint: runs are in .assay/runs; \`latest\` is the last one`);
  const standard = relative(process.cwd(), join(projectRoot, 'assay-baseline.json'));
  const file = options.file ?? standard;
  try {
    await stdout.write(updateText(file, updateBaseline(run, file)));
    return EXIT.ok;
  } catch (error) {
    if (EXPECTED.some((kind) => error instanceof kind)) return stop(explainStop(error)!);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return stop(`${file} cannot be written: ${(error as Error).message}`);
  }
}

const EXPECTED = [NotComparable, DamagedRun, JournalVersionError];

function updateText(file: string, update: UpdatedBaseline): string {
  const { run_id, tests, added, changed, removed, failed, unmeasured } = update;
  const parts = [
    added > 0 ? `${added} new` : '',
    changed > 0 ? `${changed} changed` : '',
    removed > 0 ? `${removed} removed (not in this run)` : '',
  ].filter((part) => part !== '');
  const what = `${tests} ${tests === 1 ? 'test' : 'tests'}${parts.length === 0 ? ', no changed results' : `: ${parts.join(', ')}`}`;
  const warnings = [
    failed === 0 ? '' : `${failed} failed in this run: later runs may fail them too\n`,
    unmeasured === 0 ? '' : `${unmeasured} could not be measured: later comparisons will leave them out\n`,
  ];
  return `${file}: ${what} (run ${run_id})\n${warnings.join('')}`;
}
