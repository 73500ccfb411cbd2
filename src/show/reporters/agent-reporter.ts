import type { Finding } from '../../base/model/finding.ts';
import type { Summary } from '../../base/model/summary.ts';
import { AgentFailures } from './agent-failures.ts';
import { failureLines } from './agent-text.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { comparisonText } from './comparison-text.ts';
import { firstLine } from './first-line.ts';
import type { Reporter, RunEnd, RunStart } from './reporter.ts';
import { problemsOfRun } from './run-problems.ts';
import { selectionLines } from './selection-lines.ts';
import { optionWords } from '../../base/model/rerun-command.ts';
import { shellWord } from '../../base/model/shell-word.ts';
import { formatDuration } from '../../base/model/duration.ts';
import { escapeLine } from './terminal-text.ts';
import { NO_COLORS } from './colors.ts';

/** A coding agent reads every character, and pays for it. */
const MAX_CHARACTERS = 8000;
const MAX_FINDINGS = 2000;
const MAX_KEPT_FINDINGS = 500;
const MAX_COMPARISON = 1500;

export function createReporter(context: BuiltInContext): Reporter {
  return new AgentReporter(context);
}

/** For coding agents: what failed, where, what was expected, and how to see more, in few characters. */
class AgentReporter implements Reporter {
  private readonly context: BuiltInContext;
  private readonly failures = new AgentFailures();
  /** One for each severity and code, with the number of those like it. */
  private readonly findings = new Map<string, { readonly finding: Finding; count: number }>();
  private hiddenFindings = 0;
  private run: Pick<RunStart, 'run_id' | 'planned' | 'asked'> = { run_id: '' };

  constructor(context: BuiltInContext) {
    this.context = context;
  }

  onRunStart(run: RunStart): void {
    this.run = run;
  }

  onFinding(finding: Finding): void {
    const { severity, code, file, line, message } = finding;
    // An error is what must be fixed, so each is shown; warnings of one kind are mostly alike.
    const key = severity === 'error' ? JSON.stringify([code, file, line, message]) : code;
    const known = this.findings.get(key);
    if (known !== undefined) known.count++;
    else if (this.findings.size < MAX_KEPT_FINDINGS) this.findings.set(key, { finding, count: 1 });
    else this.hiddenFindings++;
  }

  onResult(record: Parameters<NonNullable<Reporter['onResult']>>[0]): void {
    this.failures.add(record);
  }

  onRunEnd(end: RunEnd): void | Promise<void> {
    const head = [
      ...this.findingLines(),
      ...(end.comparison === undefined ? [] : compared(comparisonText(end.comparison, NO_COLORS))),
    ];
    const foot = [
      ...problemsOfRun(end)
        .map(({ title, message }) => firstLine(`${title}: ${message}`))
        .map(escapeLine),
      ...selectionLines(end.summary.selection).map(firstLine),
      summaryLine(end),
    ];
    const failures = this.failures.list(end.tests ?? [], [...(this.run.planned?.keys() ?? [])]);
    const more = this.moreLines(failures.length > 0);
    const room = MAX_CHARACTERS - [...head, ...foot, ...more].join('\n').length - HIDDEN_LINE;
    const { lines, hidden } = failureLines(failures, room);
    const left = hidden + this.failures.leftOut(end.tests ?? []);
    const text = [
      ...head,
      ...lines,
      ...(left === 0 ? [] : [`... and ${left} more that did not pass`]),
      ...more,
      ...foot,
    ];
    return this.context.write(`${text.join('\n')}\n`);
  }

  private findingLines(): readonly string[] {
    const sorted = [...this.findings.values()].toSorted(
      (a, b) => Number(a.finding.severity === 'warning') - Number(b.finding.severity === 'warning'),
    );
    const lines: string[] = [];
    let length = 0;
    let shown = 0;
    for (const { finding, count } of sorted) {
      const line = findingLine(finding, count);
      length += line.length + 1;
      if (length > MAX_FINDINGS) break;
      lines.push(line);
      shown++;
    }
    const hidden = sorted.length - shown + this.hiddenFindings;
    return hidden === 0 ? lines : [...lines, `... and ${hidden} more findings: see \`assay validate\``];
  }

  private moreLines(hasFailures: boolean): readonly string[] {
    const { run_id } = this.run;
    if (!hasFailures) return run_id === '' ? [] : [`run: ${run_id}`];
    const whole = run_id === '' ? [] : [`full report: assay report ${shellWord(run_id)} --reporter terminal`];
    const { asked = {} } = this.run;
    const options = optionWords(this.failures.hasSeveralTargets ? { ...asked, target: 'TARGET' } : asked);
    const words = ['FILE:LINE', ...options, '--reporter terminal'];
    return [...whole, `rerun one: assay run ${words.join(' ')}`];
  }
}

/** The same for somebody without a shell: only the run's id is left of the commands. */
export function withoutCommands(report: string): string {
  return report
    .replace(/^full report: assay report (\S+) --reporter terminal$/m, 'run: $1')
    .replace(/^rerun one: assay run .*\n/m, '');
}

const HIDDEN_LINE = 60;

function findingLine({ severity, code, file, line, message, hint }: Finding, count: number): string {
  const place = file === '' ? '' : `${escapeLine(file)}:${line} `;
  const alike = count === 1 ? '' : ` (${count} times)`;
  const help = hint === undefined ? '' : `; ${escapeLine(firstLine(hint))}`;
  return `${severity} ${place}${code}: ${escapeLine(firstLine(message))}${help}${alike}`;
}

function compared(text: string): readonly string[] {
  if (text.length <= MAX_COMPARISON) return text.trimEnd().split('\n');
  return [...text.slice(0, MAX_COMPARISON).split('\n').slice(0, -1), '... see `assay compare`'];
}

function summaryLine({ summary, exit_code }: RunEnd): string {
  return `${counts(summary)} in ${formatDuration(summary.duration_ms)}, exit code ${exit_code}`;
}

function counts({
  tests,
  failed,
  error,
  passed,
  skipped,
  flaky,
  not_started,
  not_graded = 0,
}: Summary): string {
  const parts = Object.entries({
    failed,
    errored: error,
    passed,
    flaky,
    skipped,
    'not graded': not_graded,
    'not started': not_started,
  })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  return `${parts.length === 0 ? 'no test ran' : parts.join(', ')} (${tests} ${tests === 1 ? 'test' : 'tests'})`;
}
