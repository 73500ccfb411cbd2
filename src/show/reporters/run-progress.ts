import type { AttemptRecord } from '../../base/model/record.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import { attemptDot, attemptLine, attemptTranscript, type AttemptLineContext } from './attempt-lines.ts';
import type { Colors } from './colors.ts';
import { FileProgress } from './file-progress.ts';
import { StartOrder } from './start-order.ts';

/**
 * What is shown of a run before it ends: a line per file, a line per attempt (`tests`), what each attempt said
 * (`transcripts`), a character per attempt, or nothing.
 */
export type ProgressStyle = 'files' | 'tests' | 'transcripts' | 'dots' | 'nothing';

interface ProgressContext {
  readonly style: ProgressStyle;
  readonly colors: Colors;
  readonly columns: number;
  readonly planned: ReadonlyMap<string, number> | undefined;
  /** The names of the run's targets, if it has several. */
  readonly targets: readonly string[] | undefined;
}

/** The texts of a running run, in the order of its files, whatever ends first. */
export class RunProgress {
  private readonly context: ProgressContext;
  private readonly files: FileProgress;
  private readonly attempts = new StartOrder();
  private readonly targets: Set<string>;
  private dots = 0;

  constructor(context: ProgressContext) {
    this.context = context;
    this.files = new FileProgress(context.planned);
    this.targets = new Set(context.targets);
  }

  began(id: string): void {
    if (this.style !== 'files' && this.style !== 'nothing') this.attempts.began(id);
  }

  ended(record: AttemptRecord): string {
    const { colors } = this.context;
    if (this.style === 'nothing') return '';
    if (this.style === 'files') return asLines(this.files.add(record, colors));
    this.targets.add(record.target);
    return this.joined(this.attempts.ended(record.id, this.textOf(record)));
  }

  /** `isCut`: the run stopped before its end. */
  rest(isCut: boolean, tests: readonly TestSummary[]): string {
    if (this.style === 'nothing') return '';
    const undecided = new Set(
      tests.flatMap(({ file, gate }) => (gate?.outcome === 'undecided' ? [file] : [])),
    );
    if (this.style === 'files') return asLines(this.files.rest(this.context.colors, { isCut, undecided }));
    return this.joined(this.attempts.rest()) + this.endLine();
  }

  /** Ends a line of dots, before something else is written. */
  endLine(): string {
    if (this.dots === 0) return '';
    this.dots = 0;
    return '\n';
  }

  private get style(): ProgressStyle {
    return this.context.style;
  }

  private textOf(record: AttemptRecord): string {
    const { colors } = this.context;
    const context: AttemptLineContext = { colors, hasTargets: this.targets.size > 1 };
    if (this.style === 'dots') return attemptDot(record.verdict, colors);
    return this.style === 'tests' ? attemptLine(record, context) : attemptTranscript(record, context);
  }

  private joined(texts: readonly string[]): string {
    if (this.style !== 'dots') return asLines(texts);
    return texts
      .map((dot) => {
        this.dots = (this.dots + 1) % Math.min(80, this.context.columns);
        return this.dots === 0 ? `${dot}\n` : dot;
      })
      .join('');
  }
}

function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
