import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { CassetteUsageError } from '../basics/cassette-usage-error.ts';
import { rulesOf } from '../basics/gate-rules.ts';
import type { RunOptions } from '../basics/run-options.ts';

/** What decides how a run ends: a resumed run keeps its earlier options. */
type Deciding = Pick<
  RunOptions,
  | 'repeats'
  | 'confidence'
  | 'maxRepeats'
  | 'minPassRate'
  | 'maxFlaky'
  | 'minCoverage'
  | 'threshold'
  | 'baseline'
  | 'failOn'
  | 'passWithNoTests'
  | 'strict'
  | 'cassettes'
  | 'target'
>;

/** The options of a resumed run: those that are not given again stay as they were. */
export function resumeOptions(options: RunOptions, found: RunDirectory | undefined): RunOptions {
  const before = found?.description()?.options as Deciding | undefined;
  if (found === undefined || before === undefined) return options;
  const rules = rulesOf([found]);
  const adaptive = rules?.adaptive;
  const repeats = options.repeats ?? before.repeats ?? (adaptive === undefined ? undefined : 'auto');
  const isAdaptive = repeats === 'auto';
  return {
    ...options,
    repeats,
    confidence: options.confidence ?? (isAdaptive ? adaptive?.confidence : undefined),
    maxRepeats: options.maxRepeats ?? (isAdaptive ? adaptive?.max_repeats : undefined),
    minPassRate: options.minPassRate ?? rules?.min_pass_rate,
    maxFlaky: options.maxFlaky ?? rules?.max_flaky,
    minCoverage: options.minCoverage ?? rules?.min_coverage,
    target: options.target ?? (options.agent === undefined ? before.target : undefined),
    threshold: options.threshold ?? before.threshold,
    cassettes: sameCassettes(options.cassettes, before.cassettes ?? 'off'),
    baseline: options.baseline ?? before.baseline,
    failOn: options.failOn ?? before.failOn,
    passWithNoTests: options.passWithNoTests === true || before.passWithNoTests,
    strict: options.strict === true || before.strict,
  };
}

/** Results of one mode say nothing about another: what was live is not replayed. */
function sameCassettes(
  asked: RunOptions['cassettes'],
  before: NonNullable<RunOptions['cassettes']>,
): RunOptions['cassettes'] {
  if (asked !== undefined && asked !== before)
    throw new CassetteUsageError(
      `the run to resume was started with --cassettes ${before}, not ${asked}`,
      'leave out --resume to start a new run',
    );
  return before;
}
