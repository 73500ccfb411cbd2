import type { AttemptRecord, Verdict } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { FailureList } from './failure-list.ts';
import { failureText, type FailureContext } from './failure-text.ts';
import { LiveRegion, type LiveOutput } from './live-region.ts';
import type { Reporter, RunEnd, RunStart } from './reporter.ts';
import { summaryLines } from './summary-lines.ts';
import { escapeLine } from './terminal-text.ts';

const SLOWEST_SHOWN = 3;

export interface TerminalReporterOptions extends FailureContext {
  readonly output: LiveOutput;
}

/** For people: a line for each file, the failures last, with everything needed to mend them, and a summary. */
export class TerminalReporter implements Reporter {
  private readonly options: TerminalReporterOptions;
  private readonly live: LiveRegion;
  private files = new FileProgress(undefined);
  private readonly failures = new FailureList();
  private slowest: AttemptRecord[] = [];

  constructor(options: TerminalReporterOptions) {
    this.options = options;
    this.live = new LiveRegion(options.output, options.colors);
  }

  onRunStart({ planned }: RunStart): void {
    this.files = new FileProgress(planned);
    this.live.start(
      planned === undefined ? undefined : [...planned.values()].reduce((sum, count) => sum + count, 0),
    );
  }

  onAttemptStart(attempt: { readonly id: string; readonly test: string }): void {
    this.live.began(attempt.id, escapeLine(attempt.test));
  }

  onResult(record: AttemptRecord): void {
    this.live.ended(record);
    for (const line of this.files.add(record, this.options.colors)) this.live.print(line);
    this.failures.add(record);
    this.slowest = [...this.slowest, record]
      .sort((a, b) => b.duration_ms - a.duration_ms)
      .slice(0, SLOWEST_SHOWN);
  }

  async onRunEnd({ summary, tests = [], directory, resumed = 0 }: RunEnd): Promise<void> {
    const { colors } = this.options;
    for (const line of this.files.rest(colors)) this.live.print(line);
    this.live.end();
    const write = (text: string) => this.options.output.write(text);
    const { failures, hidden } = this.failures.shown(tests);
    for (const failure of failures) await write(`\n${await failureText(failure, this.options)}`);
    if (hidden > 0)
      await write(
        `\n${colors.dim(`... and ${hidden} more`)}${directory === undefined ? '' : `, in ${directory}`}\n`,
      );
    const lines = [...summaryLines(summary, { tests, slowest: this.slowest, colors })];
    if (resumed > 0)
      lines.push(
        colors.dim(
          `${resumed} of ${summary.attempts} results are those of before; a new run asks the agent again`,
        ),
      );
    await write(`\n${lines.join('\n')}\n`);
  }
}

interface Counts extends Record<Verdict, number> {
  isRepeated: boolean;
}

/** A line for each file, as soon as all of its results are there; in any case at the end. */
class FileProgress {
  private readonly planned: ReadonlyMap<string, number> | undefined;
  private readonly open = new Map<string, Counts>();

  constructor(planned: ReadonlyMap<string, number> | undefined) {
    this.planned = planned;
  }

  add({ file, verdict, repeat }: AttemptRecord, colors: Colors): readonly string[] {
    const counts = this.open.get(file) ?? { passed: 0, failed: 0, error: 0, skipped: 0, isRepeated: false };
    counts[verdict]++;
    counts.isRepeated ||= repeat > 1;
    this.open.set(file, counts);
    const { passed, failed, error, skipped } = counts;
    if (passed + failed + error + skipped !== this.planned?.get(file)) return [];
    this.open.delete(file);
    return [fileLine(file, counts, colors)];
  }

  rest(colors: Colors): readonly string[] {
    return [...this.open].map(([file, counts]) => fileLine(file, counts, colors));
  }
}

function fileLine(file: string, counts: Counts, colors: Colors): string {
  const { passed, failed, error, skipped, isRepeated } = counts;
  const total = passed + failed + error + skipped;
  const parts = [
    failed > 0 ? colors.red(`${failed} failed`) : '',
    error > 0 ? colors.yellow(`${error} with errors`) : '',
    skipped > 0 ? colors.dim(`${skipped} skipped`) : '',
  ].filter((part) => part !== '');
  const mark = markOf(counts, colors);
  const unit = isRepeated ? 'attempt' : 'test';
  const size = colors.dim(`(${total} ${unit}${total === 1 ? '' : 's'})`);
  return `${mark} ${escapeLine(file)} ${size}${parts.length === 0 ? '' : ` ${parts.join(', ')}`}`;
}

function markOf({ passed, failed, error, isRepeated }: Counts, colors: Colors): string {
  // Whether a test that was repeated has failed is for its gate to say, when all is done.
  if (isRepeated && failed + error > 0) return colors.yellow('~');
  if (failed > 0) return colors.red('✗');
  if (error > 0) return colors.yellow('!');
  return passed > 0 ? colors.green('✓') : colors.dim('-');
}
