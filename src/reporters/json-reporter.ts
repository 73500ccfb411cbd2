import type { Finding } from '../model/finding.ts';
import { printJson } from '../model/print-json.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Reporter, RunEnd, RunStart } from './reporter.ts';

/** One JSON object, written as the run goes: no record is held. */
export class JsonReporter implements Reporter {
  private readonly write: (text: string) => unknown;
  private readonly findings: Finding[] = [];
  private separator = '';
  private hasBegun = false;

  constructor(write: (text: string) => unknown) {
    this.write = write;
  }

  onRunStart({ run_id }: RunStart): void {
    this.hasBegun = true;
    this.write(`{"run_id":${JSON.stringify(run_id)},"results":[`);
  }

  onFinding(finding: Finding): void {
    this.findings.push(finding);
  }

  onResult(record: AttemptRecord): void {
    this.write(`${this.separator}\n${printJson(record)}`);
    this.separator = ',';
  }

  onRunEnd({ summary, tests = [], comparison, exit_code }: RunEnd): void {
    if (!this.hasBegun) this.onRunStart({ run_id: '', agents: [] });
    const end = printJson({ tests, findings: this.findings, summary, comparison, exit_code });
    this.write(`\n],${end.slice(1)}\n`);
  }
}
