import type { Finding } from '../../base/model/finding.ts';

/** Files with errors: leaving out their tests would make them look removed. */
export class InvalidFiles extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super('nothing runs until these errors are fixed');
    this.name = 'InvalidFiles';
    this.findings = findings;
  }
}
