import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import {
  compareRuns,
  describeSide,
  type ComparedSide,
  type CompareOptions,
} from '../../runs/compare/compare-runs.ts';
import { sideOfTarget } from '../../runs/compare/compare-targets.ts';
import { ComparedFold, type RunSide } from '../../runs/compare/run-side.ts';
import { readOutlines } from '../../runs/journal/read-outlines.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { Comparison, RegressionRule, TargetComparison } from '../../base/model/comparison.ts';
import { DEFAULT_GATE_RULES, type GateRules } from '../../base/model/gate.ts';
import type { RecordOutline } from '../../base/model/record.ts';
import { isSuiteOf } from '../../suites/load/discover.ts';
import { openSide, readRun } from './compared-side.ts';

export const DEFAULT_ALPHA = 0.05;

/** A run and its baseline. */
export interface BaselineComparison {
  /** For a run with one target. */
  readonly whole: Comparison | undefined;
  /** For a run with several: those that the baseline has too. */
  readonly targets: readonly TargetComparison[];
  /** Those that the baseline does not have. */
  readonly newTargets: readonly string[];
  /** Those of the baseline that the run does not have. */
  readonly missingTargets: readonly string[];
}

/** What a run is compared with. It is read before the run starts, while `latest` still is the previous run. */
export class RunBaseline {
  private readonly name: string;
  private readonly before: ComparedSide;
  private readonly directory: RunDirectory | undefined;
  private fold: ComparedFold;
  private readonly projectRoot: string;

  constructor(name: string, projectRoot: string) {
    this.name = name;
    const { side, directory } = openSide(name, projectRoot);
    this.before = side;
    this.directory = directory;
    this.projectRoot = projectRoot;
    this.fold = this.emptyFold(DEFAULT_GATE_RULES);
  }

  /** The gates of the compared run. They become known after the baseline was opened, and before its first record. */
  useRules(rules: GateRules): void {
    this.fold = this.emptyFold(rules);
  }

  /** Its name for later, when another run is the latest. */
  get lastingName(): string {
    return this.directory === undefined || existsSync(this.name) ? this.name : this.directory.runId;
  }

  isRun(directory: RunDirectory | undefined): boolean {
    return (
      directory !== undefined &&
      this.directory !== undefined &&
      resolve(directory.path) === resolve(this.directory.path)
    );
  }

  add(record: RecordOutline): void {
    this.fold.addRecord(record);
  }

  /** The same with a run that was just written. */
  compareRecorded(run: RunDirectory, rule: RegressionRule = 'regression'): BaselineComparison {
    return this.compareSide(readRun(run, readOutlines(run.journalPath)), { rule });
  }

  /** `paths`: those whose tests all ran. */
  compare(
    run_id: string,
    {
      rule = 'regression',
      paths,
    }: { readonly rule?: RegressionRule | undefined; readonly paths: readonly string[] | undefined },
  ): BaselineComparison {
    const side = this.fold.side(run_id);
    const files = new Set(side.tests.map(({ file }) => file));
    const hasAllOf =
      paths &&
      ((file: string) => files.has(file) || isSuiteOf(paths, relative('.', resolve(this.projectRoot, file))));
    return this.compareSide(side, { rule, hasAllOf });
  }

  /** A run with several targets is compared target by target: one that got better must not hide one that got worse. */
  private compareSide(run: RunSide, asked: Pick<CompareOptions, 'rule' | 'hasAllOf'>): BaselineComparison {
    const options = { ...asked, alpha: DEFAULT_ALPHA };
    const { targets } = describeSide(run);
    const known = new Set(describeSide(this.before).targets);
    const missingTargets = [...known].filter((target) => !targets.includes(target));
    if (targets.length < 2)
      return {
        whole: compareRuns(this.before, run, options),
        targets: [],
        newTargets: [],
        // A run with one target, of another name, is compared by the names of its tests.
        missingTargets: known.size > 1 ? missingTargets : [],
      };
    const compared = targets.filter((target) => known.has(target));
    // One of them is enough to fail the run: together they may do so by chance as rarely as one alone.
    const shared = { ...asked, alpha: DEFAULT_ALPHA / Math.max(1, compared.length) };
    return {
      whole: undefined,
      targets: compared.map((target) => {
        const side = (each: ComparedSide): ComparedSide => sideOfTarget(each, target);
        return { target, comparison: compareRuns(side(this.before), side(run), shared) };
      }),
      newTargets: targets.filter((target) => !known.has(target)),
      missingTargets,
    };
  }

  private emptyFold(rules: GateRules): ComparedFold {
    return new ComparedFold((file) => relative(this.projectRoot, resolve(file)), rules);
  }
}
