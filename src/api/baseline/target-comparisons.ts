import { relative, resolve } from 'node:path';
import { compareTargets } from '../../runs/compare/compare-targets.ts';
import { ComparedFold, type RunSide } from '../../runs/compare/run-side.ts';
import { readOutlines } from '../../runs/journal/read-outlines.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { Comparison } from '../../base/model/comparison.ts';
import type { GateRules } from '../../base/model/gate.ts';
import type { RecordOutline } from '../../base/model/record.ts';
import { severalTargets } from '../../base/model/several-targets.ts';
import { readRun } from './compared-side.ts';
import { DEFAULT_ALPHA } from './run-baseline.ts';

/** Compares the targets of a run that is in progress. */
export class TargetComparer {
  private readonly fold: ComparedFold;
  private readonly targets: readonly string[];

  constructor(
    targets: readonly string[],
    { projectRoot, rules }: { readonly projectRoot: string; readonly rules: GateRules },
  ) {
    this.targets = targets;
    this.fold = new ComparedFold((file) => relative(projectRoot, resolve(file)), rules);
  }

  add(record: RecordOutline): void {
    this.fold.addRecord(record);
  }

  compare(run_id: string): readonly Comparison[] {
    return comparisonsOf(this.fold.side(run_id), this.targets);
  }
}

/** The same for a recorded run. Undefined if it has one target. */
export function recordedTargetComparisons(run: RunDirectory): readonly Comparison[] | undefined {
  const targets = severalTargets(run.description()?.targets);
  return targets && comparisonsOf(readRun(run, readOutlines(run.journalPath)), targets);
}

/** By the rules of `assay compare`. */
export function comparisonsOf(run: RunSide, targets: readonly string[]): readonly Comparison[] {
  return compareTargets(run, targets, { rule: 'regression', alpha: DEFAULT_ALPHA });
}
