import type { ResultRow } from '../../src/model/page-data.ts';
import type { RunDetail, Source } from '../source/source.ts';
import { addAttempt, testKey, testOf, type TestRow } from './test-row.ts';

/** While rows stream in, the page is redrawn at most this often. */
const NOTIFY_MS = 150;

/** A run with its tests, as far as known: filled while rows stream in, and followed while the run is in progress. */
export class RunResults {
  readonly runId: string;
  /** Undefined until it is known. */
  detail: RunDetail | undefined;
  tests: readonly TestRow[] = [];
  isComplete = false;
  error: Error | undefined;
  private readonly source: Source;
  private readonly abort = new AbortController();
  private readonly places = new Map<string, number>();
  private readonly listeners = new Set<() => void>();
  private nextIndex = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: Source, runId: string) {
    this.source = source;
    this.runId = runId;
    void this.load();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
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
      if (signal.aborted) return;
      this.error = thrown instanceof Error ? thrown : new Error(String(thrown));
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
    });
  }

  private async afterEnd(): Promise<void> {
    const { signal } = this.abort;
    try {
      this.detail = await this.source.run(this.runId, signal);
      // Only now is it known which attempts were left out, and that decides the results of their tests.
      if (this.tests.some(({ attempts }) => attempts.length > 1))
        await this.source.results(this.runId, { from: 0, onRows: (rows) => this.add(rows), signal });
    } catch {
      // What is known is still true; it only says "running" until the page is loaded again.
    }
    this.notify();
  }

  private add(rows: readonly ResultRow[]): void {
    const isFirst = this.nextIndex === 0;
    const tests = this.tests as TestRow[];
    for (const row of rows) {
      this.nextIndex = Math.max(this.nextIndex, row.index + 1);
      const key = testKey(row);
      const place = this.places.get(key);
      if (place === undefined) this.places.set(key, tests.push(testOf(row)) - 1);
      else tests[place] = addAttempt(tests[place]!, row);
    }
    if (isFirst) this.notify();
    else this.notifySoon();
  }

  private notifySoon(): void {
    this.timer ??= setTimeout(() => this.notify(), NOTIFY_MS);
  }

  private notify(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    // A new list: everything computed from the old one is computed again.
    this.tests = [...this.tests];
    for (const listener of this.listeners) listener();
  }
}
