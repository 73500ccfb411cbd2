import type { ResultRow } from '../../src/base/model/page-data.ts';
import { Observable } from '../parts/observable.ts';
import { SourceError } from '../source/source-error.ts';
import type { RunDetail, Source } from '../source/source.ts';
import { TestRows, type TestRow } from './test-row.ts';

/** While rows stream in, the page is redrawn at most this often. */
const NOTIFY_MS = 150;
const SETTLE_MS = 1000;

/** A run with its tests, as far as known: filled while rows stream in, and followed while the run is in progress. */
export class RunResults extends Observable {
  readonly runId: string;
  /** Undefined until it is known. */
  detail: RunDetail | undefined;
  tests: readonly TestRow[] = [];
  isComplete = false;
  error: Error | undefined;
  private readonly source: Source;
  private readonly abort = new AbortController();
  private rows = new TestRows();
  private nextIndex = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: Source, runId: string) {
    super();
    this.source = source;
    this.runId = runId;
    void this.load();
  }

  close(): void {
    this.abort.abort();
    clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    const { signal } = this.abort;
    try {
      this.detail = await this.source.run(this.runId, signal);
      this.notify();
      await this.source.results(this.runId, { from: 0, onRows: (rows) => this.add(rows), signal });
      if (this.detail.run.state === 'running') this.follow();
      this.isComplete = true;
    } catch (thrown) {
      return this.fail(thrown);
    }
    this.notify();
  }

  private follow(): void {
    const { signal } = this.abort;
    this.source.follow(this.runId, {
      from: this.nextIndex,
      signal,
      onRows: (rows) => this.add(rows),
      onRun: (news) => {
        this.detail = { ...this.detail, ...news };
        this.notifySoon();
      },
      onEnd: () => void this.afterEnd(),
      onGone: (error) => this.fail(error),
    });
  }

  /** A run that was loaded earlier may have been removed since. */
  async check(): Promise<void> {
    if (!this.isComplete || this.detail?.run.state === 'running') return;
    try {
      this.detail = await this.source.run(this.runId, this.abort.signal);
      this.notify();
    } catch (thrown) {
      // What is known is still true if the server has stopped.
      if (isGone(thrown)) this.fail(thrown);
    }
  }

  /** What is known of a run stays on the page, unless the run is gone. */
  private fail(thrown: unknown): void {
    if (this.abort.signal.aborted) return;
    this.error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (isGone(this.error)) {
      this.detail = undefined;
      this.rows = new TestRows();
    }
    this.notify();
  }

  private async afterEnd(): Promise<void> {
    const { signal } = this.abort;
    try {
      this.detail = await this.source.run(this.runId, signal);
      // Only now is it known which attempts were left out, and that decides the results of their tests.
      if (this.tests.some(({ attempts }) => attempts.length > 1))
        await this.source.results(this.runId, { from: 0, onRows: (rows) => this.add(rows), signal });
    } catch (thrown) {
      if (isGone(thrown)) return this.fail(thrown);
      // What is known is still true; it only says "running" until the page is loaded again.
    }
    this.notify();
    // A run that is being removed seems to be cut off: its files go one after the other.
    if (this.detail?.run.state === 'broken_off') setTimeout(() => void this.check(), SETTLE_MS);
  }

  private add(rows: readonly ResultRow[]): void {
    const isFirst = this.nextIndex === 0;
    for (const row of rows) {
      this.nextIndex = Math.max(this.nextIndex, row.index + 1);
      this.rows.add(row);
    }
    if (isFirst) this.notify();
    else this.notifySoon();
  }

  private notifySoon(): void {
    this.timer ??= setTimeout(() => this.notify(), NOTIFY_MS);
  }

  override notify(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    // A new list: everything computed from the old one is computed again.
    this.tests = [...this.rows.list];
    super.notify();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof SourceError && error.isGone;
}
