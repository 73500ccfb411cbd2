import type { IncomingMessage } from 'node:http';
import { DamagedRun } from '../../runs/journal/damaged-run.ts';
import { isRun } from '../../runs/journal/remove-crashed-runs.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { readNewLabel } from '../../runs/labels/label-line.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { Comparison, ListedComparison } from '../../base/model/comparison.ts';
import type { HttpResponse } from './http-response.ts';
import { writeEvents } from './event-stream.ts';
import { followRun } from './follow-run.ts';
import { flakyTests, testHistory } from './history.ts';
import { isRemoved, refuseRemoved } from './removed-run.ts';
import { DamagedRecord, resultDetail } from './result-detail.ts';
import { readJsonBody } from './read-body.ts';
import { RequestRefused } from './request-refused.ts';
import { addLabel, runLabels } from './run-labels.ts';
import type { RunLibrary } from './run-library.ts';
import { factsOf } from './run-row.ts';
import { readAgainRequest, type RunAgain } from './run-again.ts';
import { shownFindings } from './shown-findings.ts';
import { shellWord } from '../../base/model/shell-word.ts';
import type { SourceExcerpts } from './source-excerpts.ts';

export interface ApiContext {
  readonly library: RunLibrary;
  readonly sources: SourceExcerpts;
  /** What files are opened with. Undefined: the reader may be on another machine. */
  readonly editor: string | undefined;
  readonly compare: (before: RunDirectory, after: RunDirectory) => Promise<ListedComparison>;
  /** Each target of a run with the first one; undefined for one target. */
  readonly compareTargets?: ((run: RunDirectory) => Promise<readonly Comparison[] | undefined>) | undefined;
  /** Absent: nothing is started. */
  readonly again?: RunAgain | undefined;
  /** Absent: labels are only read. */
  readonly labels?: { readonly by: string } | undefined;
  readonly redactor: Redactor;
}

/** The requests of the page: `/api/...`, by the words after it. */
export async function serveApi(words: readonly string[], context: RequestContext): Promise<void> {
  const { answer, library } = context;
  const [collection, id, ...rest] = words;
  if (collection === 'runs' && id !== undefined) {
    const run = library.find(id);
    if (run === undefined) return notFound(answer, 'run');
    return serveRun(run, rest, context).catch((error) => refuse(error, answer));
  }
  if (id !== undefined) return notFound(answer);
  switch (collection) {
    case 'runs':
      return answer.json({ runs: await library.list() });
    case 'compare':
      return serveComparison(context);
    case 'history':
      return serveHistory(context);
    case 'flaky':
      return answer.json({ tests: await flakyTests(library) });
    default:
      return notFound(answer);
  }
}

interface RequestContext extends ApiContext {
  readonly answer: HttpResponse;
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
}

async function serveRun(run: RunDirectory, words: readonly string[], context: RequestContext): Promise<void> {
  const { answer, library, query } = context;
  const [part, number, ...rest] = words;
  if (rest.length > 0) return notFound(answer);
  if (part === undefined) {
    const facts = factsOf(run);
    const { description, live } = facts;
    const findings = await shownFindings(facts, context.sources);
    const can_run = (context.again !== undefined && context.again.refusal(run) === undefined) || undefined;
    return answer.json({ run: await library.quickRow(run, facts), description, live, findings, can_run });
  }
  if (part === 'results' && number !== undefined) return serveResult(run, number, context);
  if (number !== undefined) return notFound(answer);
  if (Object.hasOwn(PARTS, part)) return PARTS[part]!(run, context);
  const from = wholeNumber(query.get('from') ?? '0');
  if (part !== 'results' && part !== 'events') return notFound(answer);
  if (from === undefined) return answer.json({ error: '`from` must be the number of a row' }, 400);
  return part === 'results' ? serveRows(run, from, context) : answerEvents(run, from, context);
}

/** Of `/api/runs/ID/PART`. */
const PARTS: Readonly<Record<string, (run: RunDirectory, context: RequestContext) => void | Promise<void>>> =
  {
    labels: serveLabels,
    again: serveAgain,
    search: serveSearch,
    texts: serveTexts,
    targets: async (run, { answer, compareTargets }) =>
      answer.json({ comparisons: (await compareTargets?.(run)) ?? [] }),
    snippets: serveSnippets,
  };

/** The guard lets only labels through that may be written. */
async function serveLabels(run: RunDirectory, context: RequestContext): Promise<void> {
  const { answer, library, request, labels, redactor } = context;
  const index = library.index(run);
  if (request.method !== 'POST')
    return answer.json({
      ...(await runLabels(run, index)),
      ...(labels === undefined ? {} : { by: labels.by }),
    });
  const given = readNewLabel(await readJsonBody(request));
  if (typeof given === 'string') return answer.json({ error: given }, 400);
  const { by } = labels!;
  const note = given.note === undefined ? undefined : redactor.text(given.note);
  answer.json({ label: await addLabel(run, { ...given, note }, { index, by }) }, 201);
}

/** GET tells the command; POST starts it. The guard lets only those through that the server was started for. */
async function serveAgain(
  run: RunDirectory,
  { answer, library, request, query, again }: RequestContext,
): Promise<void> {
  if (again === undefined) return answer.json({ error: 'start it with `assay view --allow-run`' }, 403);
  const isStart = request.method === 'POST';
  const wanted = readAgainRequest(isStart ? await readJsonBody(request) : numbersOf(query));
  if (wanted === undefined) return answer.json({ error: 'this is no request to run something' }, 400);
  const args = await again.argumentsFor(run, wanted, library.index(run));
  if (!isStart) return answer.json({ command: ['assay', ...args.map(shellWord)].join(' ') });
  answer.json({ run_id: await again.start(run, args) }, 201);
}

function numbersOf(query: URLSearchParams): object {
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, name === 'what' ? value : wholeNumber(value)]),
  );
}

const MOST_SENT = 40;

/** What models were sent: `id` may occur several times. A text that is missing or damaged is left out. */
function serveTexts(run: RunDirectory, { answer, library, query }: RequestContext): void {
  const ids = query.getAll('id');
  if (ids.length > MOST_SENT) return answer.json({ error: `at most ${MOST_SENT} texts at once` }, 400);
  const file = library.texts(run);
  const found = ids.flatMap((id) => {
    const text = file.read(id);
    return text === undefined ? [] : [[id, text] as const];
  });
  answer.json({ texts: Object.fromEntries(found) });
}

const MOST_TEXTS = 20;
const MOST_SNIPPETS = 200;

/** `text` may occur several times. Without it, the search is only prepared. */
async function serveSearch(run: RunDirectory, { answer, library, query }: RequestContext): Promise<void> {
  const texts = query.getAll('text');
  if (texts.length > MOST_TEXTS) return answer.json({ error: `at most ${MOST_TEXTS} texts at once` }, 400);
  const search = library.search(run);
  if (texts.length === 0) await search.prepare();
  const matches = await search.find(texts, answer.gone);
  answer.json({ matches, searched: search.index.count });
  // The next search will be faster. If the run cannot be read any more, that search says so.
  await search.prepare().catch(() => {});
  // It has grown, so others may have to make room.
  library.search(run);
}

async function serveSnippets(run: RunDirectory, { answer, library, query }: RequestContext): Promise<void> {
  const indexes = (query.get('index') ?? '').split(',').map(wholeNumber);
  if (indexes.length > MOST_SNIPPETS || indexes.includes(undefined))
    return answer.json({ error: `\`index\` must be the numbers of at most ${MOST_SNIPPETS} rows` }, 400);
  const texts = query.getAll('text').slice(0, MOST_TEXTS);
  const search = library.search(run);
  answer.json({ snippets: await search.snippets(indexes as readonly number[], texts, answer.gone) });
}

const ROWS_TYPE = 'application/x-ndjson; charset=utf-8';

async function serveRows(
  run: RunDirectory,
  from: number,
  { answer, library }: RequestContext,
): Promise<void> {
  const { gone } = answer;
  for await (const { lines } of library.index(run).rowsFrom(from)) {
    if (gone.aborted) return;
    answer.begin(ROWS_TYPE);
    await answer.write(lines);
  }
  answer.begin(ROWS_TYPE);
  answer.end();
}

function answerEvents(run: RunDirectory, from: number, { answer, library }: RequestContext): Promise<void> {
  return writeEvents(answer, followRun(library, run, { from, signal: answer.gone }));
}

async function serveResult(run: RunDirectory, text: string, context: RequestContext): Promise<void> {
  const { answer, library, sources, editor } = context;
  const number = wholeNumber(text);
  if (number === undefined) return notFound(answer, 'result');
  try {
    const { description } = factsOf(run);
    const index = library.index(run);
    const pieces = await resultDetail(run, number, { index, description, sources, editor });
    if (pieces === undefined) return notFound(answer, 'result');
    answer.begin('application/json; charset=utf-8');
    for (const piece of pieces) await answer.write(piece);
    answer.end();
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    answer.json({ error: error.message }, 500);
  }
}

async function serveComparison({ answer, library, compare, query }: RequestContext): Promise<void> {
  const before = library.find(query.get('a') ?? '');
  const after = library.find(query.get('b') ?? '');
  if (before === undefined || after === undefined) return notFound(answer, 'run');
  try {
    const comparison = await compare(before, after);
    for (const run of [before, after]) refuseRemoved(run);
    return answer.json(comparison);
  } catch (error) {
    if (![before, after].every(({ path }) => isRun(path))) return notFound(answer, 'run');
    if (error instanceof DamagedRun) return answer.json({ error: error.message }, 409);
    throw error;
  }
}

async function serveHistory({ answer, library, query }: RequestContext): Promise<void> {
  const [file, test, target] = [query.get('file'), query.get('test'), query.get('target')];
  if (file === null || test === null || target === null)
    return answer.json({ error: 'a history needs a `file`, a `test` and a `target`' }, 400);
  return answer.json({ points: await testHistory(library, [file, test, target]) });
}

/** A run may be removed while it is read. */
function refuse(error: unknown, answer: HttpResponse): void {
  if (error instanceof RequestRefused) return answer.json({ error: error.message }, error.status);
  if (answer.hasBegun || !isRemoved(error)) throw error;
  notFound(answer, 'run');
}

function notFound(answer: HttpResponse, what: 'run' | 'result' | 'address' = 'address'): void {
  answer.json({ error: `there is no such ${what}` }, 404);
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
