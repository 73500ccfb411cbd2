import { closed, count, named, oneOf, optional, text, type TypeOf } from './described.ts';

/** One problem in a user's file. `code` is stable; `hint` says what to do about it. */
export const FINDING = named(
  'finding',
  closed({
    severity: oneOf(['error', 'warning']),
    code: text('Stable: docs/findings.md lists them.'),
    message: text(),
    hint: optional(text()),
    file: text(),
    line: count(),
    column: count(),
    path: text(),
  }),
);
export type Finding = TypeOf<typeof FINDING>;
export type Severity = Finding['severity'];

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

/** What is read several times may be wrong in the same way each time. */
export function eachOnce(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
