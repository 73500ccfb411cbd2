import { relative, resolve } from 'node:path';
import { hashFile } from '../../base/files/hash-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Summary } from '../../base/model/summary.ts';
import { timestamp } from '../../base/system/system-time.ts';
import { version } from '../../base/system/version.ts';
import type { JournalWriter } from '../../runs/journal/journal-writer.ts';
import { createRunDirectory, type RunDirectory } from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';

interface Graded {
  readonly summary: Summary;
  readonly exit_code: number;
  readonly findings: readonly Finding[];
}

/** The verdicts on recordings: a run of its own, which reports, comparisons and promotions read. */
export class GradedRecordings {
  readonly directory: RunDirectory;
  private readonly journal: JournalWriter;

  constructor(
    recordings: RunDirectory,
    { projectRoot, suites }: { readonly projectRoot: string; readonly suites: readonly OpenSuite[] },
  ) {
    this.directory = createRunDirectory(projectRoot, (run_id) => ({
      run_id,
      started_at: timestamp(),
      files: suites.map(({ file, hash }) => ({
        file: relative(projectRoot, resolve(file)),
        hash: hash ?? hashFile(file),
      })),
      cwd: relative(projectRoot, process.cwd()),
      options: { recordings: recordings.runId },
      versions: { assay: version, node: process.version },
    }));
    this.journal = this.directory.openJournal({ onError: () => {} });
  }

  append(record: AttemptRecord): void {
    this.journal.append(record);
  }

  end({ summary, exit_code, findings }: Graded): void {
    this.journal.close();
    this.directory.end({
      run_id: this.directory.runId,
      exit_code,
      summary,
      tests: [],
      findings,
      journal: this.journal.seal,
    });
    this.directory.unlock();
  }
}
