import { extname } from '../formats/path-names.ts';
import { openStepTestList } from '../formats/step-test-list.ts';
import { stepTestSuite } from '../formats/step-test.ts';
import { hashHex } from '../match/hash-text.ts';
import type { Finding } from '../model/finding.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { knownFormats } from './known-formats.ts';
import { settleTest } from './load-suites.ts';
import { readSuiteFile } from './read-suite-file.ts';

/** A long list of step tests. Its text is kept in memory, its tests are not. */
export interface OpenStepTestList {
  readonly suite: Pick<Suite, 'file' | 'format' | 'dataset'>;
  readonly hash: string;
  readonly findings: readonly Finding[];
  batches(): Generator<readonly Test[]>;
}

const DOCUMENTS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);
const BATCH_TESTS = 16;

/**
 * Goes through all tests once, and passes each to `onTest`. Undefined for a file that is not a long list of step
 * tests: load it like any other, and ignore what `onTest` received. `root`: as for `loadSuite`.
 */
export function openStepTestListFile(
  file: string,
  root: string,
  onTest: (test: Test) => void = () => undefined,
): OpenStepTestList | undefined {
  if (!DOCUMENTS.has(extname(file).toLowerCase())) return undefined;
  const read = readSuiteFile(file);
  if ('finding' in read) return undefined;
  const list = openStepTestList({ path: file, text: read.text }, knownFormats().stepTest);
  if (list === undefined) return undefined;
  keepHeapSmall();
  const ofFiles: Finding[] = [];
  const reading = list.read();
  let next = reading.next();
  const hasTest = next.done !== true;
  for (; next.done !== true; next = reading.next()) {
    const { test, findings } = settleTest(next.value, file, root);
    for (const finding of findings) ofFiles.push(finding);
    if (test !== undefined) onTest(test);
  }
  const ofText = next.value;
  // A list without a single test may be the file of another tool.
  if (ofText === undefined || !hasTest) return undefined;
  return {
    suite: stepTestSuite(file),
    hash: hashHex(read.text),
    findings: [...ofText, ...ofFiles],
    *batches() {
      let batch: Test[] = [];
      for (const each of list.read()) {
        const { test } = settleTest(each, file, root);
        if (test !== undefined) batch.push(test);
        if (batch.length < BATCH_TESTS) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}
