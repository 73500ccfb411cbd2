import { ownText } from '../model/own-text.ts';
import type { AttemptRecord, Verdict } from '../model/record.ts';
import type { TestSummary } from '../model/summary.ts';
import { testKey } from '../model/test-key.ts';
import type { Colors } from './colors.ts';
import { failureBody, failureTitle, type FailureContext } from './failure-text.ts';

/** More failures than this are counted, not shown: nobody reads them, and they would fill the memory. */
const MAX_FAILURES_SHOWN = 100;

/** What is shown of a failure, and nothing else of its record, which may have megabytes. */
interface Failure {
  readonly verdict: Verdict;
  readonly repeat: number;
  readonly title: string;
  readonly body: Promise<string>;
}

/** Attempts that did not pass, one of each test: its repeats mostly fail alike. */
export class FailureList {
  private readonly first = new Map<string, Failure>();
  private hidden = 0;

  /** A promise resolves when nothing more of the record is needed. */
  add(record: AttemptRecord, context: FailureContext): void | Promise<void> {
    const { verdict, repeat } = record;
    if (verdict !== 'failed' && verdict !== 'error') return undefined;
    const key = testKey(record);
    const known = this.first.get(key);
    // A failed claim says more about the test than an attempt that could not be measured.
    const isBetter = known !== undefined && known.verdict === 'error' && verdict === 'failed';
    if (isBetter || (known === undefined && this.first.size < MAX_FAILURES_SHOWN)) {
      const title = ownText(failureTitle(record, context.colors));
      const body = failureBody(record, context);
      this.first.set(key, { verdict, repeat, title, body });
      return body.then(() => {});
    }
    if (known === undefined) this.hidden++;
    return undefined;
  }

  /** A test that passes as often as it must has no failures. */
  async *texts(tests: readonly TestSummary[], colors: Colors): AsyncGenerator<string> {
    const byKey = new Map(tests.map((test) => [testKey(test), test]));
    for (const [key, failure] of this.first) {
      const test = byKey.get(key);
      if (test?.verdict === 'passed') continue;
      const head = [
        `${labelOf(failure, test, colors)} ${failure.title}`,
        ...repeatLines(failure, test, colors),
      ];
      yield `${head.join('\n')}\n${await failure.body}`;
    }
  }

  get hiddenCount(): number {
    return this.hidden;
  }
}

function labelOf({ verdict }: Failure, test: TestSummary | undefined, colors: Colors): string {
  if (verdict === 'error') return colors.yellow(colors.bold('ERROR'));
  return test?.verdict === 'error'
    ? colors.yellow(colors.bold('UNDECIDED'))
    : colors.red(colors.bold('FAIL'));
}

/** For a repeated test: how often it passed, and which attempt this is. */
function repeatLines({ repeat }: Failure, test: TestSummary | undefined, colors: Colors): readonly string[] {
  if (test === undefined || test.attempts < 2) return [];
  const { passed, failed, error, attempts } = test;
  const errors = error === 0 ? '' : `, ${error} could not be measured`;
  const passes = `passed ${passed} of ${passed + failed}${errors}`;
  return [colors.dim(`  ${passes}; attempt ${repeat} of ${attempts}:`)];
}
