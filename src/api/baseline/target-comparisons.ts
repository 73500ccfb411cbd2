import { relative, resolve } from 'node:path';
import { compareTargets } from '../../compare/compare-targets.ts';
import { RunRows } from '../../compare/run-rows.ts';
import { readOutlines } from '../../journal/read-outlines.ts';
import type { RunDirectory } from '../../journal/run-directory.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { GateRules } from '../../model/gate.ts';
import type { RecordOutline } from '../../model/record.ts';
import { severalTargets } from '../../model/several-targets.ts';
import { readRun } from './compared-side.ts';
import { DEFAULT_ALPHA } from './run-baseline.ts';

/** Compares the targets of a run that is in progress. */
export class TargetComparer {
  private readonly rows: RunRows;
  private readonly targets: readonly string[];

  constructor(
    targets: readonly string[],
    { projectRoot, rules }: { readonly projectRoot: string; readonly rules: GateRules },
  ) {
    this.targets = targets;
    this.rows = new RunRows('', (file) => relative(projectRoot, resolve(file)), rules);
  }

  add(record: RecordOutline): void {
    this.rows.add(record);
  }

  compare(run_id: string): readonly Comparison[] {
    return comparisonsOf(this.rows, this.targets).map((comparison) => ({
      ...comparison,
      before: { ...comparison.before, run_id },
      after: { ...comparison.after, run_id },
    }));
  }
}

/** The same for a recorded run. Undefined if it has one target. */
export function recordedTargetComparisons(run: RunDirectory): readonly Comparison[] | undefined {
  const targets = severalTargets(run.description()?.targets);
  return targets && comparisonsOf(readRun(run, readOutlines(run.journalPath)), targets);
}

/** By the rules of `assay compare`. */
export function comparisonsOf(rows: RunRows, targets: readonly string[]): readonly Comparison[] {
  return compareTargets(rows, targets, { rule: 'regression', alpha: DEFAULT_ALPHA });
}
