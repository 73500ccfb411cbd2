import type { EmbeddedRun } from '../../src/base/model/page-data.ts';
import { createDetailSearch } from './detail-search.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { ReportContents } from './report-contents.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';

/** The run inside the document itself: a report opened from disk. Undefined if there is none. */
export function findFileSource(): { readonly source: Source; readonly runId: string } | undefined {
  const element = document.querySelector('#assay-data');
  if (element === null) return undefined;
  const embedded = parseExactJson(element.textContent) as EmbeddedRun;
  const cut = document.querySelector('#assay-cut');
  const source = createFileSource(
    embedded,
    cut === null ? undefined : (JSON.parse(cut.textContent) as string),
  );
  return { source, runId: embedded.run.run_id };
}

function createFileSource(
  { run, description, findings, comparisons = [], labels = [] }: EmbeddedRun,
  cut: string | undefined,
): Source {
  const contents = new ReportContents(document);
  const search = createDetailSearch(contents, run.summary.attempts);
  const noOthers = (): Promise<never> =>
    Promise.reject(
      new SourceError('This report contains one run.', { hint: 'To see all runs, use: assay view' }),
    );
  return {
    holds: 'one run',
    runs: () => Promise.resolve([run]),
    run: () => Promise.resolve({ run, description, findings, cut }),
    results: async (_runId, { from, onRows, signal }) => {
      for await (const rows of contents.rows()) {
        if (signal.aborted) return;
        onRows(from === 0 ? rows : rows.filter(({ index }) => index >= from));
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    result: async (_runId, index) => {
      const detail = await contents.detail(index);
      if (detail !== undefined) return detail;
      throw new SourceError('The conversation of this attempt was left out of the report.', {
        hint: 'The run itself has it. To see it, use: assay view',
      });
    },
    texts: (_runId, ids) => contents.texts(ids),
    ...search,
    labels: () => Promise.resolve({ labels, unreadable: 0 }),
    follow: (_runId, { onEnd }) => onEnd(),
    compareTargets: () => Promise.resolve(comparisons),
    compare: noOthers,
    history: noOthers,
    flaky: noOthers,
  };
}
