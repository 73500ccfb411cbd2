import { assertionLabel } from '../../base/model/all-problems.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { inFileOrder, type RecordPlace } from '../../base/model/record-order.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import { testKey } from '../../base/model/test-key.ts';
import { firstLine } from './first-line.ts';
import { exactScore, failedEvaluators, scoreWords } from '../../base/model/score-sums.ts';

const MAX_KEPT = 20;

/** A test that passed, although one of its evaluators failed; or that left its workspace. */
export interface PassedNote {
  readonly place: RecordPlace;
  readonly test: string;
  /** `score 0.75, threshold 0.5`. */
  readonly score: string;
  /** False: the note is about its workspace. */
  readonly hasFailed: boolean;
  /** `contains#2 0 (weight 1): expected "Paris", got "London"`. */
  readonly evaluators: readonly string[];
}

/** A green test must not hide a failed evaluator. Keeps the first ones in the order of the files. */
export class PassedNotes {
  private readonly notes = new Map<string, PassedNote>();
  private count = 0;

  add(record: AttemptRecord): void {
    if (record.verdict !== 'passed') return;
    const failed = failedEvaluators(record);
    const kept = record.workspace?.folder;
    if (failed.length === 0 && kept === undefined) return;
    const key = testKey(record);
    if (this.notes.has(key)) return;
    if (record.repeat === 1) this.count++;
    const { file, line, column, row, test, target } = record;
    this.notes.set(key, {
      place: { file, line, column, row, test, target },
      test,
      score: scoreWords(record),
      hasFailed: failed.length > 0,
      evaluators: [
        ...failed.slice(0, 5).map((evaluator) => {
          const value = evaluator.score === undefined ? 'not measured' : exactScore(evaluator.score);
          const said = firstLine(evaluator.error?.message ?? evaluator.message);
          return `${assertionLabel(evaluator)} ${value} (weight ${evaluator.weight}): ${said}`;
        }),
        ...(kept === undefined ? [] : [`workspace: ${kept}`]),
      ],
    });
    if (this.notes.size > MAX_KEPT) this.notes.delete(this.last());
  }

  /** Those of tests that passed in the end, and how many more there are. */
  list(tests: readonly TestSummary[]): { readonly notes: readonly PassedNote[]; readonly more: number } {
    const failed = new Set(tests.filter(({ verdict }) => verdict !== 'passed').map(testKey));
    const notes = [...this.notes].filter(([key]) => !failed.has(key)).map(([, note]) => note);
    const more = this.count > MAX_KEPT ? this.count - MAX_KEPT : 0;
    return { notes: notes.sort((a, b) => inFileOrder(a.place, b.place)), more };
  }

  private last(): string {
    return [...this.notes].reduce((latest, next) =>
      inFileOrder(latest[1].place, next[1].place) < 0 ? next : latest,
    )[0];
  }
}
