import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../base/match/redact-secrets.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { allProblems } from '../../base/model/all-problems.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { printJson } from '../../base/model/print-json.ts';
import { RecordFile } from '../../runs/journal/record-file.ts';
import { testsOfJournal } from '../../runs/journal/record-places.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { withDotEnv } from '../../suites/config/dot-env.ts';
import { isPromotable, promotedTest } from './promoted-test.ts';

export interface PromoteOptions {
  readonly run: RunDirectory;
  readonly projectRoot: string;
  /** A test, `test#2` for its second repeat, or the id of an attempt; all of them by default. */
  readonly test?: string | undefined;
  /** Only what did not pass, once for each reason. */
  readonly isFailed?: boolean | undefined;
  /** The folder for the files. */
  readonly folder: string;
}

export interface Promotion {
  readonly file: string;
  /** The file is already there, and stays as it is. */
  readonly isKnown: boolean;
  readonly reason?: string | undefined;
}

/** Writes tests from recorded attempts, one file each. A file that is there is never written again. */
export function promoteRun({
  run,
  projectRoot,
  test,
  isFailed = false,
  folder,
}: PromoteOptions): readonly Promotion[] {
  const redactor = createRedactor(withDotEnv(projectRoot, process.env));
  const journal = new RecordFile(run.journalPath);
  const { places, files } = testsOfJournal(run.journalPath);
  const repeated = new Set<string>();
  for (const tests of files.values())
    for (const [id, numbers] of tests) if (typeof numbers !== 'number') repeated.add(id);
  const promotions: Promotion[] = [];
  const reasons = new Set<string>();
  for (let number = 0; number < places.size; number++) {
    const record = redactor.value(journal.recordAt(places.at(number)));
    const id = repeated.has(record.test) ? `${record.test}#${record.repeat}` : record.test;
    if (test !== undefined && ![record.test, id, record.id].includes(test)) continue;
    if (!isPromotable(record)) continue;
    const reason = isFailed ? reasonOf(record) : undefined;
    if (isFailed && (reason === undefined || reasons.has(reason.key))) continue;
    if (reason !== undefined) reasons.add(reason.key);
    // The same conversation has the same name, in whichever run it is found again.
    const said = record.steps.map(({ input }) => input);
    const what = printJson([id, record.target, reason?.key ?? said]);
    const name = `${slug(id)}-${hashHex(what).slice(0, 8)}.test.yaml`;
    const file = join(folder, name);
    const isKnown = existsSync(file);
    if (!isKnown) {
      mkdirSync(folder, { recursive: true });
      writeWhole(file, promotedTest(record, { runId: run.runId, id, reason: reason?.text }));
    }
    promotions.push({ file, isKnown, reason: reason?.text });
  }
  return promotions;
}

/** Two attempts that broke the same expectations have one reason, whatever they answered. */
function reasonOf(record: AttemptRecord): { readonly key: string; readonly text: string } | undefined {
  if (record.verdict !== 'failed' && record.verdict !== 'error') return undefined;
  const problems = allProblems(record);
  const key = problems.map(({ name, message, assertion }) =>
    assertion === undefined ? `${name} ${message}` : `${name} ${printJson(assertion.expected ?? null)}`,
  );
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const text =
    first === undefined ? `${record.verdict}` : `${first.name}: ${first.message.split('\n', 1)[0]}${more}`;
  return { key: [record.verdict, ...key].join('\n'), text };
}

function slug(id: string): string {
  const words = id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return words.replaceAll(/^-|-$/g, '').slice(0, 40) || 'test';
}
