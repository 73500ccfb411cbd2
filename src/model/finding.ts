import type { Place } from './place.ts';

export type Severity = 'error' | 'warning';

/** One problem in a user's file. `code` is stable; `hint` says what to do about it. */
export interface Finding extends Place {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly path: string;
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}
