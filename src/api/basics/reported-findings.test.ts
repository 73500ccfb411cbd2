import { expect, test } from 'vitest';
import type { Finding } from '../../base/model/finding.ts';
import { ReportedFindings } from './reported-findings.ts';

const place = { file: 'a.jsonl', column: 1, path: '' };
const warning = (line: number, code = 'no_trace'): Finding => ({
  ...place,
  line,
  code,
  severity: 'warning',
  message: 'x'.repeat(1000),
});

test('each finding is reported once, and nothing is counted when none is left out', () => {
  const findings = new ReportedFindings();
  expect([warning(1), warning(2), warning(1)].map((each) => findings.take(each))).toEqual([
    true,
    true,
    false,
  ]);
  expect(findings.rest()).toBeUndefined();
});

test('very many warnings are only counted; errors and the first warning of each code are still reported', () => {
  const findings = new ReportedFindings();
  const reported = Array.from({ length: 20_000 }, (_, line) => findings.take(warning(line))).filter(
    Boolean,
  ).length;
  expect(reported).toBeGreaterThan(1000);
  expect(reported).toBeLessThan(5000);
  expect(findings.take({ ...warning(1), severity: 'error' })).toBe(true);
  expect(findings.take(warning(1, 'clock_replaced'))).toBe(true);
  expect(findings.rest()).toMatchObject({ severity: 'warning', code: 'more_warnings' });
  expect(findings.rest()!.message).toContain(`${20_000 - reported} no_trace`);
});
