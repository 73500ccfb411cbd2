import type { AttemptRecord, Verdict } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { escapeLine } from './terminal-text.ts';

interface Counts extends Record<Verdict, number> {
  /** How many of the attempts are the first of their test: the number of tests. */
  tests: number;
}

/** One line per file, as soon as all of its results are there; at the latest at the end. */
export class FileProgress {
  private readonly planned: ReadonlyMap<string, number> | undefined;
  private readonly open = new Map<string, Counts>();

  constructor(planned: ReadonlyMap<string, number> | undefined) {
    this.planned = planned;
  }

  add({ file, verdict, repeat }: AttemptRecord, colors: Colors): readonly string[] {
    const counts = this.open.get(file) ?? { tests: 0, passed: 0, failed: 0, error: 0, skipped: 0 };
    counts[verdict]++;
    if (repeat === 1) counts.tests++;
    this.open.set(file, counts);
    if (attemptsOf(counts) !== this.planned?.get(file)) return [];
    this.open.delete(file);
    return [fileLine(file, counts, { colors })];
  }

  /** `isCut`: the run stopped before its end. */
  rest(colors: Colors, { isCut }: { readonly isCut: boolean }): readonly string[] {
    return [...this.open].map(([file, counts]) => {
      const planned = this.planned?.get(file);
      const isUnfinished = planned === undefined ? isCut : attemptsOf(counts) < planned;
      return fileLine(file, counts, { colors, unfinished: isUnfinished ? { planned } : undefined });
    });
  }
}

function attemptsOf({ passed, failed, error, skipped }: Counts): number {
  return passed + failed + error + skipped;
}

interface LineContext {
  readonly colors: Colors;
  /** Not all of the file's attempts ran; out of how many, if known. */
  readonly unfinished?: { readonly planned: number | undefined } | undefined;
}

function fileLine(file: string, counts: Counts, { colors, unfinished }: LineContext): string {
  const { tests, failed, error, skipped } = counts;
  const attempts = attemptsOf(counts);
  const parts = [
    failed > 0 ? colors.red(`${failed} failed`) : '',
    error > 0 ? colors.yellow(`${error} with errors`) : '',
    skipped > 0 ? colors.dim(`${skipped} skipped`) : '',
  ].filter((part) => part !== '');
  const hasRepeats = attempts !== tests;
  const testCount = `${tests} ${tests === 1 ? 'test' : 'tests'}`;
  const whole = `(${testCount}${hasRepeats ? `, ${attempts} attempts` : ''})`;
  const size =
    unfinished === undefined ? colors.dim(whole) : colors.yellow(`(${shareOf(counts, unfinished)})`);
  const what = parts.length === 0 ? '' : ` ${hasRepeats ? 'attempts: ' : ''}${parts.join(', ')}`;
  // An unfinished file does not get the mark of a finished one, no matter how its tests went so far.
  const mark = unfinished === undefined ? markOf(counts, hasRepeats, colors) : colors.yellow('…');
  return `${mark} ${escapeLine(file)} ${size}${what}`;
}

function shareOf(counts: Counts, { planned }: { readonly planned: number | undefined }): string {
  const attempts = attemptsOf(counts);
  const noun = attempts === counts.tests ? 'test' : 'attempt';
  if (planned === undefined) return `not finished: ${attempts} ${noun}${attempts === 1 ? '' : 's'} done`;
  return `not finished: ${attempts} of ${planned} ${noun}${planned === 1 ? '' : 's'} done`;
}

function markOf({ passed, failed, error }: Counts, hasRepeats: boolean, colors: Colors): string {
  // Only its gate decides whether a repeated test failed, once all is done.
  if (hasRepeats && failed + error > 0) return colors.yellow('~');
  if (failed > 0) return colors.red('✗');
  if (error > 0) return colors.yellow('!');
  return passed > 0 ? colors.green('✓') : colors.dim('-');
}
