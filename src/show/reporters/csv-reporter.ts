import type { AttemptRecord } from '../../base/model/record.ts';
import { keepHeapSmall } from '../../base/system/small-heap.ts';
import type { Reporter, ReporterContext } from './reporter.ts';
import { SortedRecords } from './sorted-records.ts';
import { escapeLines } from './terminal-text.ts';
import { writeParts } from './write-parts.ts';

type Cell = string | number | undefined;

/** The columns, in their order. New ones come last: people refer to them by letter. */
const COLUMNS: Readonly<Record<string, (record: AttemptRecord, runId: string) => Cell>> = {
  file: ({ file }) => file,
  line: ({ line }) => line,
  test: ({ test }) => test,
  description: ({ description }) => description,
  tags: ({ tags }) => tags.join(' '),
  target: ({ target }) => target,
  repeat: ({ repeat }) => repeat,
  verdict: ({ verdict }) => verdict,
  score: ({ score }) => score,
  error_kind: ({ error }) => error?.kind,
  error: ({ error }) => error?.message,
  failed: (record) =>
    assertionsOf(record)
      .filter(({ passed }) => passed === false)
      .map(({ name, message }) => `${name}: ${message}`)
      .join('\n'),
  skip_reason: ({ skip_reason }) => skip_reason,
  input: ({ steps }) => steps.map(({ input }) => input).join('\n'),
  output: ({ steps }) => steps.map(({ output = '' }) => output).join('\n'),
  tools_used: ({ steps }) => steps.flatMap(({ tools_used = [] }) => tools_used).join(' '),
  duration_ms: ({ duration_ms }) => duration_ms,
  cost_usd: ({ cost_usd }) => cost_usd,
  judge_cost_usd: ({ judge_cost_usd }) => judge_cost_usd,
  input_tokens: ({ token_usage }) => token_usage?.input,
  output_tokens: ({ token_usage }) => token_usage?.output,
  retries: ({ retries }) => retries,
  started_at: ({ started_at }) => started_at,
  run_id: (_record, runId) => runId,
};

/** One row for each attempt, for spreadsheets: RFC 4180, in the order of the files. */
export function createReporter({ write }: ReporterContext): Reporter {
  const rows = new SortedRecords();
  let runId = '';
  keepHeapSmall();
  return {
    onRunStart({ run_id }) {
      runId = run_id;
    },
    onResult(record) {
      const cells = Object.values(COLUMNS).map((read) => read(record, runId));
      rows.add(record, rowOf(cells));
    },
    async onRunEnd() {
      try {
        await write(rowOf(Object.keys(COLUMNS)));
        await writeParts(write, rows);
      } finally {
        rows.close();
      }
    },
  };
}

function assertionsOf({ steps, assertions }: AttemptRecord): AttemptRecord['assertions'] {
  return [...steps.flatMap((step) => step.assertions), ...assertions];
}

function rowOf(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const safe = withoutFormula(escapeLines(cell));
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A spreadsheet would compute a text that begins like a formula, also after blanks: an apostrophe makes it a text. */
function withoutFormula(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
}
