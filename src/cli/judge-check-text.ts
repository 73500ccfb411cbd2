import type { CheckedExample } from '../api/check-judge/check-examples.ts';
import { isJudged, type CheckReport } from '../api/check-judge/check-report.ts';
import type { RunJudges } from '../api/check-judge/check-run-judges.ts';
import type { Colors } from '../show/reporters/colors.ts';
import { escapeLine } from '../show/reporters/terminal-text.ts';
import type { ShareInterval } from '../base/stats/wilson-interval.ts';
import { formatScore } from '../base/model/score-text.ts';

/** The same for the judges of a run, one after the other. */
export function runJudgesText(
  { run_id, labels, stale, disputed, unreadable, reports }: RunJudges,
  colors: Colors,
): string {
  const notes = [
    `${labels} labelled ${labels === 1 ? 'result' : 'results'} of the run ${run_id}`,
    stale === 0 ? '' : `${stale} of an earlier answer left out`,
    disputed === 0 ? '' : `${disputed} on which people differ, with the latest label`,
    unreadable === 0
      ? ''
      : `${unreadable} ${unreadable === 1 ? 'line' : 'lines'} of labels.jsonl could not be read`,
  ].filter((note) => note !== '');
  return [`${notes.join('; ')}\n`, ...reports.map((report) => judgeCheckText(report, colors))].join('\n');
}

/** The report for people: the numbers, then every example on which judge and people disagree. */
export function judgeCheckText(report: CheckReport, colors: Colors): string {
  const { judge, examples, errors, agreement, kappa, self_consistency, mean_absolute_error } = report;
  const rows: readonly (readonly [string, string])[] = [
    ['agreement', describeShare(agreement)],
    [
      "Cohen's kappa",
      kappa === undefined
        ? 'unknown: it needs examples that pass and examples that fail'
        : `${kappa.toFixed(2)}, ${describeKappa(kappa)}`,
    ],
    ['true positive rate', `${describeShare(report.true_positive_rate)} of what people pass`],
    ['true negative rate', `${describeShare(report.true_negative_rate)} of what people fail`],
    ['mean absolute error', mean_absolute_error === undefined ? 'unknown' : mean_absolute_error.toFixed(3)],
    [
      'self-consistency',
      self_consistency === undefined ? 'unknown: use --samples 2 or more' : self_consistency.toFixed(3),
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const unjudged = errors === 0 ? '' : colors.red(`, ${errors} without a verdict`);
  return [
    `${colors.bold(escapeLine(judge))} on ${examples} ${examples === 1 ? 'example' : 'examples'}${unjudged}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...problemLines(report.results, colors),
    '',
  ].join('\n');
}

function describeShare({ count, total, share, low, high }: ShareInterval): string {
  if (share === undefined) return 'unknown (no example)';
  return `${count}/${total} = ${percent(share)} (95%: ${percent(low!)} to ${percent(high!)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** The terms of Landis and Koch. */
function describeKappa(kappa: number): string {
  if (kappa < 0) return 'worse than chance';
  const words = ['slight', 'fair', 'moderate', 'substantial', 'almost perfect'];
  return `${words[Math.min(Math.floor(kappa * 5), 4)]} agreement`;
}

function problemLines(results: readonly CheckedExample[], colors: Colors): readonly string[] {
  const wrong = results.filter((result) => !isJudged(result) || result.label_passes !== result.passes);
  if (wrong.length === 0) return [];
  return ['', 'Where they differ:', ...wrong.map((result) => `  ${describeProblem(result, colors)}`)];
}

function describeProblem(result: CheckedExample, colors: Colors): string {
  const place = colors.cyan(result.id === undefined ? `line ${result.line}` : escapeLine(result.id));
  if (!isJudged(result)) return `${place} ${colors.red('no verdict')}: ${escapeLine(result.error)}`;
  const { label, score, passes, message } = result;
  const verdict = passes
    ? colors.yellow('passed by the judge only')
    : colors.yellow('failed by the judge only');
  return `${place} ${verdict} (label ${label}, score ${formatScore(score)}): ${escapeLine(message)}`;
}
