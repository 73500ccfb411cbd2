import { foldRecord, snippetOf, type Snippet } from '../../src/base/model/search-text.ts';
import type { ReportContents } from './report-contents.ts';
import type { Source } from './source.ts';

/** How many records are read before the page may do something else. */
const PIECE = 500;

/** The search of a report: through the conversations that it contains. */
export function createDetailSearch(
  contents: ReportContents,
  resultCount: number,
): Pick<Source, 'search' | 'snippets'> {
  const held = contents.indexes().length;
  let reading: Promise<ReadonlyMap<number, string>> | undefined;
  const note =
    held < resultCount
      ? `This report contains the conversations of ${held} of ${resultCount} results. The others are not searched.`
      : undefined;
  return {
    search: async (_runId, texts, signal) => {
      reading ??= readAll(contents);
      const all = await reading;
      signal.throwIfAborted();
      const found = (text: string): readonly number[] =>
        [...all].filter(([, conversation]) => conversation.includes(text)).map(([index]) => index);
      return { matches: texts.map(found), note };
    },
    snippets: async (_runId, { indexes, texts }) => {
      const snippets: Record<number, Snippet> = {};
      for (const index of indexes) {
        const detail = await contents.detail(index);
        const snippet = detail === undefined ? undefined : snippetOf(detail.record, texts);
        if (snippet !== undefined) snippets[index] = snippet;
      }
      return snippets;
    },
  };
}

async function readAll(contents: ReportContents): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  for await (const details of contents.details())
    for (const [index, { record }] of Object.entries(details)) {
      texts.set(Number(index), foldRecord(record));
      if (texts.size % PIECE === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  return texts;
}
