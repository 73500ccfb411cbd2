import { join, relative } from 'node:path';
import { createReplayAgent } from '../agents/replay-agent.ts';
import { createAssertionKinds } from '../assertions/registry.ts';
import { TargetResolver } from '../config/target-resolver.ts';
import { readRecordAt } from '../journal/journal-reader.ts';
import { latestEntries } from '../journal/latest-entries.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import { openSuites, type OpenSuite } from '../load/open-suites.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import type { Test } from '../model/test.ts';
import { fingerprint } from '../run/fingerprint.ts';
import type { PlannedAttempt } from '../run/plan.ts';
import { runTests } from '../run/run-tests.ts';
import { DEFAULT_THRESHOLD } from '../run/verdict.ts';
import { exitCodeOf } from './exit-code.ts';
import { createTeller } from './tell-reporters.ts';
import type { RunOptions, RunResult } from './run.ts';
import { createSurroundings } from './surroundings.ts';

export interface GradeOptions extends Pick<
  RunOptions,
  'reporters' | 'signal' | 'threshold' | 'allowScripts' | 'useCache'
> {
  readonly run: RunDirectory;
  readonly projectRoot: string;
}

/** Evaluates today's assertions on the replies a run recorded. No agent is called. */
export async function gradeRun({
  run,
  projectRoot,
  reporters = [],
  signal,
  threshold = DEFAULT_THRESHOLD,
  allowScripts = false,
  useCache = true,
}: GradeOptions): Promise<Omit<RunResult, 'records'>> {
  const tell = createTeller(reporters);
  const files = run.description().files.map(({ file }) => relative(process.cwd(), join(projectRoot, file)));
  const { suites, findings } = await openSuites(files);
  const allFindings: Finding[] = [];
  const find = (finding: Finding): void => {
    allFindings.push(finding);
    tell('onFinding', finding);
  };
  tell('onRunStart', { run_id: run.runId, agents: [] });
  for (const finding of findings) find(finding);
  const summary = await runTests(
    {
      attempts: recordedAttempts(run, suites, threshold),
      kinds: createAssertionKinds(),
      surroundings: createSurroundings({
        resolver: new TargetResolver({}, process.cwd(), process.env),
        projectRoot,
        allowScripts,
        useCache,
      }),
      hasRepeats: true,
      workers: 8,
      timeoutMs: 600_000,
      threshold,
      signal: signal ?? new AbortController().signal,
    },
    { onResult: (record) => tell('onResult', record), onFinding: find },
  );
  const exit_code = exitCodeOf({ summary, hasErrors: hasErrors(allFindings), passWithNoTests: false });
  for (const reporter of reporters) await reporter.onRunEnd?.({ summary, exit_code, directory: run.path });
  return { run_id: run.runId, exit_code, summary, findings: allFindings };
}

/** The attempts of a run whose tests are still there, each with an agent that answers as it did. */
async function* recordedAttempts(
  run: RunDirectory,
  suites: readonly OpenSuite[],
  threshold: number,
): AsyncGenerator<PlannedAttempt> {
  const tests = new Map<string, Test>();
  for (const suite of suites)
    for await (const test of suite.tests()) tests.set(`${suite.file}::${test.id}`, test);
  for (const entry of latestEntries(run.journalPath).values()) {
    const test = tests.get(`${entry.file}::${entry.test}`);
    if (test === undefined) continue;
    const record = readRecordAt(run.journalPath, entry);
    const { id, file, target, repeat } = record;
    const skipped = record.verdict === 'skipped' ? (record.skip_reason ?? '') : undefined;
    yield {
      id,
      file,
      test,
      target,
      repeat,
      agent: createReplayAgent(record),
      fingerprint: fingerprint(test, `${target} ${threshold}`),
      skipped,
    };
  }
}
