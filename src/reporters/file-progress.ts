import type { AttemptRecord, Verdict } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { escapeLine } from './terminal-text.ts';

interface Counts extends Record<Verdict, number> {
  /** How many of the attempts are a test's first: so many tests there are. */
  tests: number;
}

/** A line for each file, as soon as all of its results are there; in any case at the end. */
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
    return [fileLine(file, counts, colors)];
  }

  rest(colors: Colors): readonly string[] {
    return [...this.open].map(([file, counts]) => fileLine(file, counts, colors));
  }
}

function attemptsOf({ passed, failed, error, skipped }: Counts): number {
  return passed + failed + error + skipped;
}

function fileLine(file: string, counts: Counts, colors: Colors): string {
  const { tests, failed, error, skipped } = counts;
  const attempts = attemptsOf(counts);
  const parts = [
    failed > 0 ? colors.red(`${failed} failed`) : '',
    error > 0 ? colors.yellow(`${error} with errors`) : '',
    skipped > 0 ? colors.dim(`${skipped} skipped`) : '',
  ].filter((part) => part !== '');
  const hasRepeats = attempts !== tests;
  const testCount = `${tests} ${tests === 1 ? 'test' : 'tests'}`;
  const size = colors.dim(`(${testCount}${hasRepeats ? `, ${attempts} attempts` : ''})`);
  const what = parts.length === 0 ? '' : ` ${hasRepeats ? 'attempts: ' : ''}${parts.join(', ')}`;
  return `${markOf(counts, hasRepeats, colors)} ${escapeLine(file)} ${size}${what}`;
}

function markOf({ passed, failed, error }: Counts, hasRepeats: boolean, colors: Colors): string {
  // Whether a test that was repeated has failed is for its gate to say, when all is done.
  if (hasRepeats && failed + error > 0) return colors.yellow('~');
  if (failed > 0) return colors.red('✗');
  if (error > 0) return colors.yellow('!');
  return passed > 0 ? colors.green('✓') : colors.dim('-');
}
