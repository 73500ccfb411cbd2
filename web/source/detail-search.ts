import type { ResultDetail } from '../../src/model/page-data.ts';
import { foldRecord, snippetOf, type Snippet } from '../../src/model/search-text.ts';
import type { Source } from './source.ts';

/** How many records are read before the page may do something else. */
const PIECE = 500;

/** The search of a report: through the conversations that it contains. */
export function createDetailSearch(
  details: Readonly<Record<number, ResultDetail>>,
  rowCount: number,
): Pick<Source, 'search' | 'snippets'> {
  const indexes = Object.keys(details).map(Number);
  let reading: Promise<ReadonlyMap<number, string>> | undefined;
  const left = rowCount - indexes.length;
  const note =
    left > 0
      ? `This report contains the conversations of ${indexes.length} of ${rowCount} results. The others are not searched.`
      : undefined;
  return {
    search: async (_runId, texts, signal) => {
      reading ??= readAll(details, indexes);
      const all = await reading;
      signal.throwIfAborted();
      const matches = texts.map((text) => indexes.filter((index) => all.get(index)!.includes(text)));
      return { matches, note };
    },
    snippets: (_runId, { indexes: wanted, texts }) => {
      const snippets: Record<number, Snippet> = {};
      for (const index of wanted) {
        const detail = Object.hasOwn(details, index) ? details[index] : undefined;
        const snippet = detail === undefined ? undefined : snippetOf(detail.record, texts);
        if (snippet !== undefined) snippets[index] = snippet;
      }
      return Promise.resolve(snippets);
    },
  };
}

async function readAll(
  details: Readonly<Record<number, ResultDetail>>,
  indexes: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  for (const [count, index] of indexes.entries()) {
    texts.set(index, foldRecord(details[index]!.record));
    if (count % PIECE === PIECE - 1) await new Promise((resolve) => setTimeout(resolve));
  }
  return texts;
}
