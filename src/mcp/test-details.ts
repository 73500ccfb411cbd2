import { join, relative, resolve } from 'node:path';
import picocolors from 'picocolors';
import { readJournal } from '../journal/journal-reader.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import type { Redactor } from '../match/redact-secrets.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { BuiltInContext } from '../reporters/built-in-context.ts';
import { failureContext } from '../reporters/failure-context.ts';
import { failureBody, failureTitle } from '../reporters/failure-text.ts';
import { transcriptText } from '../reporters/transcript-lines.ts';

/** More repeats of one test say little. */
const MAX_ATTEMPTS = 3;

export interface TestName {
  readonly file: string;
  readonly test: string;
}

interface DetailsContext {
  readonly root: string;
  readonly redactor: Redactor;
  readonly excerptAt: BuiltInContext['excerptAt'];
}

/** What a run recorded about a test: failures in full, and the conversation of attempts that passed. */
export async function testDetails(
  run: RunDirectory,
  name: TestName,
  { root, redactor, excerptAt }: DetailsContext,
): Promise<string> {
  const cwd = join(root, run.description()?.cwd ?? '');
  const records = recordsOf(run, cwd, name);
  if (records.length === 0) return `The run ${run.runId} has no result of this test.\n`;
  const context = failureContext(
    { colors: NO_COLORS, excerptAt, program: 'npx assay' },
    { run_id: run.runId, cwd },
  );
  const texts = records.map(async (record) => {
    const head = `${record.verdict} in run ${run.runId} (target ${record.target}, repeat ${record.repeat})`;
    const isBad = record.verdict === 'failed' || record.verdict === 'error';
    const body = isBad
      ? `${failureTitle(record, { colors: NO_COLORS })}\n${await failureBody(record, context)}`
      : transcriptText(record);
    return redactor.text(`${head}\n${body}`);
  });
  return (await Promise.all(texts)).join('\n');
}

const NO_COLORS = picocolors.createColors(false);

/** The newest record of each attempt; those that did not pass first. */
function recordsOf(run: RunDirectory, cwd: string, { file, test }: TestName): readonly AttemptRecord[] {
  const newest = new Map<string, AttemptRecord>();
  for (const { record } of readJournal(run.journalPath))
    if (record.test === test && relative(resolve(file), resolve(cwd, record.file)) === '')
      newest.set(record.id, record);
  const isFine = ({ verdict }: AttemptRecord): number =>
    Number(verdict === 'passed' || verdict === 'skipped');
  return [...newest.values()].toSorted((a, b) => isFine(a) - isFine(b)).slice(0, MAX_ATTEMPTS);
}
