import { join, resolve } from 'node:path';
import { recordsOfTests } from '../runs/journal/records-of-tests.ts';
import type { RunDirectory } from '../runs/journal/run-directory.ts';
import type { Redactor } from '../base/match/redact-secrets.ts';
import type { AttemptRecord } from '../base/model/record.ts';
import { rerunOptions } from '../base/model/rerun-command.ts';
import type { BuiltInContext } from '../show/reporters/built-in-context.ts';
import { failureContext } from '../show/reporters/failure-context.ts';
import { failureBody, failureTitle } from '../show/reporters/failure-text.ts';
import { transcriptText } from '../show/reporters/transcript-lines.ts';
import { NO_COLORS } from '../show/reporters/colors.ts';

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

/**
 * What was recorded about a test: failures in full, and the conversation of attempts that passed. Of the newest of these runs that
 * has it; undefined if none has.
 */
export async function testDetails(
  runs: readonly RunDirectory[],
  { file, test }: TestName,
  { root, redactor, excerptAt }: DetailsContext,
): Promise<string | undefined> {
  for (const run of runs) {
    const found = recordsOfTests(run, { root, file: resolve(file), ids: new Set([test]) });
    if (found.length > 0) return details(run, worstFirst(found), { root, redactor, excerptAt });
  }
  return undefined;
}

async function details(
  run: RunDirectory,
  records: readonly AttemptRecord[],
  { root, redactor, excerptAt }: DetailsContext,
): Promise<string> {
  const description = run.description();
  const cwd = join(root, description?.cwd ?? '');
  const context = failureContext(
    { colors: NO_COLORS, excerptAt, program: 'npx assay' },
    { run_id: run.runId, cwd, asked: rerunOptions(description === undefined ? [] : [description]) },
  );
  const texts = records.slice(0, MAX_ATTEMPTS).map(async (record) => {
    const head = `${record.verdict} in run ${run.runId} (target ${record.target}, repeat ${record.repeat})`;
    const isBad = record.verdict === 'failed' || record.verdict === 'error';
    const body = isBad
      ? `${failureTitle(record, { colors: NO_COLORS })}\n${await failureBody(record, context)}`
      : transcriptText(record);
    return redactor.text([head, body.trimEnd(), ''].join('\n'));
  });
  const more = records.length - texts.length;
  const rest = more > 0 ? [`... and ${more} more attempts in this run\n`] : [];
  return [...(await Promise.all(texts)), ...rest].join('\n');
}

/** Those that did not pass first. */
function worstFirst(records: readonly AttemptRecord[]): readonly AttemptRecord[] {
  const isFine = ({ verdict }: AttemptRecord): number => Number(verdict !== 'failed' && verdict !== 'error');
  return records.toSorted((a, b) => isFine(a) - isFine(b));
}
