import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunDescription } from '../../runs/journal/run-directory.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import { cutText } from '../../base/model/cut-text.ts';
import type { SourceExcerpt } from '../../base/model/page-data.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { BoundedCache } from './bounded-cache.ts';
import { splitSuiteLines } from '../../base/model/suite-lines.ts';
import { isInside } from '../../base/files/is-inside.ts';

/** A larger file is not shown: nobody would read it. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const KEPT_CHARACTERS = 100_000_000;
/** For this long a file is assumed unchanged: a report requests one a hundred thousand times. */
const TRUSTED_MS = 500;
/** A record that names another kind of file was not written by us. */
const SUITE = /\.(?:ya?ml|jsonl?)$/i;
const CONTEXT_LINES = 3;
/** Places this close are shown in one piece. */
const GAP_LINES = 8;
const MAX_LINE = 2000;

export interface SourceOptions {
  readonly projectRoot: string;
  readonly redactor: Redactor;
}

interface Source {
  readonly stamp: string;
  readonly lines: readonly string[];
  /** Hashes as runs record them: of the text of a suite, of the bytes of a dataset. */
  readonly hashes: readonly string[];
  readonly characters: number;
}

/** The lines of suite files around the places in records: only from files inside the project, and without secrets. */
export class SourceExcerpts {
  private readonly options: SourceOptions;
  private readonly sources = new BoundedCache<Source>(KEPT_CHARACTERS, ({ characters }) => characters);
  private last: { path: string; at: number; source: Source | undefined } | undefined;
  private readonly hashes = new WeakMap<RunDescription, ReadonlyMap<string, string | undefined>>();

  constructor(options: SourceOptions) {
    this.options = options;
  }

  of(record: AttemptRecord, run: RunDescription): Promise<readonly SourceExcerpt[]> {
    return this.around(placesByFile(record), run);
  }

  /** The lines around places, by their files. */
  async around(
    byFile: ReadonlyMap<string, readonly number[]>,
    run: RunDescription,
  ): Promise<readonly SourceExcerpt[]> {
    const excerpts: SourceExcerpt[] = [];
    for (const [file, places] of byFile) {
      const path = this.pathOf(file, run);
      const source = await this.read(path);
      if (source === undefined) continue;
      const hash = this.hashesOf(run).get(path);
      const has_changed = hash !== undefined && !source.hashes.includes(hash);
      for (const { first, last } of ranges(places, source.lines.length))
        excerpts.push({ file, first_line: first, lines: shown(source.lines, first, last), has_changed });
    }
    return excerpts;
  }

  /** Where a file of a run is on this machine. */
  pathOf(file: string, run: RunDescription): string {
    return resolve(this.options.projectRoot, run.cwd, file);
  }

  /** The hashes of a run's files when it ran, by path. */
  private hashesOf(run: RunDescription): ReadonlyMap<string, string | undefined> {
    let hashes = this.hashes.get(run);
    if (hashes === undefined) {
      const { projectRoot } = this.options;
      hashes = new Map(run.files.map(({ file, hash }) => [resolve(projectRoot, file), hash]));
      this.hashes.set(run, hashes);
    }
    return hashes;
  }

  private async read(path: string): Promise<Source | undefined> {
    const { last } = this;
    if (last?.path === path && performance.now() - last.at < TRUSTED_MS) return last.source;
    const source = await this.readNow(path);
    this.last = { path, at: performance.now(), source };
    return source;
  }

  private async readNow(path: string): Promise<Source | undefined> {
    try {
      const file = await stat(path);
      const { size, mtimeMs } = file;
      if (!file.isFile() || size > MAX_FILE_BYTES || !SUITE.test(path) || !(await this.isInside(path)))
        return undefined;
      const stamp = `${size} ${mtimeMs}`;
      const known = this.sources.get(path);
      if (known?.stamp === stamp) return known;
      const bytes = await readFile(path);
      const text = bytes.toString('utf8');
      const lines = safeLines(text, path, this.options.redactor);
      const hashes = [hashHex(text), createHash('sha256').update(bytes).digest('hex')];
      const source = { stamp, lines, hashes, characters: text.length };
      this.sources.set(path, source);
      return source;
    } catch {
      // It is gone, or we may not read it.
      return undefined;
    }
  }

  /** A record may name any file, and a file may be a link. */
  private async isInside(path: string): Promise<boolean> {
    return isInside(await realpath(path), await realpath(this.options.projectRoot));
  }
}

/** None if a secret spans several lines: without it, line numbers would shift. */
function safeLines(text: string, path: string, redactor: Redactor): readonly string[] {
  const safe = redactor.text(text);
  const lines = splitSuiteLines(safe, path);
  if (safe !== text && lines.length !== splitSuiteLines(text, path).length) return [];
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function placesByFile(record: AttemptRecord): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const add = (file: unknown, line: unknown): void => {
    if (typeof file !== 'string' || typeof line !== 'number') return;
    const lines = places.get(file) ?? [];
    lines.push(line);
    places.set(file, lines);
  };
  add(record.file, record.line);
  for (const step of record.steps) add(record.file, step.line);
  for (const { file, line } of [
    ...record.steps.flatMap(({ assertions }) => assertions),
    ...record.assertions,
  ])
    add(file, line);
  return places;
}

interface Range {
  readonly first: number;
  last: number;
}

function ranges(places: readonly number[], lineCount: number): readonly Range[] {
  const found: Range[] = [];
  for (const line of places.toSorted((a, b) => a - b)) {
    if (line < 1 || line > lineCount) continue;
    const last = Math.min(lineCount, line + CONTEXT_LINES);
    const before = found.at(-1);
    if (before !== undefined && line - CONTEXT_LINES <= before.last + GAP_LINES) before.last = last;
    else found.push({ first: Math.max(1, line - CONTEXT_LINES), last });
  }
  return found;
}

function shown(lines: readonly string[], first: number, last: number): readonly string[] {
  return lines.slice(first - 1, last).map((line) => cutText(line, MAX_LINE));
}
