import type { Finding, Severity } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import type { DataRow } from '../model/test.ts';
import { formatPath, type PathSegment, type Place } from '../model/place.ts';

/** Finds the place of a value in its file. */
export interface Source {
  readonly file: string;
  /** Looking up a place costs a parse. Places are computed only when they are read. */
  readonly isLazy: boolean;
  /** The line of everything in it, if it has only one. */
  readonly line?: number | undefined;
  /** The place of the value at `path`, or of its key. If there is none, the place of the nearest value above it. */
  locate(
    path: readonly PathSegment[],
    part: 'key' | 'value',
  ): { readonly line: number; readonly column: number };
}

/** For reading values that are not in a file. */
export const NOWHERE: Source = { file: '', isLazy: false, locate: () => ({ line: 1, column: 1 }) };

export interface SchemaProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Where, below the value being read. */
  readonly at?: readonly PathSegment[];
  /** Point at the key instead of its value. */
  readonly onKey?: boolean;
}

/**
 * Walks a document while schemas read it: tracks the current position and collects findings. Places are looked up
 * only for findings, so reading a clean value costs no look-up.
 */
export class Reader {
  readonly path: PathSegment[];
  readonly findings: Finding[] = [];
  errorCount = 0;
  /** The variables of the test being read; undefined where braces are text. */
  vars: JsonObject | undefined;
  /** The row of the test being read, with `each`. */
  row: DataRow | undefined;
  /** By path: the variables whose values stand in the place of a whole text. */
  filled: ReadonlyMap<string, string> | undefined;
  /** The file is written as only AgentV 4 and newer write it: some evaluators mean what they mean there. */
  isAgentv = false;
  readonly source: Source;

  constructor(source: Source, path: readonly PathSegment[] = []) {
    this.source = source;
    this.path = [...path];
  }

  enter(segment: PathSegment): void {
    this.path.push(segment);
  }

  leave(): void {
    this.path.pop();
  }

  error(problem: SchemaProblem): void {
    this.errorCount++;
    this.report('error', problem);
  }

  warning(problem: SchemaProblem): void {
    this.report('warning', problem);
  }

  /** Adds what another reader found. */
  add({ findings, errorCount }: Reader): void {
    this.errorCount += errorCount;
    for (const finding of findings) this.findings.push(finding);
  }

  /**
   * An error about something that is well written and that Assay does not do. The value is still read, so that `show`
   * can print it; the file does not run.
   */
  unsupported(problem: Omit<SchemaProblem, 'code'>): void {
    this.report('error', { ...problem, code: 'unsupported_feature' });
  }

  /** The variable whose value is being read. */
  variable(...below: PathSegment[]): string | undefined {
    return this.filled?.get(formatPath([...this.path, ...below]));
  }

  /** The place of the value being read, or of one below it. */
  place(...below: PathSegment[]): Place {
    const path = below.length === 0 ? this.path.slice() : [...this.path, ...below];
    const { source } = this;
    if (source.isLazy) return new LazyPlace(source, path);
    const { line, column } = source.locate(path, 'value');
    return { file: source.file, line, column };
  }

  private report(severity: Severity, { code, message, hint, at = [], onKey = false }: SchemaProblem): void {
    const path = [...this.path, ...at];
    const { line, column } = this.source.locate(path, onKey ? 'key' : 'value');
    this.findings.push({
      severity,
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      file: this.source.file,
      line,
      column,
      path: formatPath(path),
    });
  }
}

/** Getters of a class: objects with their own getters cost ten times as much to create. */
class LazyPlace implements Place {
  readonly file: string;
  private readonly source: Source;
  private readonly path: readonly PathSegment[];
  private found: Pick<Place, 'line' | 'column'> | undefined;

  constructor(source: Source, path: readonly PathSegment[]) {
    this.file = source.file;
    this.source = source;
    this.path = path;
  }

  get line(): number {
    return this.source.line ?? this.locate().line;
  }

  get column(): number {
    return this.locate().column;
  }

  toJSON(): Place {
    const { file, line, column } = this;
    return { file, line, column };
  }

  private locate(): Pick<Place, 'line' | 'column'> {
    return (this.found ??= this.source.locate(this.path, 'value'));
  }
}
