import type { AttemptRecord, Verdict } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { failureText, type FailureContext } from './failure-text.ts';
import { LiveRegion, type LiveOutput } from './live-region.ts';
import type { Reporter, RunEnd, RunStart } from './reporter.ts';
import { summaryLines } from './summary-lines.ts';
import { escapeLine, escapeShortLine } from './terminal-text.ts';

/** More failures than this are counted, not shown: nobody reads them, and they would be held in memory. */
const MAX_FAILURES_SHOWN = 100;
const SLOWEST_SHOWN = 3;

export interface TerminalReporterOptions extends FailureContext {
  readonly output: LiveOutput;
}

/** For people: a line for each file, the failures last, with everything needed to mend them, and a summary. */
export class TerminalReporter implements Reporter {
  private readonly options: TerminalReporterOptions;
  private readonly live: LiveRegion;
  private files = new FileProgress(undefined);
  private readonly failures: AttemptRecord[] = [];
  private hiddenFailures = 0;
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
    this.live.began(attempt.id, escapeShortLine(attempt.test));
  }

  onResult(record: AttemptRecord): void {
    this.live.ended(record.id, record.verdict);
    for (const line of this.files.add(record, this.options.colors)) this.live.print(line);
    if (record.verdict === 'failed' || record.verdict === 'error') {
      if (this.failures.length < MAX_FAILURES_SHOWN) this.failures.push(record);
      else this.hiddenFailures++;
    }
    this.slowest = [...this.slowest, record]
      .sort((a, b) => b.duration_ms - a.duration_ms)
      .slice(0, SLOWEST_SHOWN);
  }

  async onRunEnd({ summary, directory, resumed = 0 }: RunEnd): Promise<void> {
    const { colors } = this.options;
    for (const line of this.files.rest(colors)) this.live.print(line);
    this.live.end();
    const write = (text: string) => this.options.output.write(text);
    for (const record of this.failures) await write(`\n${await failureText(record, this.options)}`);
    if (this.hiddenFailures > 0)
      await write(
        `\n${colors.dim(`... and ${this.hiddenFailures} more`)}${directory === undefined ? '' : `, in ${escapeLine(directory)}`}\n`,
      );
    const lines = [...summaryLines(summary, this.slowest, colors)];
    if (resumed > 0)
      lines.push(
        colors.dim(
          `${resumed} of ${summary.attempts} results are those of before; a new run asks the agent again`,
        ),
      );
    await write(`\n${lines.join('\n')}\n`);
  }
}

type Counts = Record<Verdict, number>;

/** A line for each file, as soon as all of its results are there; in any case at the end. */
class FileProgress {
  private readonly planned: ReadonlyMap<string, number> | undefined;
  private readonly open = new Map<string, Counts>();

  constructor(planned: ReadonlyMap<string, number> | undefined) {
    this.planned = planned;
  }

  add({ file, verdict }: AttemptRecord, colors: Colors): readonly string[] {
    const counts = this.open.get(file) ?? { passed: 0, failed: 0, error: 0, skipped: 0 };
    counts[verdict]++;
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

function fileLine(file: string, { passed, failed, error, skipped }: Counts, colors: Colors): string {
  const total = passed + failed + error + skipped;
  const parts = [
    failed > 0 ? colors.red(`${failed} failed`) : '',
    error > 0 ? colors.yellow(`${error} with errors`) : '',
    skipped > 0 ? colors.dim(`${skipped} skipped`) : '',
  ].filter((part) => part !== '');
  const mark =
    failed > 0
      ? colors.red('✗')
      : error > 0
        ? colors.yellow('!')
        : passed > 0
          ? colors.green('✓')
          : colors.dim('-');
  const size = colors.dim(`(${total} ${total === 1 ? 'test' : 'tests'})`);
  return `${mark} ${escapeLine(file)} ${size}${parts.length === 0 ? '' : ` ${parts.join(', ')}`}`;
}
