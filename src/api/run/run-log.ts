import type { Redactor } from '../../base/match/redact-secrets.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';
import { createReporterMultiplexer, type ReporterMultiplexer } from '../basics/reporter-multiplexer.ts';

/** Sends the events of a run to reporters, and keeps the findings. Nothing leaves it with a secret in it. */
export class RunLog {
  readonly emit: ReporterMultiplexer;
  /** All findings, in order. */
  readonly findings: Finding[] = [];
  /** Those of the run itself. Those of an attempt are in its record. */
  readonly findingsOfRun: Finding[] = [];
  private readonly redactor: Redactor;

  constructor(reporters: readonly Reporter[], redactor: Redactor) {
    this.redactor = redactor;
    this.emit = createReporterMultiplexer([
      ...reporters,
      { onFinding: (finding) => void this.findings.push(finding) },
    ]);
  }

  get hasErrors(): boolean {
    return hasErrors(this.findings);
  }

  find(authored: Finding): Finding {
    const finding = this.redactor.value(authored);
    this.emit('onFinding', finding);
    return finding;
  }

  findInRun(authored: Finding): void {
    this.findingsOfRun.push(this.find(authored));
  }
}
