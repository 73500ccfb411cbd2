import { byCodePoint } from '../../base/model/by-code-point.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import { testKey } from '../../base/model/test-key.ts';
import type { Colors } from './colors.ts';
import { escapeLine } from './terminal-text.ts';

interface Counts extends Record<Verdict, number> {
  /** How many of the attempts are the first of their test: the number of tests. */
  tests: number;
  /** By test: whether an attempt of it passed. */
  readonly passedOnce: Map<string, boolean>;
}

/** More tests of one file than this are not told apart: then the mark of a repeated file stays open. */
const MAX_TESTS_TOLD_APART = 10_000;

/**
 * One line per file, as soon as all results of it and of the files before it are there; at the latest at the end.
 * The lines of two runs come in the same order.
 */
export class FileProgress {
  private readonly planned: ReadonlyMap<string, number> | undefined;
  private readonly open = new Map<string, Counts>();
  /** Lines that wait for a file before them. */
  private readonly done = new Map<string, string>();
  /** The files that have not been shown, the next one last. */
  private readonly order: string[];

  constructor(planned: ReadonlyMap<string, number> | undefined) {
    this.planned = planned;
    const files = [...(planned ?? [])].filter(([, attempts]) => attempts > 0).map(([file]) => file);
    this.order = files.sort(byCodePoint).toReversed();
  }

  add(record: AttemptRecord, colors: Colors): readonly string[] {
    const { file, verdict, repeat } = record;
    const counts = this.open.get(file) ?? newCounts();
    counts[verdict]++;
    if (repeat === 1) counts.tests++;
    note(counts.passedOnce, testKey(record), verdict);
    this.open.set(file, counts);
    if (attemptsOf(counts) !== this.planned?.get(file)) return [];
    this.open.delete(file);
    this.done.set(file, fileLine(file, counts, { colors }));
    return this.next();
  }

  /** `isCut`: the run stopped before its end. `undecided`: files with a test whose gate could not be decided. */
  rest(
    colors: Colors,
    { isCut, undecided }: { readonly isCut: boolean; readonly undecided: ReadonlySet<string> },
  ): readonly string[] {
    for (const [file, counts] of this.open) {
      const planned = this.planned?.get(file);
      const isUnfinished = planned === undefined ? isCut : attemptsOf(counts) < planned;
      const unfinished = isUnfinished ? { planned } : undefined;
      this.done.set(file, fileLine(file, counts, { colors, unfinished, isUndecided: undecided.has(file) }));
    }
    return [...this.done].sort(([a], [b]) => byCodePoint(a, b)).map(([, line]) => line);
  }

  private next(): readonly string[] {
    const lines: string[] = [];
    for (let file = this.order.at(-1); file !== undefined && this.done.has(file); file = this.order.at(-1)) {
      lines.push(this.done.get(file)!);
      this.done.delete(file);
      this.order.pop();
    }
    return lines;
  }
}

function newCounts(): Counts {
  return { tests: 0, passed: 0, failed: 0, error: 0, skipped: 0, not_graded: 0, passedOnce: new Map() };
}

function note(passedOnce: Map<string, boolean>, key: string, verdict: Verdict): void {
  if (verdict === 'skipped' || (passedOnce.size >= MAX_TESTS_TOLD_APART && !passedOnce.has(key))) return;
  passedOnce.set(key, passedOnce.get(key) === true || verdict === 'passed');
}

function attemptsOf({ passed, failed, error, skipped, not_graded }: Counts): number {
  return passed + failed + error + skipped + not_graded;
}

interface LineContext {
  readonly colors: Colors;
  /** Not all of the file's attempts ran; out of how many, if known. */
  readonly unfinished?: { readonly planned: number | undefined } | undefined;
  /** The gate of one of its tests: passed attempts alone are not green then. */
  readonly isUndecided?: boolean;
}

function fileLine(
  file: string,
  counts: Counts,
  { colors, unfinished, isUndecided = false }: LineContext,
): string {
  const { tests, failed, error, skipped, not_graded } = counts;
  const attempts = attemptsOf(counts);
  const parts = [
    failed > 0 ? colors.red(`${failed} failed`) : '',
    error > 0 ? colors.yellow(`${error} errored`) : '',
    skipped > 0 ? colors.dim(`${skipped} skipped`) : '',
    not_graded > 0 ? colors.dim(`${not_graded} not graded`) : '',
  ].filter((part) => part !== '');
  const hasRepeats = attempts !== tests;
  const testCount = `${tests} ${tests === 1 ? 'test' : 'tests'}`;
  const whole = `(${testCount}${hasRepeats ? `, ${attempts} attempts` : ''})`;
  const size =
    unfinished === undefined ? colors.dim(whole) : colors.yellow(`(${shareOf(counts, unfinished)})`);
  const what = parts.length === 0 ? '' : ` ${hasRepeats ? 'attempts: ' : ''}${parts.join(', ')}`;
  // An unfinished file does not get the mark of a finished one, no matter how its tests went so far.
  const isOpen = isUndecided && failed + error === 0;
  const finished = isOpen ? colors.yellow('?') : markOf(counts, hasRepeats, colors);
  const mark = unfinished === undefined ? finished : colors.yellow('…');
  return `${mark} ${escapeLine(file)} ${size}${what}`;
}

function shareOf(counts: Counts, { planned }: { readonly planned: number | undefined }): string {
  const attempts = attemptsOf(counts);
  const noun = attempts === counts.tests ? 'test' : 'attempt';
  if (planned === undefined) return `not finished: ${attempts} ${noun}${attempts === 1 ? '' : 's'} done`;
  return `not finished: ${attempts} of ${planned} ${noun}${planned === 1 ? '' : 's'} done`;
}

function markOf({ passed, failed, error, passedOnce }: Counts, hasRepeats: boolean, colors: Colors): string {
  // Only its gate decides whether a test failed that sometimes passes, once all is done.
  const isOpen = hasRepeats && ![...passedOnce.values()].includes(false);
  if (isOpen && failed + error > 0) return colors.yellow('~');
  if (failed > 0) return colors.red('✗');
  if (error > 0) return colors.yellow('!');
  return passed > 0 ? colors.green('✓') : colors.dim('-');
}
