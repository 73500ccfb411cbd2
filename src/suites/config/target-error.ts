import type { Finding } from '../../base/model/finding.ts';

/** A run cannot start: the agent is not known, or its config is wrong. */
export class TargetError extends Error {
  readonly hint: string | undefined;
  readonly findings: readonly Finding[];

  constructor(
    message: string,
    { hint, findings = [] }: { readonly hint?: string; readonly findings?: readonly Finding[] } = {},
  ) {
    super(message);
    this.name = 'TargetError';
    this.hint = hint;
    this.findings = findings;
  }
}
