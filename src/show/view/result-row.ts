import { isRecord } from '../../runs/journal/journal-reader.ts';
import { outlineOf } from '../../runs/journal/record-outline.ts';
import { assertionLabel, problemMessage } from '../../base/model/all-problems.ts';
import { cutText } from '../../base/model/cut-text.ts';
import type { Json } from '../../base/model/json.ts';
import type { EvaluatorScore, ResultRow } from '../../base/model/page-data.ts';
import type { GateRules } from '../../base/model/gate.ts';
import { meanDuration, meanScore, sumOfCosts, type TestResult } from '../../runs/fold/test-result.ts';
import { testVerdict } from '../../runs/fold/test-verdict.ts';
import { evaluatorScores, metadataFields } from './row-fields.ts';
import { failureCause } from '../../base/match/failure-cause.ts';
import { spendingOf } from '../../base/model/spending.ts';
import type { AssertionRecord, AttemptRecord, RecordOutline } from '../../base/model/record.ts';

/** A list shows the beginning; the whole is in the record. */
const MAX_TEXT = 300;

/** A line of a journal. `length`: of its JSON, without the checksum. */
interface RecordLine {
  readonly bytes: Buffer;
  readonly length: number;
}

interface ReadRow {
  readonly row: ResultRow;
  /** When the attempt ended. */
  readonly endedAt: number;
  /** The whole record, if it had to be parsed. Its numbers may be rounded. */
  readonly record?: AttemptRecord | undefined;
}

/** The row of a record in a journal line; undefined if the line has none. */
export function resultRow({ bytes, length }: RecordLine, index: number): ReadRow | undefined {
  // To parse everything at once takes less time than to find the parts around the steps, and then parse everything.
  let record = bytes.includes(EVALUATOR) ? parseWhole(bytes) : undefined;
  const outline = record ?? outlineOf(bytes, length);
  if (outline === undefined) return undefined;
  try {
    const row = toRow(outline, { bytes, index, whole: () => (record ??= parse(bytes)) });
    return { row, record, endedAt: Date.parse(outline.started_at) + (outline.duration_ms ?? 0) };
  } catch {
    // Its steps are damaged.
    return undefined;
  }
}

function parseWhole(bytes: Buffer): AttemptRecord | undefined {
  try {
    const record = parse(bytes);
    return isRecord(record as unknown as Json) &&
      Array.isArray(record.steps) &&
      Array.isArray(record.assertions)
      ? record
      : undefined;
  } catch {
    return undefined;
  }
}

/** Only strings and costs are taken from it, so it does not matter whether its numbers are exact. */
function parse(bytes: Buffer): AttemptRecord {
  return JSON.parse(bytes.toString('utf8')) as AttemptRecord;
}

interface RowContext {
  readonly bytes: Buffer;
  readonly index: number;
  readonly whole: () => AttemptRecord;
}

function toRow(outline: RecordOutline, { bytes, index, whole }: RowContext): ResultRow {
  const { id, file, test, description, tags, target, repeat, verdict, score } = outline;
  const { token_usage, duration_ms, pass_at_least } = outline;
  return {
    index,
    id,
    file,
    line: outline.line,
    test,
    description: typeof description === 'string' ? shorten(description) : undefined,
    tags: Array.isArray(tags) ? tags : [],
    target,
    repeat,
    verdict,
    score,
    ...checksOf(outline, bytes, whole),
    token_usage,
    ...costOf(needsSteps(outline, bytes) ? whole() : withoutSteps(outline)),
    duration_ms,
    pass_at_least,
    error_kind: outline.error?.kind,
    metadata_fields: metadataFields(outline.metadata),
  };
}

/** An attempt that broke off has no sum: then its finished steps are added up. */
function needsSteps({ cost_usd, judge_calls, judge_cost_usd }: RecordOutline, bytes: Buffer): boolean {
  const isJudgeUnknown = judge_calls !== undefined && judge_cost_usd === undefined;
  return isJudgeUnknown || (cost_usd === undefined && bytes.includes(COST));
}

const COST = '"cost_usd":';

function withoutSteps(outline: RecordOutline): Parameters<typeof spendingOf>[0] {
  const { cost_usd, retries_cost_usd, judge_cost_usd, judge_calls } = outline;
  return { steps: [], assertions: [], cost_usd, retries_cost_usd, judge_cost_usd, judge_calls };
}

function costOf(record: Parameters<typeof spendingOf>[0]): Pick<ResultRow, 'cost_usd' | 'judge_cost_usd'> {
  const { agent, judges } = spendingOf(record);
  if (judges === undefined) return { cost_usd: agent };
  return { cost_usd: (agent ?? 0) + judges, judge_cost_usd: judges };
}

/** The row with its test so far: set only where the test is not like this attempt. */
export function withTest(row: ResultRow, test: TestResult, rules: GateRules): ResultRow {
  const { of_test: _before, ...own } = row;
  const { verdict, isFlaky } = testVerdict(test, rules);
  if (verdict === row.verdict && test.attempts.length === 1) return own;
  const { passed, failed } = test;
  return {
    ...own,
    of_test: {
      verdict,
      is_flaky: isFlaky,
      passed,
      failed,
      score: meanScore(test),
      cost_usd: sumOfCosts(test),
      duration_ms: meanDuration(test),
    },
  };
}

interface Checks {
  readonly problem?: string | undefined;
  readonly cause?: string | undefined;
  readonly evaluators?: readonly EvaluatorScore[] | undefined;
}

/** In a string its quotes would be escaped. */
const EVALUATOR = '"form":"evaluator"';

/** What its assertions say. They are parsed only if a list shows something of them. */
function checksOf(
  { verdict, error, threshold }: RecordOutline,
  bytes: Buffer,
  whole: () => AttemptRecord,
): Checks {
  const isGood = verdict !== 'failed' && verdict !== 'error';
  const hasEvaluators = bytes.includes(EVALUATOR);
  const stop = isGood || error === undefined ? undefined : shorten(String(error.message));
  if (!hasEvaluators && isGood) return {};
  const { steps, assertions } = whole();
  const all = [...steps.flatMap((step) => step.assertions), ...assertions];
  const failed = isGood ? undefined : firstFailed(all);
  return {
    cause: isGood ? undefined : failureCause(whole()),
    problem:
      stop ?? (failed && shorten(`${assertionLabel(failed)}: ${problemMessage(failed, { threshold })}`)),
    evaluators: hasEvaluators ? evaluatorScores(all) : undefined,
  };
}

/** In the order of the steps, those of the whole test last; failed ones before those that only lowered the score. */
function firstFailed(all: readonly AssertionRecord[]): AssertionRecord | undefined {
  return all.find(({ passed }) => passed === false) ?? all.find(({ score = 1 }) => score < 1);
}

function shorten(text: string): string {
  if (text.length <= MAX_TEXT && !/[^\S ]/.test(text)) return text;
  const line = text
    .slice(0, 4 * MAX_TEXT)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cutText(line, MAX_TEXT);
}
