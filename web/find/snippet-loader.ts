import type { Snippet } from '../../src/base/model/search-text.ts';
import type { Source } from '../source/source.ts';

const MOST = 100;

/** Loads the snippets of the rows in the window, those of one frame together. */
export class SnippetLoader {
  private readonly source: Source;
  private readonly runId: string;
  private readonly texts: readonly string[];
  private readonly known = new Map<number, Promise<Snippet | undefined>>();
  private waiting: { readonly index: number; readonly take: (snippet: Snippet | undefined) => void }[] = [];

  constructor(source: Source, runId: string, texts: readonly string[]) {
    this.source = source;
    this.runId = runId;
    this.texts = texts;
  }

  load(index: number): Promise<Snippet | undefined> {
    let snippet = this.known.get(index);
    if (snippet === undefined) {
      snippet = new Promise((take) => {
        if (this.waiting.length === 0) setTimeout(() => void this.loadWaiting());
        this.waiting.push({ index, take });
      });
      this.known.set(index, snippet);
    }
    return snippet;
  }

  private async loadWaiting(): Promise<void> {
    const batch = this.waiting.splice(0, MOST);
    if (this.waiting.length > 0) setTimeout(() => void this.loadWaiting());
    const request = {
      indexes: batch.map(({ index }) => index),
      texts: this.texts,
      signal: new AbortController().signal,
    };
    // Without its snippet a row shows its problem, as always.
    const snippets = await this.source
      .snippets(this.runId, request)
      .catch(() => ({}) as Record<number, Snippet>);
    for (const { index, take } of batch) take(snippets[index]);
  }
}
