import { resolve } from 'node:path';
import { DecidedTests } from '../../runs/fold/decided-tests.ts';
import { RunFold } from '../../runs/fold/run-fold.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { comparisonText } from './comparison-text.ts';
import { failureContext } from './failure-context.ts';
import { FailureList } from './failure-list.ts';
import type { FailureContext } from './failure-text.ts';
import { FindingGroups, hiddenText } from './finding-groups.ts';
import { findingText } from './finding-text.ts';
import { fleetLine } from './fleet-line.ts';
import { LiveRegion } from './live-region.ts';
import { PassedNotes } from './passed-notes.ts';
import type { FleetStatus, Reporter, RunEnd, RunStart } from './reporter.ts';
import { RunProgress, type ProgressStyle } from './run-progress.ts';
import { SlowestAttempts } from './slowest-attempts.ts';
import { notStarted, summaryLines, type SlowAttempt } from './summary-lines.ts';
import { gridRows } from './target-grid.ts';
import { targetTable } from './target-table.ts';
import { escapeLine, escapeLines, escapeShortLine } from './terminal-text.ts';

const SLOWEST_SHOWN = 3;
/** The limit for one code: what an agent does in one test it often does in all of them. */
const WARNINGS_SHOWN = 20;

/** After this much silence in CI a line says how far the run is. */
const SILENCE_MS = 30_000;

export function createReporter(context: BuiltInContext): Reporter {
  return new TerminalReporter(context, 'files');
}

/** For people: what happens, the failures last, with everything needed to fix them, and a summary. */
export class TerminalReporter implements Reporter {
  private readonly context: BuiltInContext;
  private readonly live: LiveRegion;
  private run: Pick<RunStart, 'run_id' | 'name' | 'cwd' | 'asked'> = { run_id: '', cwd: '.' };
  private readonly style: ProgressStyle;
  private progress: RunProgress;
  private readonly failures = new FailureList();
  private readonly passed = new PassedNotes();
  private slowest: SlowAttempt[] = [];
  /** Undefined without `--durations`. */
  private readonly durations: SlowestAttempts | undefined;
  /** Undefined if the run has one target. */
  private byTarget: RunFold | undefined;
  private lastFleet = '';
  private hasRegraded = false;
  private readonly found = { error: 0, warning: 0 };
  private readonly groups = new FindingGroups({ mostWarnings: WARNINGS_SHOWN });

  private failureContext: FailureContext;

  constructor(context: BuiltInContext, style: ProgressStyle) {
    this.context = context;
    const { verbosity, durations } = context.options;
    this.durations = durations === undefined ? undefined : new SlowestAttempts(durations);
    this.style = verbosity === 'quiet' ? 'nothing' : verbosity === 'verbose' ? 'transcripts' : style;
    this.failureContext = this.newFailureContext();
    this.progress = this.newProgress({});
    const { write, options, colors, isCi } = context;
    const isLoud = this.style !== 'nothing';
    const output = {
      // A line of dots cannot stand above lines that are redrawn.
      isTTY: options.isTTY && isLoud && this.style !== 'dots',
      silenceMs: isCi && isLoud && options.file === undefined ? SILENCE_MS : undefined,
      write,
      get columns() {
        return options.columns;
      },
    };
    this.live = new LiveRegion(output, colors);
    context.onOtherOutput(() => this.live.flush());
  }

  onRunStart(run: RunStart): void {
    this.run = run;
    this.failureContext = this.newFailureContext();
    const { planned } = run;
    this.progress = this.newProgress(run);
    this.byTarget = run.targets === undefined ? undefined : new RunFold();
    this.live.start(
      planned === undefined ? undefined : [...planned.values()].reduce((sum, count) => sum + count, 0),
    );
  }

  private newFailureContext(): FailureContext {
    const { colors, excerptAt, program, options } = this.context;
    const isVerbose = options.verbosity === 'verbose';
    return failureContext({ colors, excerptAt, program, isVerbose }, this.run);
  }

  private newProgress({ planned, targets }: Pick<RunStart, 'planned' | 'targets'>): RunProgress {
    const { colors, options } = this.context;
    return new RunProgress({ style: this.style, colors, columns: options.columns, planned, targets });
  }

  onFinding(finding: Finding): void | Promise<void> {
    if (repeatsFailure(finding)) return undefined;
    // A filter that matches nothing is not about a file.
    if (finding.code !== 'no_tests') this.found[finding.severity]++;
    const { diagnostics, excerptAt } = this.context;
    const { file, line, code } = finding;
    this.live.print(this.progress.endLine());
    this.live.flush();
    if (!this.groups.take(finding)) return undefined;
    const excerpt = excerptAt({ file: resolve(this.run.cwd, file), line, code });
    return diagnostics.write(`${findingText(finding, excerpt, diagnostics.colors)}\n\n`);
  }

  /** Of a kind that was shown often enough. */
  private async printHidden(): Promise<void> {
    const { diagnostics } = this.context;
    for (const hidden of this.groups.hidden())
      await diagnostics.write(`${hiddenText(hidden, diagnostics.colors)}\n\n`);
  }

  onAttemptStart(attempt: { readonly id: string; readonly test: string }): void {
    this.live.began(attempt.id, attempt.test);
    this.progress.began(attempt.id);
  }

  onResult(record: AttemptRecord): void | Promise<void> {
    this.live.ended(record);
    this.hasRegraded ||= record.regraded === true;
    this.byTarget?.count(record);
    this.live.print(this.progress.ended(record));
    this.passed.add(record);
    this.durations?.add(record);
    const { test, target, duration_ms = 0 } = record;
    if (this.slowest.length < SLOWEST_SHOWN || duration_ms > this.slowest.at(-1)!.duration_ms) {
      this.slowest = [...this.slowest, { test, target, duration_ms }]
        .sort((a, b) => b.duration_ms - a.duration_ms)
        .slice(0, SLOWEST_SHOWN);
    }
    return this.failures.add(record, this.failureContext);
  }

  onFleet(fleet: FleetStatus): void {
    this.live.showFleet(fleetLine(fleet));
    // Without a live region, only changes are worth a line.
    const change = fleet.problem ?? `${fleet.workers} ${fleet.workers === 1 ? 'worker' : 'workers'}`;
    if (!this.context.options.isTTY && change !== this.lastFleet) this.live.print(`${fleetLine(fleet)}\n`);
    this.lastFleet = change;
  }

  async onRunEnd({
    summary,
    tests = [],
    directory,
    comparison,
    resumed = 0,
    advice,
    ...end
  }: RunEnd): Promise<void> {
    const { colors, write } = this.context;
    const isCut = summary.interrupted || summary.not_started > 0;
    this.live.print(this.progress.rest(isCut, tests));
    this.live.end();
    await this.printHidden();
    for await (const text of this.failures.texts(tests, colors)) await write(`\n${text}`);
    const hidden = this.failures.hiddenCount;
    if (hidden > 0)
      await write(
        `\n${colors.dim(`... and ${hidden} more`)}${directory === undefined ? '' : `, in ${escapeLine(directory)}`}\n`,
      );
    await write(this.passedText(tests));
    if (this.byTarget !== undefined && summary.targets !== undefined) {
      const decided = new DecidedTests(tests);
      await write(
        `\n${targetTable(
          {
            targets: summary.targets,
            rows: gridRows(this.byTarget.tests, {
              targets: summary.targets,
              verdictOf: (test) => decided.verdictOf(test),
            }),
            comparisons: end.target_comparisons ?? [],
          },
          { colors, columns: this.context.options.columns },
        )}`,
      );
    }
    if (this.durations !== undefined)
      await write(this.durations.text(colors, { hasTargets: summary.targets !== undefined }));
    const lines = [
      ...summaryLines(summary, {
        tests,
        slowest: this.durations === undefined ? this.slowest : [],
        colors,
        run: this.run.run_id === '' ? undefined : { id: this.run.run_id, name: this.run.name },
        isReplayed: this.run.asked?.cassettes === 'replay',
        cassettes: end.cassettes,
        hasEarlierReplies: resumed > 0 || this.hasRegraded,
        findings: this.findingText(),
      }),
    ];
    if (resumed > 0)
      lines.push(
        colors.dim(
          `${resumed} of ${summary.attempts} results come from the earlier run; ${this.run.asked?.changed === true ? 'neither their tests nor the files of their agents have changed' : 'for new ones, run without --resume'}`,
        ),
      );
    if (directory !== undefined) lines.push(...this.resumeLines(summary, tests));
    if (advice !== undefined) lines.push('', colors.dim(escapeLines(advice)));
    await write(`\n${lines.join('\n')}\n`);
    if (comparison !== undefined) await write(`\n${comparisonText(comparison, colors)}`);
    for (const { target, comparison: own } of end.baseline_comparisons ?? [])
      await write(`\n${colors.bold(`Baseline, ${escapeLine(target)}:`)} ${comparisonText(own, colors)}`);
  }

  /** Green tests in which an evaluator failed: the score was enough, but somebody should know. */
  private passedText(tests: NonNullable<RunEnd['tests']>): string {
    const { notes, more } = this.passed.list(tests);
    if (notes.length === 0) return '';
    const { colors } = this.context;
    const lines = notes.map(
      ({ test, score, evaluators }) =>
        `  ${colors.green('✓')} ${escapeShortLine(test)} ${colors.dim(`(${score})`)}: ${evaluators.map(escapeShortLine).join('; ')}`,
    );
    const rest = more > 0 ? [colors.dim(`  and ${more} more`)] : [];
    return `\n${[colors.bold(notes.some(({ hasFailed }) => hasFailed) ? 'Passed, although an evaluator failed' : 'Passed, and left a workspace'), ...lines, ...rest].join('\n')}\n`;
  }

  /** How to run what an interrupted run left out. */
  private resumeLines(summary: RunEnd['summary'], tests: RunEnd['tests']): readonly string[] {
    const command = this.context.resumeCommand?.(this.run.run_id);
    if (command === undefined || !(summary.interrupted || summary.not_started > 0)) return [];
    const { colors } = this.context;
    const rest = summary.not_started === 0 ? '' : ` ${colors.dim(`(${notStarted(summary, tests)})`)}`;
    return ['', `${colors.bold('Continue')}  ${command}${rest}`];
  }

  /** They were shown when they were found, which may be far above. */
  private findingText(): string | undefined {
    const { error, warning } = this.found;
    if (error + warning === 0) return undefined;
    const { colors } = this.context;
    const parts = [
      error > 0 ? colors.red(`${error} ${error === 1 ? 'error' : 'errors'}`) : '',
      warning > 0 ? colors.yellow(`${warning} ${warning === 1 ? 'warning' : 'warnings'}`) : '',
    ].filter((part) => part !== '');
    return `${parts.join(', ')}${error > 0 ? '; files with errors do not run' : ''}`;
  }
}

/** The failed claim says the same. Where it holds, that the path is absent is news. */
function repeatsFailure({ code, message }: Finding): boolean {
  return code === 'absent_path' && !message.endsWith('equals null');
}
