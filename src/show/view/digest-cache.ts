import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { BoundedCache } from './bounded-cache.ts';
import { digestHeader, digestRun, foldRun, type DigestHeader, type RunStamp } from './run-digest.ts';

const MAX_CHARACTERS = 32_000_000;

export interface Digest {
  readonly header: DigestHeader;
  readonly text: string;
}

/**
 * Digests of runs, each computed once: stored in `.assay/cache/view`, and in memory as far as there is room. If
 * nothing can be written, they are only in memory.
 */
export class DigestCache {
  private readonly folder: string;
  private readonly texts = new BoundedCache<string>(MAX_CHARACTERS, (text) => text.length);
  private readonly headers = new Map<string, DigestHeader>();

  constructor(projectRoot: string) {
    this.folder = join(projectRoot, '.assay', 'cache', 'view');
  }

  /** The results of a run, if its digest exists already. */
  header(run: RunDirectory): DigestHeader | undefined {
    const stamp = stampOf(run);
    const known = this.headers.get(run.runId);
    if (known?.stamp === stamp) return known;
    return this.kept(run, stamp)?.header;
  }

  /** The digest of a run, computed now if it does not exist. `read`: how to get the results then. */
  async digest(run: RunDirectory, read: typeof foldRun = foldRun): Promise<Digest> {
    const stamp = stampOf(run);
    const kept = this.kept(run, stamp);
    if (kept !== undefined) return kept;
    const text = digestRun(run, stamp, await read(run));
    this.write(run.runId, text);
    return this.remember(run.runId, text, digestHeader(text, stamp)!);
  }

  forgetAllBut(runs: ReadonlyMap<string, unknown>): void {
    for (const id of this.headers.keys()) if (!runs.has(id)) this.headers.delete(id);
    this.texts.keepOnly(runs);
  }

  /** Digests of removed runs are useless. */
  removeAllBut(runs: ReadonlyMap<string, unknown>): void {
    try {
      for (const name of readdirSync(this.folder))
        if (!runs.has(name.replace(/\.jsonl$/, ''))) rmSync(join(this.folder, name), { force: true });
    } catch {
      // There are none.
    }
  }

  private kept(run: RunDirectory, stamp: RunStamp): Digest | undefined {
    const text = this.texts.get(run.runId) ?? this.read(run.runId);
    const header = text === undefined ? undefined : digestHeader(text, stamp);
    return header === undefined ? undefined : this.remember(run.runId, text!, header);
  }

  private remember(runId: string, text: string, header: DigestHeader): Digest {
    this.texts.set(runId, text);
    this.headers.set(runId, header);
    return { header, text };
  }

  private read(runId: string): string | undefined {
    try {
      return readFileSync(this.pathOf(runId), 'utf8');
    } catch {
      return undefined;
    }
  }

  private write(runId: string, text: string): void {
    try {
      makeFolder(this.folder, { mode: 0o700 });
      writeWhole(this.pathOf(runId), text, { mode: 0o600 });
    } catch {
      // It is computed again the next time.
    }
  }

  private pathOf(runId: string): string {
    return join(this.folder, `${runId}.jsonl`);
  }
}

/** Changes when a file of the run is written to. */
export function stampOf({ path }: RunDirectory): RunStamp {
  return ['results.jsonl', 'run.json', 'summary.json']
    .map((name) => statSync(join(path, name), { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? '-' : `${stat.size} ${stat.mtimeMs}`))
    .join(', ');
}
