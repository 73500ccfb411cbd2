import type { AttemptRecord } from '../../base/model/record.ts';
import type { BuiltInContext } from './built-in-context.ts';
import type { RunEnd, RunStart } from './reporter.ts';
import { TestOutcomes } from './test-outcomes.ts';

/** What reports read of them. */
export type Outcomes = Pick<
  TestOutcomes,
  'count' | 'all' | 'results' | 'verdictOf' | 'passedNotes' | 'titles'
>;

const ofRuns = new WeakMap<object, SharedOutcomes>();

/** The outcomes of a run, folded once for all of its reporters. Each reporter passes on what it is told. */
export function outcomesOf(context: Pick<BuiltInContext, 'run' | 'excerptAt' | 'program'>): SharedOutcomes {
  const known = ofRuns.get(context.run);
  const outcomes = known ?? new SharedOutcomes(new TestOutcomes(context));
  if (known === undefined) ofRuns.set(context.run, outcomes);
  outcomes.users++;
  return outcomes;
}

export class SharedOutcomes {
  users = 0;
  private readonly outcomes: TestOutcomes;
  private latest: AttemptRecord | undefined;
  private pending: void | Promise<void> = undefined;
  private hasEnded = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(outcomes: TestOutcomes) {
    this.outcomes = outcomes;
  }

  start(run: RunStart): void {
    this.outcomes.start(run);
  }

  /** All reporters get a record before any of them gets the next one. */
  add(record: AttemptRecord): void | Promise<void> {
    if (record !== this.latest) {
      this.latest = record;
      this.pending = this.orFail(() => this.outcomes.add(record));
    } else this.orFail(() => undefined);
    return this.pending;
  }

  /** Writes a report of the outcomes. The last one removes them. */
  async report(end: RunEnd, write: (outcomes: Outcomes) => void | Promise<void>): Promise<void> {
    try {
      this.orFail(() => {
        if (!this.hasEnded) this.outcomes.end(end);
        this.hasEnded = true;
      });
      await write(this.outcomes);
    } finally {
      if (--this.users === 0) this.outcomes.close();
    }
  }

  /** What one reporter could not add is missing for all of them. */
  private orFail<Result>(work: () => Result): Result {
    if (this.failure !== undefined) throw this.failure.error;
    try {
      return work();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}
