import { allProblems } from '../../base/model/all-problems.ts';
import { ownText } from '../../base/model/own-text.ts';
import { inFileOrder, type RecordPlace } from '../../base/model/record-order.ts';
import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import { testKey } from '../../base/model/test-key.ts';
import { repeatWords } from './repeat-words.ts';

/** What is kept of a test that did not pass. */
export interface AgentFailure {
  readonly verdict: 'failed' | 'error';
  readonly file: string;
  /** Of the first thing that went wrong. */
  readonly line: number;
  readonly test: string;
  /** Whose failure it is, if the run has several targets. */
  readonly target?: string | undefined;
  readonly row?: AttemptRecord['row'];
  readonly problems: readonly AgentProblem[];
  /** How many more there were. */
  readonly hidden: number;
  /** For a repeated test: how often it passed. */
  readonly repeats?: string | undefined;
}

export interface AgentProblem {
  readonly name: string;
  readonly message: string;
  /** Of two texts that are compared. */
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** How many characters both begin with; what is left of them here is `MAX_SAME` at most. */
  readonly same?: number | undefined;
}

/** More tests are counted, not shown. */
const MAX_KEPT = 1000;
const MAX_PROBLEMS = 3;
/** No level of detail shows more of a value. */
const MAX_VALUE = 2000;

/** Tests that did not pass, one failure each. Records may have megabytes: only what can be shown is kept. */
export class AgentFailures {
  private readonly kept = new Map<string, AgentFailure>();
  private readonly targets = new Set<string>();
  private readonly left = new Set<string>();

  add(record: AttemptRecord): void {
    const { verdict, target } = record;
    this.targets.add(target);
    if (verdict !== 'failed' && verdict !== 'error') return;
    const key = testKey(record);
    const known = this.kept.get(key);
    // A failed claim says more about the test than an attempt that could not be measured.
    const isBetter = known?.verdict === 'error' && verdict === 'failed';
    if (known === undefined && this.kept.size >= MAX_KEPT) this.left.add(key);
    else if (known === undefined || isBetter) this.kept.set(key, failureOf(record, verdict));
  }

  get hasSeveralTargets(): boolean {
    return this.targets.size > 1;
  }

  /** How many tests are not in the list because there are too many. */
  leftOut(tests: readonly TestSummary[]): number {
    const isFine = ({ verdict }: TestSummary): boolean => verdict === 'passed';
    return this.left.size - tests.filter((test) => isFine(test) && this.left.has(testKey(test))).length;
  }

  /** In the order of the files and their lines. A test that passes as often as it must is not among them. */
  list(tests: readonly TestSummary[], files: readonly string[]): readonly AgentFailure[] {
    const decided = new Map(tests.map((test) => [testKey(test), test]));
    const positions = new Map(files.map((file, index) => [file, index]));
    const whose = (failure: AgentFailure): AgentFailure =>
      this.targets.size > 1 ? failure : { ...failure, target: undefined };
    const at = ({ file }: AgentFailure): number => positions.get(file) ?? files.length;
    return [
      ...[...this.kept].flatMap(([key, failure]) => {
        const test = decided.get(key);
        if (test?.verdict === 'passed') return [];
        return [
          { ...failure, repeats: test === undefined || test.attempts < 2 ? undefined : repeatWords(test) },
        ];
      }),
      ...tests.filter((test) => isOnlyUndecided(test) && !this.kept.has(testKey(test))).map(undecided),
    ]
      .map(whose)
      .toSorted((a, b) => at(a) - at(b) || inFileOrder(placeOf(a), placeOf(b)));
  }
}

function placeOf(failure: AgentFailure): RecordPlace {
  return { ...failure, column: 1, target: failure.target ?? '' };
}

function failureOf(record: AttemptRecord, verdict: AgentFailure['verdict']): AgentFailure {
  const { file, test, target, row } = record;
  const all = allProblems(record);
  const problems = all.slice(0, MAX_PROBLEMS).map(({ name, message, assertion }) => ({
    name: short(name),
    message: short(message),
    ...valuesOf(assertion),
  }));
  const line = all[0]?.line ?? record.line;
  return { verdict, file, line, test, target, row, problems, hidden: all.length - problems.length };
}

/**
 * Of texts that are compared, a coding agent can use more than a line has room for. Two that begin alike differ where it
 * matters: most of what both begin with is left out.
 */
function valuesOf(
  assertion: AssertionRecord | undefined,
): Pick<AgentProblem, 'expected' | 'actual' | 'same'> {
  if (typeof assertion?.expected !== 'string' || typeof assertion.actual !== 'string') return {};
  if (assertion.passed !== false || !assertion.message.startsWith('expected ')) return {};
  const { expected, actual } = assertion;
  const same = sameLength(expected, actual);
  const start = Math.max(0, same - MAX_SAME);
  return { expected: short(expected.slice(start)), actual: short(actual.slice(start)), same: same - start };
}

const MAX_SAME = 300;

function sameLength(one: string, other: string): number {
  let same = 0;
  const end = Math.min(one.length, other.length);
  while (same < end && one[same] === other[same]) same++;
  return same;
}

function short(text: string): string {
  return ownText(text.slice(0, MAX_VALUE));
}

/** No attempt went wrong, but there were too few of them. */
function isOnlyUndecided({ verdict, failed, error }: TestSummary): boolean {
  return verdict === 'error' && failed === 0 && error === 0;
}

function undecided({ file, line, test, target, gate, attempts, not_started }: TestSummary): AgentFailure {
  const message = gate?.message ?? `only ${attempts} of ${attempts + not_started} attempts were started`;
  return {
    verdict: 'error',
    file,
    line,
    test,
    target,
    problems: [{ name: gate === undefined ? 'not started' : 'pass_at_least', message }],
    hidden: 0,
  };
}
