import type { Comparison } from '../../base/model/comparison.ts';
import type { TargetSummary } from '../../base/model/summary.ts';
import type { Colors } from './colors.ts';
import { targetComparisonWords } from '../../base/model/comparison-headline.ts';
import { hasGrid, type GridRow } from '../../runs/fold/target-grid.ts';
import { cellText, chooseRows, MARKS } from './target-grid.ts';
import { targetTotals } from './target-totals.ts';
import { cutToWidth, displayWidth, escapeLine } from './terminal-text.ts';

interface TargetTable {
  readonly targets: readonly TargetSummary[];
  readonly rows: readonly GridRow[];
  readonly comparisons: readonly Comparison[];
}

interface TableStyle {
  readonly colors: Colors;
  /** The width of the terminal. */
  readonly columns: number;
}

const GAP = '  ';
const NARROWEST_NAME = 16;

/** Tests × targets with totals, for a terminal. On a narrow one, letters stand for the targets. */
export function targetTable(table: TargetTable, style: TableStyle): string {
  const { targets, comparisons } = table;
  // Tests that ran with one target each compare nothing: their results stand above.
  const isCompared = hasGrid(table.rows);
  const { rows, rest } = chooseRows(isCompared ? table.rows : []);
  const totals = targetTotals(targets);
  const names = targets.map(({ target }) => escapeLine(target));
  const ofRows = rows.map(({ file, first: { line }, test, cells }) => ({
    name: escapeLine(`${file}:${line} ${test}`),
    short: escapeLine(test),
    values: cells.map(cellText),
  }));
  const wide = layOut(names, [...ofRows, ...totals], style);
  const narrow = (): readonly string[] => [
    ...targets.flatMap((_, index) =>
      wrapParts(`${letterOf(index)} = ${names[index]}:`, totalsOf(totals, index), style.columns),
    ),
    ...(ofRows.length === 0 ? [] : bands(ofRows, targets.length, style)),
  ];
  const lines = wide.fits ? wide.lines : narrow();
  // The totals are below the tests, and so is what is not shown of them.
  const at = wide.fits ? 1 + rows.length : lines.length;
  return [
    ...lines.slice(0, at),
    ...(rest === undefined ? [] : [style.colors.dim(rest)]),
    ...lines.slice(at),
    ...comparisons.flatMap((comparison) => ['', comparisonLine(comparison)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

interface TableRow {
  readonly name: string;
  /** Where there is no room for the name: a name that is cut tells no test from another. */
  readonly short?: string | undefined;
  readonly values: readonly string[];
}

function layOut(
  heads: readonly string[],
  rows: readonly TableRow[],
  { colors, columns }: TableStyle,
): { readonly lines: readonly string[]; readonly fits: boolean } {
  const widths = heads.map((head, index) =>
    Math.max(displayWidth(head), ...rows.map(({ values }) => displayWidth(values[index]!))),
  );
  const room = columns - widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const widest = Math.max(0, ...rows.map(({ name }) => displayWidth(name)));
  // All names are of one kind, so that they can be compared.
  const isShort = widest > Math.max(NARROWEST_NAME, room);
  const nameOf = ({ name, short = name }: TableRow): string => (isShort ? short : name);
  const needed = Math.max(0, ...rows.map((row) => displayWidth(nameOf(row))));
  const nameWidth = Math.max(NARROWEST_NAME, Math.min(needed, room));
  const print = (row: TableRow, paint = (text: string): string => text): string =>
    [
      pad(cutToWidth(nameOf(row), nameWidth), nameWidth),
      ...row.values.map((text, index) => paint(pad(text, widths[index]!))),
    ]
      .join(GAP)
      .trimEnd();
  return {
    lines: [
      colors.bold(print({ name: 'Targets', values: heads })),
      ...rows.map((row) => print(row, (text) => paintCell(text, colors))),
    ],
    fits: room >= NARROWEST_NAME,
  };
}

/** As many targets side by side as fit, and the others below. */
function bands(rows: readonly TableRow[], targets: number, style: TableStyle): readonly string[] {
  const widest = Math.max(1, ...rows.flatMap(({ values }) => values.map(displayWidth)));
  const column = Math.max(widest, letterOf(targets - 1).length) + GAP.length;
  const size = Math.max(1, Math.floor((style.columns - NARROWEST_NAME) / column));
  const lines: string[] = [];
  for (let from = 0; from < targets; from += size) {
    const to = Math.min(targets, from + size);
    const heads = Array.from({ length: to - from }, (_, index) => letterOf(from + index));
    const own = rows.map((row) => ({ ...row, values: row.values.slice(from, to) }));
    lines.push(...(from === 0 ? [] : ['']), ...layOut(heads, own, style).lines);
  }
  return lines;
}

function totalsOf(totals: readonly TableRow[], index: number): readonly string[] {
  return totals.flatMap(({ name, values }) => (values[index] === '' ? [] : [`${name} ${values[index]}`]));
}

/** `A = fast: passed 1 of 2, cost $0.03`, in lines that fit. */
function wrapParts(head: string, parts: readonly string[], columns: number): readonly string[] {
  const lines = [cutToWidth(head, columns)];
  for (const [index, part] of parts.entries()) {
    const text = index === parts.length - 1 ? part : `${part},`;
    const joined = `${lines.at(-1)} ${text}`;
    if (displayWidth(joined) <= columns) lines[lines.length - 1] = joined;
    else lines.push(cutToWidth(`    ${text}`, columns));
  }
  return lines;
}

/** What the first target is to the other, in one sentence. */
export function comparisonLine(comparison: Comparison): string {
  return escapeLine(targetComparisonWords(comparison));
}

function letterOf(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26) + 1}`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function paintCell(text: string, colors: Colors): string {
  if (text.startsWith(MARKS.passed)) return colors.green(text);
  if (text.startsWith(MARKS.failed)) return colors.red(text);
  if (text.startsWith(MARKS.error)) return colors.yellow(text);
  return text.startsWith(MARKS.skipped) ? colors.dim(text) : text;
}
