import type { RunEnd } from './reporter.ts';
import { cellText, chooseRows, gridRows } from './target-grid.ts';
import { comparisonLine } from './target-table.ts';
import { targetTotals } from './target-totals.ts';
import { markdownCode } from './markdown-text.ts';
import type { Outcomes } from './shared-outcomes.ts';

export interface TargetMarkdown {
  readonly head: string;
  readonly rows: readonly string[];
  /** What follows the table, one sentence each. */
  readonly notes: readonly string[];
}

/** Tests × targets with totals, in Markdown. Undefined if the run has one target. */
export function targetMarkdown(
  { summary, target_comparisons = [] }: RunEnd,
  outcomes: Pick<Outcomes, 'results' | 'verdictOf'>,
): TargetMarkdown | undefined {
  const { targets } = summary;
  if (targets === undefined) return undefined;
  const { rows, rest } = chooseRows(gridRows(outcomes.results(), { targets, verdictOf: outcomes.verdictOf }));
  const row = (name: string, values: readonly string[]): string => `| ${[name, ...values].join(' | ')} |\n`;
  return {
    head: `${row(
      'test',
      targets.map(({ target }) => markdownCode(target)),
    )}|${'---|'.repeat(targets.length + 1)}\n`,
    rows: [
      ...targetTotals(targets).map(({ name, values }) => row(`**${name}**`, values)),
      ...rows.map(({ file, first: { line }, test, cells }) =>
        row(`${markdownCode(test)} ${markdownCode(`${file}:${line}`)}`, cells.map(cellText)),
      ),
    ],
    notes: [
      ...(rest === undefined ? [] : [`${rest}.`]),
      ...target_comparisons.map((comparison) => markdownCode(comparisonLine(comparison))),
    ],
  };
}
