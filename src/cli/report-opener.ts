import { RunDirectory } from '../runs/journal/run-directory.ts';
import { findProjectRoot } from '../suites/load/project-root.ts';
import type { BuiltInContext, GitHubSurroundings } from '../show/reporters/built-in-context.ts';
import { chooseColors } from '../show/reporters/colors.ts';
import { REPORTERS } from '../show/reporters/registry.ts';
import type { Reporter } from '../show/reporters/reporter.ts';
import { escapeLine } from '../show/reporters/terminal-text.ts';
import type { CommandContext } from './command.ts';
import { printError } from './print-error.ts';
import { readExcerpt, readExcerptInProject } from '../api/basics/excerpt.ts';
import { isCi, isOnGitHub } from './is-ci.ts';
import { loadReporter, ReporterError } from './load-reporter.ts';
import { ReportFile } from './report-file.ts';
import { isAlone, isForPeople, type ReporterSpec } from './reporter-specs.ts';
import type { REPORTED } from './shared-options.ts';
import { findWebFolder } from './web-folder.ts';
import type { ReportSettings } from './with-reports.ts';

export interface Reports {
  readonly reporters: readonly Reporter[];
  /** Reporters that are not for a person at a terminal. */
  readonly documents: readonly Reporter[];
}

/** Opens the outputs of reporters, and keeps track of them. */
export class ReportOpener {
  hasFailed = false;
  /** A program reads stdout: nothing else may be written there. */
  readonly isParsed: boolean;
  private readonly context: CommandContext<typeof REPORTED>;
  private readonly specs: readonly ReporterSpec[];
  private readonly settings: ReportSettings;
  private readonly hasAnnotations: boolean;
  private readonly open = new Set<ReportFile>();
  private readonly written: ReporterSpec[] = [];

  constructor(
    context: CommandContext<typeof REPORTED>,
    asked: readonly ReporterSpec[],
    settings: ReportSettings,
  ) {
    this.context = context;
    this.settings = settings;
    this.isParsed = asked.some((spec) => isAlone(spec) && !isForPeople(spec));
    const isAsked = asked.some(({ name }) => name === 'github');
    const isGitHub = isOnGitHub(context.env);
    this.hasAnnotations = isAsked || settings.github === 'all';
    this.specs =
      !isAsked && isGitHub && settings.github !== 'nothing'
        ? [...asked, { name: 'github', isModule: false, file: undefined }]
        : asked;
  }

  async openAll(): Promise<Reports> {
    const reporters: Reporter[] = [];
    const documents: Reporter[] = [];
    for (const spec of this.specs) {
      const reporter = await this.openOne(spec);
      reporters.push(reporter);
      if (!isForPeople(spec) || spec.file !== undefined) documents.push(reporter);
    }
    return { reporters, documents };
  }

  /** What was written where, for a person who reads stdout. */
  writtenLines(): readonly string[] {
    if (this.isParsed) return [];
    const colors = chooseColors({ isTTY: this.context.stdout.isTTY, env: this.context.env });
    return this.written.map(
      ({ name, file }) => `${colors.bold('Report')} ${escapeLine(file ?? '')} ${colors.dim(`(${name})`)}\n`,
    );
  }

  discardRest(): void {
    for (const file of this.open) file.discard();
  }

  private async openOne(spec: ReporterSpec): Promise<Reporter> {
    const file = this.openFile(spec);
    const made = await this.make(spec, this.contextFor(spec, file));
    return this.attach(made, spec, file);
  }

  /** Before the first attempt: a run that may be long and cost money must not end without its report. */
  private openFile(spec: ReporterSpec): ReportFile | undefined {
    if (spec.file === undefined) return undefined;
    try {
      const file = new ReportFile(spec.file, this.settings.signal);
      this.open.add(file);
      return file;
    } catch (error) {
      throw new ReporterError(describeFailure(spec, error), 'nothing was started: choose another file');
    }
  }

  private async make({ name, isModule }: ReporterSpec, context: BuiltInContext): Promise<Reporter> {
    if (!isModule) return (await REPORTERS[name]!.load()).createReporter(context);
    const { write, options } = context;
    return (await loadReporter(name))({ write, options });
  }

  private contextFor(spec: ReporterSpec, file: ReportFile | undefined): BuiltInContext {
    const { stdout, stderr, env, redactor, program, onOtherOutput, options } = this.context;
    const output = !isAlone(spec) && this.isParsed ? stderr : stdout;
    const isText = !spec.isModule && REPORTERS[spec.name]!.isData !== true;
    const write = (text: string) => (file ?? output).write(isText ? redactor.text(text) : text);
    const isShown = file === undefined && output.isTTY;
    const colors = chooseColors({ isTTY: isShown, env: file === undefined ? env : {} });
    // A CI system may record a terminal: redrawn lines would fill its log.
    // A dumb terminal cannot go back to a line that it has shown.
    const isTTY = isShown && !isCi(env) && env['TERM'] !== 'dumb';
    const isTerminalFile = file !== undefined && isForPeople(spec);
    return {
      write,
      run: this,
      options: {
        file: spec.file,
        isTTY,
        get columns() {
          return output.columns;
        },
        durations: options.durations,
        verbosity: options.quiet ? 'quiet' : options.verbose ? 'verbose' : undefined,
      },
      colors,
      excerptAt: this.settings.ofRecords === true ? readExcerptInProject : readExcerpt,
      diagnostics: isTerminalFile
        ? { colors, write }
        : { colors: chooseColors({ isTTY: stderr.isTTY, env }), write: (text) => stderr.write(text) },
      github: this.githubFor(),
      isCi: isCi(env),
      program,
      onOtherOutput,
      resumeCommand: this.settings.resumeCommand,
      htmlOf: (directory) => this.htmlOf(directory),
    };
  }

  private async *htmlOf(directory: string): AsyncGenerator<string> {
    const { createHtmlReport } = await import('../show/view/html-report.ts');
    const { redactor } = this.context;
    const { recordedTargetComparisons } = await import('../api/baseline/target-comparisons.ts');
    const run = new RunDirectory(directory);
    yield* createHtmlReport(run, {
      projectRoot: findProjectRoot(process.cwd()),
      redactor,
      webFolder: findWebFolder(),
      comparisons: recordedTargetComparisons(run),
    });
  }

  private githubFor(): GitHubSurroundings {
    const { env } = this.context;
    return {
      workspace: env['GITHUB_WORKSPACE'] === '' ? undefined : env['GITHUB_WORKSPACE'],
      stepSummary: env['GITHUB_STEP_SUMMARY'] === '' ? undefined : env['GITHUB_STEP_SUMMARY'],
      hasAnnotations: this.hasAnnotations,
    };
  }

  /** The reporter with its file: replaced when the run has ended, unchanged if the reporter fails. */
  private attach(reporter: Reporter, spec: ReporterSpec, file: ReportFile | undefined): Reporter {
    return {
      onRunStart: (run) => reporter.onRunStart?.(run),
      onFinding: (finding) => reporter.onFinding?.(finding),
      onAttemptStart: (attempt) => reporter.onAttemptStart?.(attempt),
      onResult: (record) => reporter.onResult?.(record),
      onFleet: (fleet) => reporter.onFleet?.(fleet),
      onRunEnd: async (end) => {
        await reporter.onRunEnd?.(end);
        if (file === undefined) return;
        await file.commit();
        this.written.push(spec);
      },
      onError: (error) => {
        file?.discard();
        this.fail(spec, error);
      },
    };
  }

  private fail(spec: ReporterSpec, error: unknown): void {
    this.hasFailed = true;
    const { name, isModule, file } = spec;
    const again = `assay report ${isModule ? `--reporter ${name}=FILE` : `--${name} FILE`}`;
    const hint = this.settings.isRecorded
      ? `the run is recorded: write this report later with \`${again}\``
      : file === undefined
        ? 'the other reports are complete'
        : 'check the path';
    void printError(this.context.stderr, `${describeFailure(spec, error)}\n  hint: ${hint}`);
  }
}

function describeFailure({ name, file }: ReporterSpec, error: unknown): string {
  const what =
    file === undefined ? `the reporter ${name} failed` : `the ${name} report cannot be written to ${file}`;
  const message = error instanceof Error ? error.message : String(error);
  // The name of the draft means nothing to a user.
  return `${what}: ${message.replace(/, open '[^']*\.tmp'$/, '')}`;
}
