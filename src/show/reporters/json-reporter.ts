import type { Finding } from '../../base/model/finding.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Report } from '../../base/model/report.ts';
import { keepHeapSmall } from '../../base/system/small-heap.ts';
import type { Reporter, ReporterContext, RunEnd, RunStart } from './reporter.ts';
import { SortedRecords } from './sorted-records.ts';
import { writeParts } from './write-parts.ts';

export function createReporter({ write }: ReporterContext): Reporter {
  return new JsonReporter(write);
}

/** One JSON object with the records in the order of the files. During the run they wait in a temporary file. */
class JsonReporter implements Reporter {
  private readonly write: ReporterContext['write'];
  private readonly findings: Finding[] = [];
  private readonly records = new SortedRecords();
  private runId = '';

  constructor(write: ReporterContext['write']) {
    this.write = write;
    keepHeapSmall();
  }

  onRunStart({ run_id }: Pick<RunStart, 'run_id'>): void {
    this.runId = run_id;
  }

  onFinding(finding: Finding): void {
    this.findings.push(finding);
  }

  onResult(record: AttemptRecord): void {
    this.records.add(record, printJson(record));
  }

  async onRunEnd({ tests = [], ...end }: RunEnd): Promise<void> {
    const rest: Omit<Report, 'run_id' | 'results'> = {
      tests,
      findings: this.findings,
      summary: end.summary,
      comparison: end.comparison,
      baselines: end.baselines,
      baseline_comparisons: end.baseline_comparisons,
      target_comparisons: end.target_comparisons,
      exit_code: end.exit_code,
    };
    try {
      await this.write(`{"run_id":${JSON.stringify(this.runId)},"results":[`);
      await writeParts(this.write, this.results());
      await this.write(`\n],${printJson(rest).slice(1)}\n`);
    } finally {
      this.records.close();
    }
  }

  private *results(): Generator<string> {
    let separator = '';
    for (const text of this.records) {
      yield `${separator}\n${text}`;
      separator = ',';
    }
  }
}
