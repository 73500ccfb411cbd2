import type { PassAtLeast } from '../../src/base/model/pass-at-least.ts';
import { foldText } from '../../src/base/model/fold-text.ts';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import type { Verdict } from '../../src/base/model/record.ts';
import { testKey } from '../../src/base/model/test-key.ts';

/** A test of one target with its repeats so far: a row of a run's list. */
export interface TestRow {
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly target: string;
  /** How many attempts did. */
  readonly passed: number;
  readonly failed: number;
  readonly passAtLeast?: PassAtLeast | undefined;
  /** By repeat. */
  readonly attempts: readonly ResultRow[];
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly verdict: Verdict;
  readonly isFlaky: boolean;
  readonly problem?: string | undefined;
  /** The mean of the measured ones. */
  readonly score?: number | undefined;
  /** Over all repeats, as far as it is known; undefined if none of them reports it. */
  readonly costUsd?: number | undefined;
  /** The mean of the repeats. */
  readonly durationMs: number | undefined;
  /** What a search looks through besides the conversation, as it is compared. */
  readonly searchText: string;
}

/** What a rerun probably costs: as much as the last time. */
export interface Estimate {
  readonly attempts: number;
  readonly costUsd: number | undefined;
}

/** The rows of a run's list, while its attempts come in. Their results come from the server, with the last attempt. */
export class TestRows {
  readonly list: TestRow[] = [];
  /** Where each test is in the list. */
  private readonly places = new Map<string, number>();

  add(attempt: ResultRow): void {
    const key = testKey(attempt);
    const place = this.places.get(key) ?? this.list.length;
    if (place === this.list.length) this.places.set(key, place);
    this.list[place] = testRow(key, attempt, withAttempt(this.list[place]?.attempts ?? [], attempt));
  }
}

/** In the order of the repeats. What is drawn does not change: it is a new list. */
function withAttempt(attempts: readonly ResultRow[], added: ResultRow): readonly ResultRow[] {
  if (attempts.length === 0) return [added];
  const others = attempts.filter(({ repeat }) => repeat !== added.repeat);
  const place = others.findLastIndex(({ repeat }) => repeat < added.repeat) + 1;
  return others.toSpliced(place, 0, added);
}

function testRow(key: string, last: ResultRow, attempts: readonly ResultRow[]): TestRow {
  const opened = attemptToOpen(attempts);
  const { verdict, score, cost_usd, duration_ms } = last.of_test ?? last;
  return {
    key,
    file: last.file,
    line: last.line,
    test: last.test,
    target: last.target,
    passed: last.of_test?.passed ?? (verdict === 'passed' ? 1 : 0),
    failed: last.of_test?.failed ?? (verdict === 'failed' ? 1 : 0),
    passAtLeast: last.pass_at_least,
    attempts,
    description: opened.description,
    tags: opened.tags,
    verdict,
    isFlaky: last.of_test?.is_flaky === true,
    problem: opened.problem,
    score,
    costUsd: cost_usd,
    durationMs: duration_ms,
    searchText: searchTextOf(opened),
  };
}

function searchTextOf({ test, description, problem, tags, file, target }: ResultRow): string {
  const labels = tags.length === 0 ? '' : tags.join('\0');
  return foldText([test, description ?? '', problem ?? '', labels, file, target].join('\0'));
}

/** The repeat to show first: one that failed, else one with an error, else the first. */
export function attemptToOpen(attempts: readonly ResultRow[]): ResultRow {
  return (
    attempts.find(({ verdict }) => verdict === 'failed') ??
    attempts.find(({ verdict }) => verdict === 'error') ??
    attempts[0]!
  );
}

/** Whether a test did not pass. */
export function isBad({ verdict }: TestRow): boolean {
  return verdict === 'failed' || verdict === 'error';
}

/** How many attempts tests have, and what they cost, as far as known. */
export function estimateOf(rows: readonly TestRow[]): Estimate {
  return {
    attempts: rows.reduce((count, { attempts }) => count + attempts.length, 0),
    costUsd: sumOfKnown(rows.map(({ costUsd }) => costUsd)),
  };
}

/** Without judges: what the target itself took, as far as known. */
export function agentCost({ attempts }: TestRow): number | undefined {
  return sumOfKnown(attempts.map(agentCostOf));
}

/** Undefined if none is known. */
function sumOfKnown(costs: readonly (number | undefined)[]): number | undefined {
  const known = costs.filter((cost) => cost !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}

/** Whether an attempt of the test replied and did not report its cost, so the sum is too low. */
export function lacksCost({ attempts }: TestRow): boolean {
  return attempts.some(
    (attempt) =>
      (attempt.verdict === 'passed' || attempt.verdict === 'failed') && agentCostOf(attempt) === undefined,
  );
}

/** A cost that is all for judges says nothing about the agent. */
function agentCostOf({ cost_usd, judge_cost_usd }: ResultRow): number | undefined {
  if (cost_usd === undefined || judge_cost_usd === undefined) return cost_usd;
  return cost_usd > judge_cost_usd ? cost_usd - judge_cost_usd : undefined;
}
