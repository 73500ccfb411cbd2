import { openDocumentSuite, type Formats, type SuiteText } from '../formats/parse-suite.ts';
import { extname } from '../formats/path-names.ts';
import { openStepTestList } from '../formats/step-test-list.ts';
import { stepTestSuite } from '../formats/step-test.ts';
import type { SuiteReading } from '../formats/suite-reading.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Suite } from '../../base/model/suite.ts';
import type { Test } from '../../base/model/test.ts';
import { keepHeapSmall } from '../../base/system/small-heap.ts';
import { attachFiles } from './file-parts.ts';
import { knownFormats } from './known-formats.ts';
import { settleTest } from './load-suites.ts';
import { readSuiteFile, type SuiteFileText } from './read-suite-file.ts';
import { createRowFiles } from './row-files.ts';
import { hashSuite } from './hash-suite.ts';

/** A suite that may have many tests: a long list, or rows of a file. Its text is kept in memory, its tests are not. */
export interface LongSuite {
  readonly suite: Omit<Suite, 'tests'>;
  readonly hash: string;
  /** Rows of other files are part of it. */
  readonly hasRowFiles: boolean;
  readonly findings: readonly Finding[];
  batches(): Generator<readonly Test[]>;
}

const DOCUMENTS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);
const BATCH_TESTS = 16;

interface LongSuiteOptions {
  /** What is in the file, if it was read before. */
  readonly read?: SuiteFileText | undefined;
  readonly onTest?: (test: Test) => void;
  readonly formats?: Formats;
}

/**
 * Goes through all tests once, and passes each to `onTest`. Undefined for any other file: load that as a whole, and
 * ignore what `onTest` received. `root`: as for `loadSuite`.
 */
export function openLongSuite(
  file: string,
  root: string,
  { onTest = () => undefined, formats = knownFormats(), ...known }: LongSuiteOptions = {},
): LongSuite | undefined {
  if (!DOCUMENTS.has(extname(file).toLowerCase())) return undefined;
  const read = known.read ?? readSuiteFile(file);
  if ('finding' in read) return undefined;
  const rowPaths = new Set<string>();
  const text = { path: file, text: read.text, rowFiles: createRowFiles({ file, root }, rowPaths) };
  const opened = openList(text, root, formats) ?? openRows(text, root, formats);
  if (opened === undefined) return undefined;
  keepHeapSmall();
  const ofFiles: Finding[] = [];
  const reading = opened.tests();
  let next = reading.next();
  const hasTest = next.done !== true;
  for (; next.done !== true; next = reading.next()) {
    const { test, findings } = next.value;
    for (const finding of findings) ofFiles.push(finding);
    if (test !== undefined) onTest(test);
  }
  const ofText = next.value;
  // A list without a single test may be the file of another tool.
  if (ofText === undefined || !hasTest) return undefined;
  return {
    suite: opened.suite,
    hash: hashSuite(read.text, rowPaths),
    hasRowFiles: rowPaths.size > 0,
    findings: [...ofText, ...ofFiles],
    *batches() {
      let batch: Test[] = [];
      for (const { test } of opened.tests()) {
        if (test !== undefined) batch.push(test);
        if (batch.length < BATCH_TESTS) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}

interface SettledTest {
  readonly test?: Test;
  readonly findings: readonly Finding[];
}

interface OpenedSuite extends Pick<LongSuite, 'suite'> {
  /** Undefined at the end if the text must be read as a whole after all. */
  tests(): Generator<SettledTest, readonly Finding[] | undefined>;
}

function openList(text: Required<SuiteText>, root: string, formats: Formats): OpenedSuite | undefined {
  const { path: file, rowFiles } = text;
  const list = openStepTestList(text, { schemas: formats.stepTest, rowFiles });
  if (list === undefined) return undefined;
  return {
    suite: stepTestSuite(file),
    tests: () => settled(list.read(), (test) => settleTest(test, file, root)),
  };
}

function openRows(text: Required<SuiteText>, root: string, formats: Formats): OpenedSuite | undefined {
  // Most files are read once: those without the word need no second look.
  if (!/\beach\b/.test(text.text)) return undefined;
  const reading: SuiteReading | object = openDocumentSuite(text, formats);
  if (!('tests' in reading) || !reading.mayBeLong) return undefined;
  const { path: file } = text;
  return {
    suite: reading.suite,
    tests: () =>
      settled(reading.tests(), (test) => {
        const attached = attachFiles(test, { file, root });
        return attached.findings.length === 0 ? attached : { findings: attached.findings };
      }),
  };
}

function* settled<R>(
  tests: Generator<Test, R>,
  settle: (test: Test) => SettledTest,
): Generator<SettledTest, R> {
  try {
    let next = tests.next();
    for (; next.done !== true; next = tests.next()) yield settle(next.value);
    return next.value;
  } finally {
    // A file of rows may be open.
    tests.return(undefined as R);
  }
}
