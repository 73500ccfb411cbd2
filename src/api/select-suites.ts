import { findLastFailed, type LastFailed } from '../journal/last-failed.ts';
import { openSuites, type OpenSuite } from '../load/open-suites.ts';
import { findProjectRoot } from '../load/project-root.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import type { Finding } from '../model/finding.ts';
import type { Selection } from '../run/select.ts';
import { EVERY_TEST, selectionOf } from './asked-selection.ts';
import type { RunOptions } from './run-options.ts';
import { splitLines } from './split-lines.ts';

export interface SelectedSuites {
  /** What can be run: an invalid file is not. */
  readonly suites: readonly OpenSuite[];
  readonly findings: readonly Finding[];
  readonly selection: Selection;
  readonly projectRoot: string;
  /** Only what failed was asked for, and nothing has. */
  readonly isNothingLeft: boolean;
}

/** What a run is asked to run, checked. */
export async function selectSuites(options: RunOptions): Promise<SelectedSuites> {
  const projectRoot = findProjectRoot(process.cwd());
  const { paths, lines } = splitLines(options.paths ?? []);
  const opened = await openSuites(paths);
  const findings: Finding[] = opened.findings.map((finding) =>
    options.strict === true ? { ...finding, severity: 'error' } : finding,
  );
  if (options.ci === true)
    findings.push(...opened.suites.filter(({ hasOnly }) => hasOnly).map(({ file }) => onlyInCi(file)));
  const broken = new Set(findings.filter(({ severity }) => severity === 'error').map(({ file }) => file));
  const last =
    options.lastFailed === true
      ? findLastFailed(projectRoot, {
          cwd: process.cwd(),
          files: opened.suites.map(({ file }) => file),
          // Of merged runs nobody knows what each was asked for.
          isWhole: (description) =>
            description.options['merged'] === undefined && selectionOf(description) === EVERY_TEST,
        })
      : undefined;
  const isNothingLeft = last?.tests.size === 0;
  if (options.lastFailed === true && last === undefined) findings.push(noEarlierRun());
  if (isNothingLeft) findings.push(nothingFailed(last));
  return {
    suites: isNothingLeft ? [] : opened.suites.filter(({ file }) => !broken.has(file)),
    findings,
    selection: { grep: options.grep, tags: options.tags, lines, tests: last?.tests },
    projectRoot,
    isNothingLeft,
  };
}

function noEarlierRun(): Finding {
  const message = 'there is no earlier run to know from what failed: every test is run';
  return { ...fileFinding('.assay', 'no_earlier_run', message), severity: 'warning' };
}

/** A run that left something open may have failed in what it did not come to. */
function nothingFailed({ runId, open }: LastFailed): Finding {
  if (open !== undefined)
    return fileFinding(
      '.assay',
      'nothing_failed',
      `no test is recorded as failed, but the run ${open.runId} ${open.reason}`,
      'leave out --last-failed to run every test, or continue that run with `--resume`',
    );
  const finding = fileFinding(
    '.assay',
    'nothing_failed',
    `nothing failed in the latest run of these files, ${runId}: no test is run`,
    'leave out --last-failed to run every test',
  );
  return { ...finding, severity: 'warning' };
}

export function isFiltered({ grep, tags, lines, tests }: Selection): boolean {
  return grep !== undefined || tags !== undefined || tests !== undefined || (lines?.size ?? 0) > 0;
}

function onlyInCi(file: string): Finding {
  return fileFinding(
    file,
    'only_in_ci',
    '`only` is set, which would hide every other test',
    'remove it: it is refused in CI',
  );
}
