import type { Comparison, ListedComparison } from '../../src/base/model/comparison.ts';
import type { RunLabels } from '../../src/base/model/label.ts';
import type {
  FlakyTest,
  HistoryPoint,
  ResultDetail,
  ResultRow,
  RunRow,
} from '../../src/base/model/page-data.ts';
import type { Snippet } from '../../src/base/model/search-text.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { readLines } from './read-lines.ts';
import type { Found, FollowRequest, RowsRequest, RunDetail, Source } from './source.ts';
import { SourceError } from './source-error.ts';

/** The server of `assay view`. */
export function createServerSource(): Source {
  return {
    holds: 'all runs',
    runs: async (signal) => (await getJson<{ runs: readonly RunRow[] }>('/api/runs', signal)).runs,
    run: (runId, signal) => getJson<RunDetail>(runPath(runId), signal),
    results: readResults,
    result: (runId, index, signal) => getJson<ResultDetail>(`${runPath(runId)}/results/${index}`, signal),
    texts: async (runId, ids, signal) => {
      const path = `${runPath(runId)}/texts?${new URLSearchParams(ids.map((id) => ['id', id]))}`;
      return (await getJson<{ texts: Readonly<Record<string, string>> }>(path, signal)).texts;
    },
    search: (runId, texts, signal) => getJson<Found>(`${runPath(runId)}/search?${textsQuery(texts)}`, signal),
    snippets: async (runId, { indexes, texts, signal }) => {
      const path = `${runPath(runId)}/snippets?index=${indexes.join(',')}&${textsQuery(texts)}`;
      return (await getJson<{ snippets: Readonly<Record<number, Snippet>> }>(path, signal)).snippets;
    },
    labels: (runId, signal) => getJson<RunLabels>(`${runPath(runId)}/labels`, signal),
    addLabel: async (runId, label) => {
      await postJson(`${runPath(runId)}/labels`, label);
    },
    again: {
      command: async (runId, request) => {
        const query = new URLSearchParams(
          Object.entries(request).map(([name, value]) => [name, String(value)]),
        );
        return (await askJson<{ command: string }>(fetch(`${runPath(runId)}/again?${query}`))).command;
      },
      start: async (runId, request) =>
        ((await postJson(`${runPath(runId)}/again`, request)) as { run_id: string }).run_id,
    },
    follow: followEvents,
    compareTargets: async (runId, signal) =>
      (await getJson<{ comparisons: readonly Comparison[] }>(`${runPath(runId)}/targets`, signal))
        .comparisons,
    compare: (before, after, signal) =>
      getJson<ListedComparison>(`/api/compare?${new URLSearchParams({ a: before, b: after })}`, signal),
    history: async ({ file, test, target }, signal) => {
      const path = `/api/history?${new URLSearchParams({ file, test, target })}`;
      return (await getJson<{ points: readonly HistoryPoint[] }>(path, signal)).points;
    },
    flaky: async (signal) => (await getJson<{ tests: readonly FlakyTest[] }>('/api/flaky', signal)).tests,
  };
}

function runPath(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`;
}

async function readResults(runId: string, { from, onRows, signal }: RowsRequest): Promise<void> {
  const { body } = await get(`${runPath(runId)}/results?from=${from}`, signal);
  if (body === null) return;
  await readLines(body, (lines) => {
    onRows(lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ResultRow));
  });
}

/** The browser reconnects automatically, and then requests what it has not seen. */
function followEvents(runId: string, { from, onRows, onRun, onEnd, onGone, signal }: FollowRequest): void {
  let next = from;
  const connect = (): void => {
    const events = new EventSource(`${runPath(runId)}/events?from=${next}`);
    const close = (): void => events.close();
    signal.addEventListener('abort', close, { once: true });
    events.addEventListener('rows', ({ data }: MessageEvent<string>) => {
      const rows = JSON.parse(data) as readonly ResultRow[];
      for (const { index } of rows) next = Math.max(next, index + 1);
      onRows(rows);
    });
    events.addEventListener('run', ({ data }: MessageEvent<string>) => onRun(JSON.parse(data) as RunDetail));
    events.addEventListener('end', () => {
      close();
      onEnd();
    });
    events.addEventListener('gone', () => {
      close();
      onGone(createGoneError());
    });
    events.addEventListener('error', () => {
      close();
      signal.removeEventListener('abort', close);
      if (!signal.aborted) setTimeout(reconnect, RECONNECT_MS);
    });
  };
  // An error does not say why: the run may have been removed.
  const reconnect = async (): Promise<void> => {
    try {
      await get(runPath(runId), signal);
    } catch (error) {
      if (error instanceof SourceError && error.isGone) return onGone(error);
    }
    if (!signal.aborted) connect();
  };
  connect();
}

const RECONNECT_MS = 2000;

function createGoneError(): SourceError {
  return new SourceError('This run or result does not exist.', {
    hint: 'It may have been deleted from .assay/runs.',
    isGone: true,
  });
}

function textsQuery(texts: readonly string[]): string {
  return new URLSearchParams(texts.map((text) => ['text', text])).toString();
}

function postJson(path: string, value: unknown): Promise<unknown> {
  return askJson(
    fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(value),
    }),
  );
}

/** A refusal says why. */
async function askJson<T>(request: Promise<Response>): Promise<T> {
  const response = await request.catch((cause: unknown) => {
    throw notAnswering(cause);
  });
  if (response.ok) return (await response.json()) as T;
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: string };
  throw new SourceError(error ?? `The server answered with ${response.status}.`, {
    hint: 'Nothing was written. Try again, or look at the terminal of assay view.',
  });
}

function notAnswering(cause: unknown): SourceError {
  return new SourceError('The server does not answer.', { hint: 'Start it again with: assay view', cause });
}

async function getJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await get(path, signal);
  return parseExactJson(await response.text()) as T;
}

async function get(path: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { signal });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw notAnswering(cause);
  }
  if (response.ok) return response;
  if (response.status === 401) {
    throw new SourceError('This page does not have the token of the server.', {
      hint: 'Open the address that assay view printed in the terminal: it contains the token.',
    });
  }
  if (response.status === 404) throw createGoneError();
  if (response.status === 409) {
    const { error } = (await response.json()) as { readonly error: string };
    throw new SourceError('These runs cannot be compared.', { hint: error });
  }
  throw new SourceError(`The server answered with ${response.status}.`, {
    hint: 'Look at its terminal for the reason, then reload this page.',
  });
}
