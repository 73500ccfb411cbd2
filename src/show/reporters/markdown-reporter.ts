import type { Finding } from '../../base/model/finding.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { markdownReport } from './markdown-report.ts';
import type { Reporter } from './reporter.ts';
import { outcomesOf } from './shared-outcomes.ts';

/** GitHub takes comments of up to 65,536 characters. */
const MAX_BYTES = 65_000;

/** Markdown for the comment of a pull request. */
export function createReporter(context: BuiltInContext): Reporter {
  const outcomes = outcomesOf(context);
  const findings: Finding[] = [];
  return {
    onRunStart: (run) => outcomes.start(run),
    onFinding: (finding) => void findings.push(finding),
    onResult: (record) => outcomes.add(record),
    onRunEnd: (end) =>
      outcomes.report(end, (all) =>
        context.write(markdownReport({ outcomes: all, findings, end, maxBytes: MAX_BYTES })),
      ),
  };
}
