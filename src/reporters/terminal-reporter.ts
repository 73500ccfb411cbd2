import { resolve } from 'node:path';
import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { comparisonText } from './comparison-text.ts';
import { failureContext } from './failure-context.ts';
import { FailureList } from './failure-list.ts';
import type { FailureContext } from './failure-text.ts';
import { FileProgress } from './file-progress.ts';
import { findingText } from './finding-text.ts';
import { fleetLine } from './fleet-line.ts';
import { LiveRegion } from './live-region.ts';
import type { FleetStatus, Reporter, RunEnd, RunStart } from './reporter.ts';
import { summaryLines, type SlowAttempt } from './summary-lines.ts';
import { escapeLine, escapeLines } from './terminal-text.ts';

const SLOWEST_SHOWN = 3;
/** The limit for one code: what an agent does in one test it often does in all of them. */
const WARNINGS_SHOWN = 20;

export function createReporter(context: BuiltInContext): Reporter {
  return new TerminalReporter(context);
}

/** For people: a line per file, the failures last, with everything needed to fix them, and a summary. */
class TerminalReporter implements Reporter {
  private readonly context: BuiltInContext;
  private readonly live: LiveRegion;
  private run: Pick<RunStart, 'run_id' | 'name' | 'cwd' | 'asked'> = { run_id: '', cwd: '.' };
  private files = new FileProgress(undefined);
  private readonly failures = new FailureList();
  private slowest: SlowAttempt[] = [];
  private lastFleet = '';
  private readonly found = { error: 0, warning: 0 };
  private readonly warnings = new Map<string, number>();

  private failureContext: FailureContext;

  constructor(context: BuiltInContext) {
    this.context = context;
    this.failureContext = failureContext(context, this.run);
    const { write, options, colors } = context;
    const { isTTY } = options;
    const output = {
      isTTY,
      write,
      get columns() {
        return options.columns;
      },
    };
    this.live = new LiveRegion(output, colors);
  }

  onRunStart(run: RunStart): void {
    this.run = run;
    this.failureContext = failureContext(this.context, run);
    const { planned } = run;
    this.files = new FileProgress(planned);
    this.live.start(
      planned === undefined ? undefined : [...planned.values()].reduce((sum, count) => sum + count, 0),
    );
  }

  onFinding(finding: Finding): void | Promise<void> {
    this.found[finding.severity]++;
    const { diagnostics, excerptAt } = this.context;
    const { file, line, code } = finding;
    this.live.flush();
    if (finding.severity === 'warning') {
      const alike = (this.warnings.get(code) ?? 0) + 1;
      this.warnings.set(code, alike);
      if (alike > WARNINGS_SHOWN + 1) return undefined;
      if (alike > WARNINGS_SHOWN)
        return diagnostics.write(`more warnings like this (${escapeLine(code)}) are not shown\n\n`);
    }
    const excerpt = excerptAt({ file: resolve(this.run.cwd, file), line, code });
    return diagnostics.write(`${findingText(finding, excerpt, diagnostics.colors)}\n\n`);
  }

  onAttemptStart(attempt: { readonly id: string; readonly test: string }): void {
    this.live.began(attempt.id, attempt.test);
  }

  onResult(record: AttemptRecord): void | Promise<void> {
    this.live.ended(record);
    for (const line of this.files.add(record, this.context.colors)) this.live.print(line);
    const { test, duration_ms } = record;
    if (this.slowest.length < SLOWEST_SHOWN || duration_ms > this.slowest.at(-1)!.duration_ms) {
      this.slowest = [...this.slowest, { test, duration_ms }]
        .sort((a, b) => b.duration_ms - a.duration_ms)
        .slice(0, SLOWEST_SHOWN);
    }
    return this.failures.add(record, this.failureContext);
  }

  onFleet(fleet: FleetStatus): void {
    this.live.showFleet(fleetLine(fleet));
    // Without a live region, only changes are worth a line.
    const change = fleet.problem ?? `${fleet.workers} ${fleet.workers === 1 ? 'worker' : 'workers'}`;
    if (!this.context.options.isTTY && change !== this.lastFleet) this.live.print(fleetLine(fleet));
    this.lastFleet = change;
  }

  async onRunEnd({ summary, tests = [], directory, comparison, resumed = 0, advice }: RunEnd): Promise<void> {
    const { colors, write } = this.context;
    const isCut = summary.interrupted || summary.not_started > 0;
    for (const line of this.files.rest(colors, { isCut })) this.live.print(line);
    this.live.end();
    for await (const text of this.failures.texts(tests, colors)) await write(`\n${text}`);
    const hidden = this.failures.hiddenCount;
    if (hidden > 0)
      await write(
        `\n${colors.dim(`... and ${hidden} more`)}${directory === undefined ? '' : `, in ${escapeLine(directory)}`}\n`,
      );
    const lines = [
      ...summaryLines(summary, {
        tests,
        slowest: this.slowest,
        colors,
        run: this.run.run_id === '' ? undefined : { id: this.run.run_id, name: this.run.name },
        isReplayed: this.run.asked?.cassettes === 'replay',
      }),
      ...this.findingLines(),
    ];
    if (resumed > 0)
      lines.push(
        colors.dim(
          `${resumed} of ${summary.attempts} results come from the earlier run; for new ones, run without --resume`,
        ),
      );
    if (advice !== undefined) lines.push('', colors.dim(escapeLines(advice)));
    await write(`\n${lines.join('\n')}\n`);
    if (comparison !== undefined) await write(`\n${comparisonText(comparison, colors)}`);
  }

  /** They were shown when they were found, which may be far above. */
  private findingLines(): readonly string[] {
    const { error, warning } = this.found;
    if (error + warning === 0) return [];
    const { colors } = this.context;
    const parts = [
      error > 0 ? colors.red(`${error} ${error === 1 ? 'error' : 'errors'}`) : '',
      warning > 0 ? colors.yellow(`${warning} ${warning === 1 ? 'warning' : 'warnings'}`) : '',
    ].filter((part) => part !== '');
    return [
      `${colors.bold('Files')}  ${parts.join(', ')}${error > 0 ? '; files with errors do not run' : ''}`,
    ];
  }
}
