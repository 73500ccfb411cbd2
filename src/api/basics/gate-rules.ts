import { isDeepStrictEqual } from 'node:util';
import type { AssayConfig } from '../../config/config.ts';
import type { RunDirectory } from '../../journal/run-directory.ts';
import { rulesOfRun } from '../../journal/run-rules.ts';
import { fileFinding } from '../../load/read-suite-file.ts';
import type { Finding } from '../../model/finding.ts';
import {
  DEFAULT_ADAPTIVE_SHARE,
  DEFAULT_CONFIDENCE,
  DEFAULT_MAX_REPEATS,
  DEFAULT_MIN_COVERAGE,
  type AdaptiveRules,
  type GateRules,
} from '../../model/gate.ts';
import { formatPercent } from '../../model/percent.ts';
import { printJson } from '../../model/print-json.ts';
import { leastCapToHold } from '../../stats/sequential-gate.ts';
import type { RunOptions } from './run-options.ts';

type Asked = Pick<
  RunOptions,
  'repeats' | 'confidence' | 'maxRepeats' | 'minPassRate' | 'maxFlaky' | 'minCoverage'
>;

/** What a run must hold: what the command line says, else the config. */
export function gateRules(asked: Asked, { gates = {}, ...config }: AssayConfig): GateRules {
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
          // A rate of 0 asks for nothing, and every test needs something to be decided.
          pass_at_least: min_pass_rate || DEFAULT_ADAPTIVE_SHARE,
        }
      : undefined,
  };
}

/** What runs were asked to hold: the parts of one run were asked the same, or `otherRules` says so. */
export function rulesOf(runs: readonly RunDirectory[]): GateRules | undefined {
  return runs.map(rulesOfRun).find((rules) => rules !== undefined);
}

/** Runs that were asked to hold something else than the first: nobody knows what the whole must hold. */
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
    `this run was asked to hold other gates than ${first.run.runId}: ${printJson(other.rules)}, not ${printJson(first.rules)}`,
    'run every part with the same --min-pass-rate, --max-flaky, --min-coverage and config',
  );
}

/** A run that could never be green is said to be one before it costs anything. */
export function tooFewRepeats(adaptive: AdaptiveRules | undefined): Finding | undefined {
  if (adaptive === undefined) return undefined;
  const { confidence, max_repeats, pass_at_least: share } = adaptive;
  const needed = leastCapToHold({ share, confidence });
  if (needed !== undefined && needed <= max_repeats) return undefined;
  const finding = fileFinding(
    '',
    'too_few_repeats',
    `in ${max_repeats} attempts nobody can be ${formatPercent(confidence)} sure that a test passes ${formatPercent(share)} of the time, not even if all pass`,
    needed === undefined
      ? 'ask for less with --min-pass-rate'
      : `it takes ${needed}: say --max-repeats, or ask for less with --min-pass-rate or --confidence`,
  );
  return { ...finding, severity: 'warning' };
}
