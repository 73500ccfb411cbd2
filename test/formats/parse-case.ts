import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { printJson } from '../../src/base/model/print-json.ts';
import type { Test } from '../../src/base/model/test.ts';

/** The ways to write one eval case. Each rule of the contract holds in all of them. */
export const CASE_FORMATS = ['yaml', 'json', 'jsonl'] as const;
export type CaseFormat = (typeof CASE_FORMATS)[number];

export interface ParsedCase {
  readonly test: Test | undefined;
  readonly findings: readonly PlacelessFinding[];
  readonly errors: readonly PlacelessFinding[];
}

type PlacelessFinding = Pick<Finding, 'severity' | 'code' | 'message' | 'path'> & {
  readonly hint: string | undefined;
};

/** Parses one case as the only one of a file. Paths start at the case. */
export function parseCase(
  authored: unknown,
  format: CaseFormat,
  top: Record<string, unknown> = {},
): ParsedCase {
  const { suite, findings } = parseSuite({ path: `suite.${format}`, text: caseText(authored, format, top) });
  const placeless = findings.map(({ severity, code, message, hint, path }) => ({
    severity,
    code,
    message,
    hint,
    path: path.replace(/^evalcases\[0\]\.?/, ''),
  }));
  return {
    test: suite?.tests[0],
    findings: placeless,
    errors: placeless.filter(({ severity }) => severity === 'error'),
  };
}

/** JSON is YAML too, so one text serves both; a JSONL line stands alone. */
function caseText(authored: unknown, format: CaseFormat, top: Record<string, unknown> = {}): string {
  return format === 'jsonl' ? printJson(authored) : printJson({ ...top, evalcases: [authored] }, '  ');
}

/** What a finding is about, for comparing: `error type input`. */
export function summary({ severity, code, path }: PlacelessFinding): string {
  return `${severity} ${code} ${path}`.trimEnd();
}

/** A case that is complete, so that a test changes just what it is about. */
export const COMPLETE = { id: 'test', expected_outcome: 'Goal', input: 'Query' };
