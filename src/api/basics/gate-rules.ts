import { isDeepStrictEqual } from 'node:util';
import type { AssayConfig } from '../../suites/config/config.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { rulesOfRun } from '../../runs/journal/run-rules.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import {
  DEFAULT_ADAPTIVE_SHARE,
  DEFAULT_CONFIDENCE,
  DEFAULT_MAX_REPEATS,
  DEFAULT_MIN_COVERAGE,
  type AdaptiveRules,
  type GateRules,
} from '../../base/model/gate.ts';
import { formatPercent } from '../../base/model/percent.ts';
import { printJson } from '../../base/model/print-json.ts';
import { leastCapToHold } from '../../base/stats/sequential-gate.ts';
import type { RunOptions } from './run-options.ts';

type GateOptions = Pick<
  RunOptions,
  'repeats' | 'confidence' | 'maxRepeats' | 'minPassRate' | 'maxFlaky' | 'minCoverage'
>;

/** The gates of a run: from the command line, else from the config. */
export function gateRules(asked: GateOptions, { gates = {}, ...config }: AssayConfig): GateRules {
  const min_pass_rate = asked.minPassRate ?? gates.min_pass_rate;
  const isAdaptive = (asked.repeats ?? config.repeats) === 'auto';
  return {
    min_pass_rate,
    max_flaky: asked.maxFlaky ?? gates.max_flaky,
    min_coverage: asked.minCoverage ?? gates.min_coverage ?? DEFAULT_MIN_COVERAGE,
    adaptive: isAdaptive
      ? {
          confidence: asked.confidence ?? config.confidence ?? DEFAULT_CONFIDENCE,
          max_repeats: asked.maxRepeats ?? config.max_repeats ?? DEFAULT_MAX_REPEATS,
          // A rate of 0 requires nothing, but a test needs something to decide.
          pass_at_least: min_pass_rate || DEFAULT_ADAPTIVE_SHARE,
        }
      : undefined,
  };
}

/** The gates that runs were started with: the parts of one run have the same, or `otherRules` reports it. */
export function rulesOf(runs: readonly RunDirectory[]): GateRules | undefined {
  return runs.map(rulesOfRun).find((rules) => rules !== undefined);
}

/** Runs that were started with other gates than the first: then the gates of the whole are unknown. */
export function otherRules(runs: readonly RunDirectory[]): Finding | undefined {
  const asked = runs.flatMap((run) => {
    const rules = rulesOfRun(run);
    return rules === undefined ? [] : [{ run, rules }];
  });
  const [first, ...others] = asked;
  const other = others.find(({ rules }) => !isDeepStrictEqual(rules, first!.rules));
  if (first === undefined || other === undefined) return undefined;
  return fileFinding(
    other.run.path,
    'rules_differ',
    `this run has other gates than ${first.run.runId}: ${printJson(other.rules)}, not ${printJson(first.rules)}`,
    'run every part with the same --min-pass-rate, --max-flaky, --min-coverage and config',
  );
}

/** A run that could never be green is reported before it costs anything. */
export function tooFewRepeats(adaptive: AdaptiveRules | undefined): Finding | undefined {
  if (adaptive === undefined) return undefined;
  const { confidence, max_repeats, pass_at_least: share } = adaptive;
  const needed = leastCapToHold({ share, confidence });
  if (needed !== undefined && needed <= max_repeats) return undefined;
  const finding = fileFinding(
    '',
    'too_few_repeats',
    `${max_repeats} attempts cannot show with ${formatPercent(confidence)} confidence that a test passes ${formatPercent(share)} of the time, not even if all pass`,
    needed === undefined
      ? 'lower --min-pass-rate'
      : `it takes ${needed}: raise --max-repeats, or lower --min-pass-rate or --confidence`,
  );
  return { ...finding, severity: 'warning' };
}
