import type { RunEnd } from './reporter.ts';
import { cellText, chooseRows, TargetGrid } from './target-grid.ts';
import { comparisonLine } from './target-table.ts';
import { targetTotals } from './target-totals.ts';
import { markdownCode } from './markdown-text.ts';
import type { ReportedOutcome } from './reported-outcome.ts';

export interface TargetMarkdown {
  readonly head: string;
  readonly rows: readonly string[];
  /** What follows the table, one sentence each. */
  readonly notes: readonly string[];
}

/** Tests × targets with totals, in Markdown. Undefined if the run has one target. */
export function targetMarkdown(
  { summary, tests, target_comparisons = [] }: RunEnd,
  outcomes: Iterable<ReportedOutcome>,
): TargetMarkdown | undefined {
  const { targets } = summary;
  if (targets === undefined) return undefined;
  const grid = new TargetGrid();
  for (const outcome of outcomes)
    for (const { verdict } of outcome.attempts) grid.add({ ...outcome, verdict });
  const { rows, rest } = chooseRows(grid.rows(tests));
  const row = (name: string, values: readonly string[]): string => `| ${[name, ...values].join(' | ')} |\n`;
  return {
    head: `${row(
      'test',
      targets.map(({ target }) => markdownCode(target)),
    )}|${'---|'.repeat(targets.length + 1)}\n`,
    rows: [
      ...targetTotals(targets).map(({ name, values }) => row(`**${name}**`, values)),
      ...rows.map(({ file, line, test, cells }) =>
        row(
          `${markdownCode(test)} ${markdownCode(`${file}:${line}`)}`,
          targets.map(({ target }) => cellText(cells.get(target))),
        ),
      ),
    ],
    notes: [
      ...(rest === undefined ? [] : [`${rest}.`]),
      ...target_comparisons.map((comparison) => markdownCode(comparisonLine(comparison))),
    ],
  };
}
