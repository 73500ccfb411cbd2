import type { LabelValue, NewLabel, RecordLabel, RunLabels } from '../../src/base/model/label.ts';
import { Observable } from '../parts/observable.ts';
import type { Source } from '../source/source.ts';

/** The labels of a run, as far as they are known. */
export class LabelBook extends Observable {
  readonly runId: string;
  /** Of each record, by its number: the latest last. */
  byIndex: ReadonlyMap<number, readonly RecordLabel[]> = new Map();
  /** What the latest label of each record says. */
  latest: ReadonlyMap<number, LabelValue> = new Map();
  /** How many labels are about answers that the run no longer has. */
  stale = 0;
  unreadable = 0;
  /** Who writes, if nobody says another name; undefined if nothing can be written. */
  by: string | undefined;
  error: Error | undefined;
  private readonly source: Source;

  constructor(source: Source, runId: string) {
    super();
    this.source = source;
    this.runId = runId;
    void this.load();
  }

  get canWrite(): boolean {
    return this.by !== undefined && this.source.addLabel !== undefined;
  }

  /** Others may have added some. */
  async load(): Promise<void> {
    try {
      this.take(await this.source.labels(this.runId, new AbortController().signal));
    } catch (error) {
      // The results are shown without labels.
      this.error = error as Error;
    }
    this.notify();
  }

  async add(label: NewLabel): Promise<void> {
    try {
      await this.source.addLabel?.(this.runId, label);
      this.error = undefined;
    } catch (error) {
      this.error = error as Error;
      return this.notify();
    }
    await this.load();
  }

  private take({ labels, unreadable, by }: RunLabels): void {
    const byIndex = new Map<number, RecordLabel[]>();
    const latest = new Map<number, LabelValue>();
    this.stale = 0;
    for (const label of labels) {
      if (label.index === undefined) {
        this.stale++;
        continue;
      }
      byIndex.set(label.index, [...(byIndex.get(label.index) ?? []), label]);
      latest.set(label.index, label.label);
    }
    Object.assign(this, { byIndex, latest, unreadable, by });
  }
}
