import type { EmbeddedRun } from '../../src/model/page-data.ts';
import { createDetailSearch } from './detail-search.ts';
import { parseExactJson } from './parse-exact-json.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';

/** The run inside the document itself: a report opened from disk. Undefined if there is none. */
export function findFileSource(): { readonly source: Source; readonly runId: string } | undefined {
  const element = document.querySelector('#assay-data');
  if (element === null) return undefined;
  const embedded = parseExactJson(element.textContent) as EmbeddedRun;
  return { source: createFileSource(embedded), runId: embedded.run.run_id };
}

/** Rows are delivered in pieces, so that the first ones are painted before the last ones are read. */
const PIECE = 5000;

function createFileSource({ run, rows, details, labels = [], cut }: EmbeddedRun): Source {
  const search = createDetailSearch(details, rows.length);
  const noOthers = (): Promise<never> =>
    Promise.reject(
      new SourceError('This report contains one run.', { hint: 'To see all runs, use: assay view' }),
    );
  return {
    holds: 'one run',
    runs: () => Promise.resolve([run]),
    run: () => Promise.resolve({ run, cut }),
    results: async (_runId, { from, onRows, signal }) => {
      for (let start = from; start < rows.length && !signal.aborted; start += PIECE) {
        onRows(rows.slice(start, start + PIECE));
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    result: (_runId, index) => {
      const detail = Object.hasOwn(details, index) ? details[index] : undefined;
      return detail === undefined
        ? Promise.reject(
            new SourceError('The conversation of this attempt was left out of the report.', {
              hint: 'The run itself has it. To see it, use: assay view',
            }),
          )
        : Promise.resolve(detail);
    },
    ...search,
    labels: () => Promise.resolve({ labels, unreadable: 0 }),
    follow: (_runId, { onEnd }) => onEnd(),
    compare: noOthers,
    history: noOthers,
    flaky: noOthers,
  };
}
