import { AFTER_STOP, describeStop } from '../../base/model/describe-stop.ts';
import { costWords } from '../../base/model/cost-words.ts';
import { formatDuration } from '../../base/model/duration.ts';
import type { GateResult } from '../../base/model/gate.ts';
import { describeOtherCalls } from '../../base/model/other-calls-words.ts';
import { passRateWords } from '../../base/model/pass-rate-words.ts';
import { formatPercent } from '../../base/model/percent.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { SkillTriggers } from '../../base/model/skill-triggers.ts';
import { skillLines } from '../../base/model/skill-words.ts';
import type { RecordedCassettes, Summary, TestSummary } from '../../base/model/summary.ts';
import type { Colors } from './colors.ts';
import { safeNotes } from './selection-lines.ts';
import { cutToWidth, escapeLine, escapeShortLine } from './terminal-text.ts';

/** A test that takes longer than this is listed. */
const SLOW_MS = 300;
const SLOW_NAME_WIDTH = 50;
/** Nobody reads more names than this. */
const NAMES_SHOWN = 10;

export type SlowAttempt = Pick<AttemptRecord, 'test' | 'target'> & { readonly duration_ms: number };

export interface SummaryContext {
  readonly tests: readonly TestSummary[];
  readonly slowest: readonly SlowAttempt[];
  readonly colors: Colors;
  /** The run, if it was recorded: other commands take its id. */
  readonly run?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** The models' answers were replayed: nothing was paid for them. */
  readonly isReplayed?: boolean | undefined;
  /** What was recorded of model calls. */
  readonly cassettes?: RecordedCassettes | undefined;
  /** Some replies are from before: they were paid for then. */
  readonly hasEarlierReplies?: boolean | undefined;
  /** How many findings the files have, as a text. */
  readonly findings?: string | undefined;
}

type Row = readonly [label: string, text: string];

/** The results of a run, for people. Rates are shown only with repeats or gates. */
export function summaryLines(summary: Summary, context: SummaryContext): readonly string[] {
  const { colors } = context;
  const rows: Row[] = [
    ['Tests', testCounts(summary, context)],
    ...stopRows(summary, context),
    ...safeNotes(summary.selection).map(({ reason, text }, index): Row => [
      index === 0 ? 'Selection' : '',
      reason === 'only' ? colors.yellow(text) : text,
    ]),
    ...skillRows(summary),
    ...rateRows(summary, context),
    ...gateRows(summary, context),
    ...costRows(summary, context),
    ...cassetteRows(context),
    ['Time', formatDuration(summary.duration_ms)],
    ...slowRows(summary, context),
    ...runRows(context),
    ...(context.findings === undefined ? [] : [['Found', context.findings] as const]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = rows.map(
    ([label, text]) => `${colors.bold(label)}${' '.repeat(width - label.length)}${text}`,
  );
  for (const line of foreignLines(summary)) lines.push(line);
  if (summary.interrupted)
    lines.push(colors.yellow('Interrupted: tests that were still running are not counted.'));
  return lines;
}

function testCounts(summary: Summary, { colors, tests: repeated }: SummaryContext): string {
  const { tests, passed, failed, error, skipped, not_graded = 0, flaky, undecided, not_started } = summary;
  const parts = [
    failed > 0 ? colors.red(`${failed} failed`) : '',
    error - undecided > 0 ? colors.yellow(`${error - undecided} errored`) : '',
    undecided > 0 ? colors.yellow(`${undecided} inconclusive`) : '',
    passed > 0 ? colors.green(`${passed} passed`) : '',
    flaky > 0 ? colors.yellow(`${flaky} flaky`) : '',
    skipped > 0 ? colors.dim(`${skipped} skipped`) : '',
    not_graded > 0 ? colors.dim(`${not_graded} not graded`) : '',
    not_started > 0 ? colors.yellow(notStarted(summary, repeated)) : '',
  ].filter((part) => part !== '');
  return `${parts.length === 0 ? 'none ran' : parts.join(', ')} ${colors.dim(`(${tests})`)}`;
}

function skillRows({ skill_triggers, targets = [] }: Summary): Row[] {
  const rows = (label: string, triggers: SkillTriggers | undefined): Row[] =>
    triggers === undefined
      ? []
      : skillLines(triggers).map((line, index): Row => [index === 0 ? label : '', escapeLine(line)]);
  return [
    ...rows('Skills', skill_triggers),
    ...targets.flatMap(({ target, skill_triggers: own }) =>
      rows(`Skills of ${escapeShortLine(target)}`, own),
    ),
  ];
}

/** What other tools said, marked as theirs. */
function foreignLines({ foreign_scores = [] }: Summary): readonly string[] {
  return foreign_scores.map(({ name, attempts, mean, pass_rate, pass_hat_k = [] }) => {
    const error = pass_rate?.standard_error;
    const rate =
      pass_rate === undefined
        ? mean === undefined
          ? 'not a number'
          : `mean ${Number(mean.toFixed(4))}`
        : `${pass_rate.passed} of ${pass_rate.measured} passed${error === undefined ? '' : `, standard error ${error.toFixed(4)} clustered by test`}`;
    const powers = pass_hat_k.map(({ k, value }) => `pass^${k} ${formatPercent(value)}`).join(', ');
    const parts = [`${escapeLine(name)} of another tool: ${rate}`, powers].filter((part) => part !== '');
    return `${parts.join('; ')} (${count(attempts, 'attempt')}, decides nothing here)`;
  });
}

function stopRows({ stopped_targets = [] }: Summary, { colors }: SummaryContext): Row[] {
  return stopped_targets.flatMap((stopped): Row[] => [
    ['Stopped', colors.yellow(escapeLine(describeStop(stopped)))],
    ['', AFTER_STOP],
  ]);
}

/** Without repeats, an attempt is a test. */
export function notStarted(
  { not_started, attempts, tests }: Pick<Summary, 'not_started' | 'attempts' | 'tests'>,
  repeated: readonly TestSummary[] = [],
): string {
  const isSingle = attempts > 0 && attempts === tests && repeated.length === 0;
  return `${count(not_started, isSingle ? 'test' : 'attempt')} not started`;
}

function rateRows(
  { pass_rate, pass_at_k, pass_hat_k, gates, targets, attempts, skipped, not_graded = 0 }: Summary,
  { tests, colors }: SummaryContext,
): Row[] {
  if (pass_rate === undefined || (tests.length === 0 && gates.length === 0)) return [];
  const { measured, low, high } = pass_rate;
  const interval = colors.dim(`(95% confidence interval: ${formatPercent(low)} to ${formatPercent(high)})`);
  const errored = Math.max(0, attempts - skipped - not_graded - measured);
  const rows: Row[] = [['Pass rate', `${passRateWords(pass_rate, errored)} ${interval}`]];
  const atLeastOne = pass_at_k.at(-1);
  const all = pass_hat_k.at(-1);
  if (atLeastOne !== undefined && all !== undefined && all.k > 1) {
    const { k } = all;
    rows.push([
      `In ${k} tries`,
      `at least one passes ${formatPercent(atLeastOne.value)} ${colors.dim(`(pass@${k})`)}, all pass ${formatPercent(all.value)} ${colors.dim(`(pass^${k})`)}`,
    ]);
  }
  const flaky = tests.filter(({ is_flaky }) => is_flaky);
  if (flaky.length > 0) rows.push(['Flaky', named(flaky, { colors, targets })]);
  return rows;
}

/** Passed of measured, the worst first. */
function named(
  flaky: readonly TestSummary[],
  { colors, targets }: Pick<Summary, 'targets'> & { readonly colors: Colors },
): string {
  const shown = flaky
    .toSorted((a, b) => (a.pass_rate?.rate ?? 0) - (b.pass_rate?.rate ?? 0))
    .slice(0, NAMES_SHOWN)
    .map(
      ({ test, target, passed, failed }) =>
        `${escapeShortLine(test)}${targetText(target, targets)} ${colors.yellow(`${passed}/${passed + failed}`)}`,
    );
  const more = flaky.length - shown.length;
  return shown.join(', ') + (more > 0 ? colors.dim(` and ${more} more`) : '');
}

/** With several targets, a test is named with its own. */
function targetText(target: string, targets: Summary['targets']): string {
  return targets === undefined ? '' : ` [${escapeShortLine(target)}]`;
}

function gateRows({ gates, saved_attempts, rules }: Summary, { tests, colors }: SummaryContext): Row[] {
  const lines = gates.flatMap((gate) => [
    `${mark(gate.outcome, colors)} ${escapeLine(gate.message)}`,
    ...(gate.gate === 'pass_at_least' ? unheldTests(testsOf(gate, tests), colors) : []),
  ]);
  const rows = lines.map((line, index): Row => [index === 0 ? 'Gates' : '', line]);
  if (saved_attempts === undefined || rules.adaptive === undefined) return rows;
  const { max_repeats } = rules.adaptive;
  return [
    ...rows,
    ['Saved', `${count(saved_attempts, 'attempt')}, compared with ${max_repeats} for each test`],
  ];
}

/** With several targets, each has a gate of its own. */
function testsOf({ target }: GateResult, tests: readonly TestSummary[]): readonly TestSummary[] {
  return target === undefined ? tests : tests.filter((test) => test.target === target);
}

function unheldTests(tests: readonly TestSummary[], colors: Colors): readonly string[] {
  const unheld = tests.flatMap(({ test, gate }) =>
    gate === undefined || gate.outcome === 'held'
      ? []
      : [`  ${mark(gate.outcome, colors)} ${escapeShortLine(test)}: ${gate.message}`],
  );
  const more = unheld.length - NAMES_SHOWN;
  return [...unheld.slice(0, NAMES_SHOWN), ...(more > 0 ? [colors.dim(`  and ${more} more`)] : [])];
}

function mark(outcome: GateResult['outcome'], colors: Colors): string {
  if (outcome === 'held') return colors.green('✓');
  return outcome === 'broken' ? colors.red('✗') : colors.yellow('?');
}

function costRows(
  { cost_usd, judge_cost_usd, attempts_without_cost, other_calls }: Summary,
  { isReplayed, hasEarlierReplies }: SummaryContext,
): Row[] {
  const isUnknown = cost_usd === undefined && judge_cost_usd === undefined;
  const words = costWords({
    total: isUnknown ? undefined : (cost_usd ?? 0) + (judge_cost_usd ?? 0),
    judges: judge_cost_usd,
    attempts_without_cost,
    isReplayed,
    hasEarlierReplies,
  });
  const others = (other_calls ?? []).map((each) => escapeShortLine(describeOtherCalls(each)));
  return [
    ...(words === undefined ? [] : [['Cost', words] as const]),
    ...others.map((line, index): Row => [index === 0 ? 'Other' : '', line]),
  ];
}

function cassetteRows({ cassettes }: SummaryContext): Row[] {
  if (cassettes === undefined) return [];
  const { folder, files, exchanges } = cassettes;
  if (files === 0) return [['Cassettes', 'nothing recorded']];
  const calls = count(exchanges, 'model call');
  return [['Cassettes', `${calls} recorded in ${count(files, 'file')} in ${escapeShortLine(folder)}`]];
}

function runRows({ run, colors }: SummaryContext): Row[] {
  if (run === undefined) return [];
  const name = run.name === undefined ? '' : `  ${escapeShortLine(run.name)}`;
  return [['Run', `${colors.dim(escapeShortLine(run.id))}${name}`]];
}

function slowRows({ tests, targets }: Summary, { slowest, colors }: SummaryContext): Row[] {
  const slow = slowest.filter((record) => record.duration_ms >= SLOW_MS);
  if (slow.length === 0 || tests <= 1) return [];
  const names = slow.map(
    (record) =>
      `${cutToWidth(escapeShortLine(record.test), SLOW_NAME_WIDTH)}${targetText(record.target, targets)} ${colors.dim(formatDuration(record.duration_ms))}`,
  );
  return [['Slow', names.join(', ')]];
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
