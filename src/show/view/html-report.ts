import { SpoolFile } from '../../base/files/spool-file.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { Comparison } from '../../base/model/comparison.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { EmbeddedRun } from '../../base/model/page-data.ts';
import { printJson } from '../../base/model/print-json.ts';
import { inertJson } from './inert-json.ts';
import { inlinePage } from './inline-page.ts';
import { JournalIndex } from './journal-index.ts';
import { ReportContents, type ContentOptions } from './report-contents.ts';
import { runLabels } from './run-labels.ts';
import { damageOf, factsOf, runRow } from './run-row.ts';
import { runTotals } from './run-totals.ts';
import { shownFindings } from './shown-findings.ts';
import { SourceExcerpts, type SourceOptions } from './source-excerpts.ts';

const MAX_BYTES = 50_000_000;
/** Room for the note about what was left out, and for the markup between the parts. */
const NOTE_BYTES = 1000;

export interface HtmlReportOptions extends SourceOptions {
  /** The built page. */
  readonly webFolder: string;
  /** Of its targets. */
  readonly comparisons?: readonly Comparison[] | undefined;
  /** What does not fit is left out, with a note. Default: 50 MB. */
  readonly maxBytes?: number | undefined;
}

/**
 * A run as one file that opens from disk without any request, in pieces: the page, with an `EmbeddedRun` in it. Its
 * rows and details are compressed in blocks, so that the first screen needs only the rows.
 */
export async function* createHtmlReport(
  run: RunDirectory,
  options: HtmlReportOptions,
): AsyncGenerator<string> {
  const file = new SpoolFile();
  try {
    yield* pieces(run, options, new JournalIndex(run, { file }));
  } finally {
    file.close();
  }
}

async function* pieces(
  run: RunDirectory,
  options: HtmlReportOptions,
  index: JournalIndex,
): AsyncGenerator<string> {
  const { maxBytes = MAX_BYTES } = options;
  const page = inlinePage(options.webFolder);
  const facts = factsOf(run);
  await index.catchUp();
  // A report has no other runs: where this one came from leads nowhere.
  const { merged_from: _merged, ...shown } = runRow(facts, runTotals(index.fold), damageOf(run));
  const sources = new SourceExcerpts(options);
  const { comparisons = [], redactor } = options;
  // Somebody may have edited them since the server wrote them without secrets.
  const labels = redactor.value((await runLabels(run, index)).labels);
  const embedded: EmbeddedRun = {
    run: shown,
    description: facts.description as unknown as JsonObject,
    findings: await shownFindings(facts, sources),
    comparisons: comparisons.length === 0 ? undefined : comparisons,
    labels: labels.length === 0 ? undefined : labels,
  };
  const head = jsonElement('assay-data', printJson(embedded));
  const content: ContentOptions = {
    index,
    description: facts.description,
    sources,
    room: maxBytes - Buffer.byteLength(page.before + head + page.after) - NOTE_BYTES,
  };
  const contents = new ReportContents(run, content);

  yield `${page.before}${head}`;
  yield* contents.rows();
  yield* contents.details();
  yield* contents.texts();
  const cut = contents.cut();
  if (cut !== undefined) yield jsonElement('assay-cut', JSON.stringify(cut));
  yield page.after;
}

function jsonElement(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${inertJson(json)}</script>\n`;
}
