import { createDatasetSuite, type Formats } from '../formats/parse-suite.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Suite } from '../../base/model/suite.ts';
import { isDataset } from '../../base/model/suite-lines.ts';
import type { Test } from '../../base/model/test.ts';
import { knownFormats } from './known-formats.ts';
import { loadSuite } from './load-suites.ts';
import { openLongSuite } from './open-long-suite.ts';
import { streamBatches } from './read-dataset.ts';
import { readSidecar } from './sidecars.ts';

/** A suite whose tests are not kept in memory if there may be many of them. */
export interface StreamedSuite extends Omit<Suite, 'tests'> {
  /** The tests that could be read. Iterate over them once. */
  batches(): Iterable<readonly Test[]> | AsyncIterable<readonly Test[]>;
}

/** A file as `loadSuite` loads it. A dataset has all its findings only after its tests were iterated over. */
export async function streamSuite(
  file: string,
  root: string,
  formats: Formats = knownFormats(),
): Promise<{ readonly suite: StreamedSuite | undefined; readonly findings: readonly Finding[] }> {
  if (isDataset(file)) return streamDatasetSuite(file, root, formats);
  const long = openLongSuite(file, root, { formats });
  if (long !== undefined) return { suite: { ...long.suite, batches: long.batches }, findings: long.findings };
  const { suite, findings } = await loadSuite(file, root, formats);
  return { suite: suite && held(suite), findings };
}

function held({ tests, ...suite }: Suite): StreamedSuite {
  return { ...suite, batches: () => [tests] };
}

function streamDatasetSuite(
  file: string,
  root: string,
  formats: Formats,
): { readonly suite: StreamedSuite; readonly findings: readonly Finding[] } {
  const sidecar = readSidecar(file, formats);
  const findings: Finding[] = [];
  const batches = async function* (): AsyncGenerator<readonly Test[]> {
    for await (const batch of streamBatches(file, { formats, root, sidecar })) {
      const tests: Test[] = [];
      for (const { test, findings: found } of batch) {
        if (test !== undefined) tests.push(test);
        for (const finding of found) findings.push(finding);
      }
      yield tests;
    }
  };
  const { tests: _tests, ...suite } = createDatasetSuite(file, sidecar, []);
  return { suite: { ...suite, batches }, findings };
}
