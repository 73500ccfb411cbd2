import { appendFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Finding } from '../../base/model/finding.ts';
import type { AttemptProblem } from '../../base/model/all-problems.ts';
import type { Place } from '../../base/model/place.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { rowPlace } from './failure-text.ts';
import { FindingGroups } from './finding-groups.ts';
import { firstLine } from './first-line.ts';
import { annotationCommand, type Annotation } from './github-command.ts';
import { markdownReport } from './markdown-report.ts';
import type { Reporter, RunEnd, RunStart } from './reporter.ts';
import { problemsOfRun } from './run-problems.ts';
import { bySameCause, type NamedTest, type SameCause } from './same-cause.ts';
import { safeNotes } from './selection-lines.ts';
import { outcomesOf, type Outcomes, type SharedOutcomes } from './shared-outcomes.ts';

/** GitHub shows ten annotations per level and step, and silently drops the others. */
const MAX_ANNOTATIONS = 10;
const NAMES_SHOWN = 10;
/** GitHub refuses a whole summary of more than 1 MiB. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

export function createReporter(context: BuiltInContext): Reporter {
  return new GitHubReporter(context);
}

/** Annotations at the lines of the files, and a step summary. */
class GitHubReporter implements Reporter {
  private readonly context: BuiltInContext;
  private readonly outcomes: SharedOutcomes;
  private readonly findings: Finding[] = [];
  private readonly groups = new FindingGroups();
  private readonly annotations = { error: [] as Annotation[], warning: [] as Annotation[] };
  private readonly leftOut = { error: 0, warning: 0 };
  private cwd = '.';

  constructor(context: BuiltInContext) {
    this.context = context;
    this.outcomes = outcomesOf(context);
  }

  onRunStart(run: RunStart): void {
    this.cwd = run.cwd;
    this.outcomes.start(run);
  }

  onFinding(finding: Finding): void {
    this.findings.push(finding);
    if (!this.groups.take(finding)) return;
    const { severity, code, message, hint } = finding;
    this.annotate({
      level: severity,
      ...this.placeOf(finding),
      title: `Assay: ${code}`,
      message: hint === undefined ? message : `${message}\nhint: ${hint}`,
    });
  }

  onResult(record: AttemptRecord): void | Promise<void> {
    return this.outcomes.add(record);
  }

  onRunEnd(end: RunEnd): Promise<void> {
    return this.outcomes.report(end, (outcomes) => this.report(end, outcomes));
  }

  private async report(end: RunEnd, outcomes: Outcomes): Promise<void> {
    // First: there are few of them, and there may be more tests than are shown.
    for (const { title, message } of problemsOfRun(end))
      this.annotate({ level: 'error', title: `Assay: ${title}`, message });
    for (const { severity, code, file = '', text } of this.groups.hidden()) {
      const place = { file, line: 1, column: 1 };
      this.annotate({ level: severity, ...this.placeOf(place), title: `Assay: ${code}`, message: text });
    }
    const titleOf = outcomes.titles();
    for (const group of bySameCause(() => outcomes.all())) this.annotateTests(group, titleOf);
    const notes = safeNotes(end.summary.selection);
    for (const { reason, text } of notes)
      if (reason === 'only') this.annotate({ level: 'warning', title: 'Assay: only', message: text });
    const { error, warning } = this.annotations;
    const lines = [...error, ...warning].map(annotationCommand);
    // The job itself says which shard it runs.
    for (const { reason, text } of notes)
      if (reason !== 'only' && reason !== 'shard')
        lines.push(annotationCommand({ level: 'notice', title: 'Assay: selection', message: text }));
    const hidden = [
      this.leftOut.error > 0 ? `${this.leftOut.error} more errors` : '',
      this.leftOut.warning > 0 ? `${this.leftOut.warning} more warnings` : '',
    ].filter((part) => part !== '');
    if (hidden.length > 0) {
      const message = `${hidden.join(' and ')} have no annotation; see the log or the summary`;
      lines.push(annotationCommand({ level: 'notice', title: 'Assay', message }));
    }
    if (this.context.github.hasAnnotations && lines.length > 0) await this.context.write(lines.join(''));
    await this.writeSummary(end, outcomes);
  }

  /** One per cause, at the first thing that went wrong: GitHub shows few of them. */
  private annotateTests(
    { first, others, otherCount }: SameCause,
    titleOf: (outcome: NamedTest) => string,
  ): void {
    const { verdict, failure, row } = first;
    const count = `${otherCount} more ${otherCount === 1 ? 'test' : 'tests'}`;
    const names = others
      .slice(0, NAMES_SHOWN)
      .map((other) => firstLine(`${titleOf(other)} (${other.file}:${other.line})`));
    const left = otherCount - names.length;
    this.annotate({
      level: 'error',
      ...this.placeOf(failure!.problem),
      title: `${titleOf(first)}${otherCount === 0 ? '' : ` and ${count}`} ${verdict === 'failed' ? 'failed' : 'could not be measured'}`,
      message: [
        ...failure!.problems.map(problemLine),
        ...(row === undefined ? [] : [`row: ${rowPlace(row)}`]),
        ...(otherCount === 0 ? [] : ['same problem in:', ...names]),
        ...(left > 0 ? [`and ${left} more`] : []),
      ].join('\n'),
    });
  }

  private annotate(annotation: Annotation & { readonly level: 'error' | 'warning' }): void {
    const { level } = annotation;
    if (this.annotations[level].length < MAX_ANNOTATIONS) this.annotations[level].push(annotation);
    else this.leftOut[level]++;
  }

  /** Only files of the repository can be annotated. */
  private placeOf({ file, line, column }: Place): Pick<Annotation, 'file' | 'line' | 'column'> {
    if (file === '') return {};
    const { workspace } = this.context.github;
    const path = workspace === undefined ? file : relative(workspace, resolve(this.cwd, file));
    if (path.startsWith('..') || isAbsolute(path)) return {};
    return { file: path.split(sep).join('/'), line, column };
  }

  /** A run does not fail because its summary cannot be written: a message says so. */
  private async writeSummary(end: RunEnd, outcomes: Outcomes): Promise<void> {
    const path = this.context.github.stepSummary;
    if (path === undefined) return;
    try {
      const taken = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const maxBytes = MAX_SUMMARY_BYTES - taken - 1;
      if (maxBytes < 1000) throw new Error('other summaries of this step use all the space');
      const { findings } = this;
      appendFileSync(path, `${markdownReport({ outcomes, findings, end, maxBytes })}\n`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.context.diagnostics.write(`assay: the step summary cannot be written: ${message}\n`);
    }
  }
}

function problemLine({ name, message, line }: AttemptProblem): string {
  return firstLine(`line ${line}: ${name}: ${message}`);
}
