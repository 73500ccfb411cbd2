import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { isRun } from '../../runs/journal/remove-crashed-runs.ts';
import { listRuns, type RunDirectory } from '../../runs/journal/run-directory.ts';
import { TextFile } from '../../runs/journal/text-file.ts';
import type { RunRow } from '../../base/model/page-data.ts';
import { BoundedCache } from './bounded-cache.ts';
import { DigestCache, stampOf, type Digest } from './digest-cache.ts';
import { JournalIndex } from './journal-index.ts';
import { RemovedRun, refuseRemoved } from './removed-run.ts';
import { RunSearch } from './run-search.ts';
import { foldRun } from './run-digest.ts';
import { runTotals, type ViewedFold } from './run-totals.ts';
import { damageOf, factsOf, runRow, type RunFacts } from './run-row.ts';

const INDEX_BYTES = 64 * 1024 * 1024;
/** The places of this many texts are remembered. */
const TEXT_PLACES = 500_000;
const SEARCH_BYTES = 192 * 1024 * 1024;
/** How long a caller waits for a digest that is being computed: what is still unknown then is left out of the row. */
const PATIENCE_MS = 400;

export interface LibraryOptions {
  readonly projectRoot: string;
  /** A run in another place, shown beside those of the project. */
  readonly otherRun?: RunDirectory | undefined;
}

interface KnownIndex {
  readonly index: JournalIndex;
  /** Whether the run had ended when it was created, and how its files were. */
  readonly hasEnded: boolean;
  readonly stamp: string;
}

/** The runs of a project: looked up by id, never by path. */
export class RunLibrary {
  private readonly options: LibraryOptions;
  private readonly digests: DigestCache;
  private readonly indexes = new BoundedCache<KnownIndex>(INDEX_BYTES, ({ index }) => index.weight);
  private readonly searches = new BoundedCache<RunSearch>(SEARCH_BYTES, ({ weight }) => weight);
  private readonly textFiles = new BoundedCache<TextFile>(TEXT_PLACES, ({ weight }) => weight);
  private readonly damages = new Map<
    string,
    { readonly stamp: string; readonly damage: readonly string[] }
  >();
  private readonly endedRows = new Map<string, { readonly stamp: string; readonly row: RunRow }>();
  private runs: ReadonlyMap<string, RunDirectory> = new Map();
  private digesting: Promise<void> | undefined;

  constructor(options: LibraryOptions) {
    this.options = options;
    this.digests = new DigestCache(options.projectRoot);
    this.refresh();
    this.digests.removeAllBut(this.runs);
  }

  find(id: string): RunDirectory | undefined {
    const known = this.runs.get(id);
    // A removed run stays known until somebody looks.
    if (known === undefined || !isRun(known.path)) this.refresh();
    return this.runs.get(id);
  }

  /** The latest first. */
  async list(): Promise<readonly RunRow[]> {
    this.refresh();
    const newestFirst = [...this.runs.values()].reverse();
    this.digesting ??= this.digestAll(newestFirst).finally(() => {
      this.digesting = undefined;
    });
    await withPatience(this.digesting);
    const rows: RunRow[] = [];
    for (const run of newestFirst) rows.push(...(await ifThere(() => this.listedRow(run))));
    return rows;
  }

  /** With all its contents. */
  async row(run: RunDirectory, facts: RunFacts): Promise<RunRow> {
    const row = await this.readRow(run, facts);
    refuseRemoved(run);
    return row;
  }

  /** With what can be known soon. Without a summary there is nothing to show until the journal was read. */
  async quickRow(run: RunDirectory, facts: RunFacts): Promise<RunRow> {
    const row = this.row(run, facts);
    return facts.ending === undefined ? row : ((await withPatience(row)) ?? runRow(facts, undefined));
  }

  index(run: RunDirectory): JournalIndex {
    return this.known(run).index;
  }

  private known(run: RunDirectory): KnownIndex {
    const hasEnded = run.hasEnded();
    const known = this.indexes.get(run.runId);
    // The end of a run may change verdicts: only then is it known which attempts were left out.
    const entry =
      known?.hasEnded === hasEnded ? known : { hasEnded, stamp: stampOf(run), index: new JournalIndex(run) };
    this.indexes.set(run.runId, entry);
    return entry;
  }

  /** What models were sent. */
  texts(run: RunDirectory): TextFile {
    const known = this.textFiles.get(run.runId) ?? new TextFile(run.textsPath);
    this.textFiles.set(run.runId, known);
    return known;
  }

  /** A search through the run's conversations. */
  search(run: RunDirectory): RunSearch {
    const index = this.index(run);
    const known = this.searches.get(run.runId);
    const search = known?.index === index ? known : new RunSearch(run, index);
    // Set again: it may have grown.
    this.searches.set(run.runId, search);
    return search;
  }

  /** Runs in progress have no digest yet, and are left out. */
  async *digestsOf(runs: readonly RunDirectory[]): AsyncGenerator<Digest & { readonly facts: RunFacts }> {
    for (const run of runs) {
      for (const found of await ifThere(() => this.digestOf(run))) if (found !== undefined) yield found;
      // Gives other requests a turn.
      await nextTurn();
    }
  }

  /** At most this many, the latest last. */
  recent(count: number): readonly RunDirectory[] {
    this.refresh();
    return [...this.runs.values()].slice(-count);
  }

  private async digestOf(run: RunDirectory): Promise<(Digest & { readonly facts: RunFacts }) | undefined> {
    const facts = factsOf(run);
    if (facts.state === 'running') return undefined;
    const digest = await this.digests.digest(run);
    refuseRemoved(run);
    return { ...digest, facts };
  }

  private async readRow(run: RunDirectory, facts: RunFacts): Promise<RunRow> {
    if (facts.state !== 'running') {
      // Whoever looks at one run wants its rows too: the journal is read once for both.
      const { header } = await this.digests.digest(run, (read) => this.foldOf(read));
      return runRow(facts, header.totals, this.damage(run));
    }
    return runRow(facts, runTotals(await this.foldOf(run)));
  }

  private async foldOf(run: RunDirectory): Promise<ViewedFold> {
    const { index, hasEnded, stamp } = this.known(run);
    // Files that changed after the end are read anew: pages that are open keep the numbers of their rows.
    if (hasEnded && stamp !== stampOf(run)) return foldRun(run);
    await index.catchUp();
    return index.fold;
  }

  /**
   * A digest may be older than the damage: a bad disk does not change file times. So the first look is always our
   * own.
   */
  private damage(run: RunDirectory): readonly string[] {
    const stamp = stampOf(run);
    const known = this.damages.get(run.runId);
    if (known?.stamp === stamp) return known.damage;
    const damage = damageOf(run);
    this.damages.set(run.runId, { stamp, damage });
    return damage;
  }

  private refresh(): void {
    const { projectRoot, otherRun } = this.options;
    const others = otherRun !== undefined && isRun(otherRun.path) ? [otherRun] : [];
    const runs = [...others, ...listRuns(projectRoot)];
    this.runs = new Map(runs.map((run) => [run.runId, run]));
    // Nothing is kept for removed runs.
    for (const known of [this.damages, this.endedRows])
      for (const id of known.keys()) if (!this.runs.has(id)) known.delete(id);
    this.indexes.keepOnly(this.runs);
    this.searches.keepOnly(this.runs);
    this.textFiles.keepOnly(this.runs);
    this.digests.forgetAllBut(this.runs);
  }

  private async digestAll(runs: readonly RunDirectory[]): Promise<void> {
    for (const run of runs) {
      try {
        if (this.digests.header(run) === undefined && factsOf(run).state !== 'running')
          await this.digests.digest(run);
      } catch {
        // A journal that cannot be read: the row says what is known without it.
      }
    }
  }

  /** A finished run does not change unless it is resumed or damaged: then its files change too. */
  private async listedRow(run: RunDirectory): Promise<RunRow> {
    const stamp = stampOf(run);
    const known = this.endedRows.get(run.runId);
    if (known?.stamp === stamp) return known.row;
    const facts = factsOf(run);
    if (facts.ending === undefined) return this.rowOrNothing(run, facts);
    const header = this.digests.header(run);
    const row = runRow(facts, header?.totals, header?.damage);
    refuseRemoved(run);
    if (header !== undefined) this.endedRows.set(run.runId, { stamp, row });
    return row;
  }

  /** An unreadable journal must not hide the other runs. */
  private async rowOrNothing(run: RunDirectory, facts: RunFacts): Promise<RunRow> {
    try {
      return await this.row(run, facts);
    } catch (error) {
      if (error instanceof RemovedRun) throw error;
      return runRow(facts, undefined);
    }
  }
}

/** Nothing if the run was removed meanwhile. */
async function ifThere<T>(read: () => Promise<T>): Promise<readonly T[]> {
  try {
    return [await read()];
  } catch (error) {
    if (error instanceof RemovedRun) return [];
    throw error;
  }
}

/** Undefined if it takes too long; the computation continues. */
function withPatience<T>(work: Promise<T>): Promise<T | undefined> {
  work.catch(() => {});
  return Promise.race([work, delay(PATIENCE_MS, undefined, { ref: false })]);
}
