import type { StatedValue } from '../../checks/contract/assertion-kind.ts';
import { createAssertionKinds } from '../../checks/registry.ts';
import type { AssertionRecord, AttemptRecord, StepRecord } from '../../base/model/record.ts';
import { printJson } from '../../base/model/print-json.ts';
import { testOfFile } from '../../base/model/test-key.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';

/** An assertion of a failed test, and what all attempts of the test say about it. */
export interface FailedAssertion {
  /** Counts from 0; undefined for the whole test. */
  readonly step: number | undefined;
  readonly result: AssertionRecord;
  /** The path of its exact value; undefined if it requires none. */
  readonly states: StatedValue | undefined;
  /** It did not have the same result in every attempt. */
  readonly hasDisagreement: boolean;
  /** What the reply did not contain at all: nothing to learn from. */
  readonly missing: readonly ('tools_used' | 'memory')[];
}

export interface FailedTest {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly test: string;
  readonly row?: AttemptRecord['row'];
  readonly has_vars?: boolean | undefined;
  /** An attempt of it could not be measured. */
  readonly hasError: boolean;
  readonly assertions: readonly FailedAssertion[];
}

interface Collected extends Omit<FailedTest, 'assertions' | 'hasError'> {
  hasError: boolean;
  readonly outcomes: Map<string, Outcome>;
}

interface Outcome {
  readonly step: number | undefined;
  readonly results: AssertionRecord[];
  missing: FailedAssertion['missing'];
}

/** Keeps what a run says about failed tests. Of the others only their names. */
export class FailedTests implements Reporter {
  private readonly kinds = createAssertionKinds();
  private readonly passed = new Set<string>();
  private readonly collected = new Map<string, Collected>();

  onResult(record: AttemptRecord): void {
    const key = testOfFile(record.file, record.test);
    if (record.verdict === 'passed') this.passed.add(key);
    if (record.verdict !== 'failed' && record.verdict !== 'error') return;
    const { file, line, column, test, row, has_vars } = record;
    const known = this.collected.get(key) ?? {
      file,
      line,
      column,
      test,
      row,
      has_vars,
      hasError: false,
      outcomes: new Map(),
    };
    this.collected.set(key, known);
    known.hasError ||= record.verdict === 'error';
    for (const [number, step] of record.steps.entries())
      collect(known, number, { assertions: step.assertions, missing: missingIn(step) });
    collect(known, undefined, { assertions: record.assertions, missing: [] });
  }

  list(): readonly FailedTest[] {
    return [...this.collected].map(([key, { outcomes, ...test }]) => ({
      ...test,
      assertions: [...outcomes.values()].flatMap(({ step, results, missing }) => {
        const failed = results.find(({ passed }) => passed === false);
        if (failed === undefined) return [];
        const values = new Set(results.map(({ actual }) => printJson(actual)));
        const hasDisagreement = values.size > 1 || this.passed.has(key);
        const states = this.kinds.of(failed)?.states;
        return [{ step, result: failed, states, hasDisagreement, missing }];
      }),
    }));
  }
}

function collect(
  { outcomes }: Collected,
  step: number | undefined,
  { assertions, missing }: Pick<StepRecord, 'assertions'> & Pick<Outcome, 'missing'>,
): void {
  for (const [index, result] of assertions.entries()) {
    const key = `${step}/${index}`;
    const known = outcomes.get(key);
    if (known === undefined) outcomes.set(key, { step, results: [result], missing });
    else {
      known.results.push(result);
      known.missing = [...new Set([...known.missing, ...missing])];
    }
  }
}

function missingIn({ tools_used, memory = {} }: StepRecord): FailedAssertion['missing'] {
  return [
    ...(tools_used === undefined ? (['tools_used'] as const) : []),
    ...(Object.keys(memory).length === 0 ? (['memory'] as const) : []),
  ];
}
