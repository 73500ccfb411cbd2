import type { Finding } from '../model/finding.ts';
import { printJson } from '../model/print-json.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Report } from '../model/report.ts';
import { keepHeapSmall } from '../small-heap.ts';
import type { Reporter, ReporterContext, RunEnd, RunStart } from './reporter.ts';

export function createReporter({ write }: ReporterContext): Reporter {
  return new JsonReporter(write);
}

/** One JSON object, written during the run: no record is kept in memory. */
class JsonReporter implements Reporter {
  private readonly write: ReporterContext['write'];
  private readonly findings: Finding[] = [];
  private separator = '';
  private hasBegun = false;

  constructor(write: ReporterContext['write']) {
    this.write = write;
    keepHeapSmall();
  }

  onRunStart({ run_id }: Pick<RunStart, 'run_id'>): void | Promise<void> {
    this.hasBegun = true;
    return this.write(`{"run_id":${JSON.stringify(run_id)},"results":[`);
  }

  onFinding(finding: Finding): void {
    this.findings.push(finding);
  }

  onResult(record: AttemptRecord): void | Promise<void> {
    const separator = this.separator;
    this.separator = ',';
    return this.write(`${separator}\n${printJson(record)}`);
  }

  async onRunEnd({ summary, tests = [], comparison, baselines, exit_code }: RunEnd): Promise<void> {
    if (!this.hasBegun) await this.onRunStart({ run_id: '' });
    const rest: Omit<Report, 'run_id' | 'results'> = {
      tests,
      findings: this.findings,
      summary,
      comparison,
      baselines,
      exit_code,
    };
    await this.write(`\n],${printJson(rest).slice(1)}\n`);
  }
}
