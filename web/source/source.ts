import type { Comparison, ListedComparison } from '../../src/base/model/comparison.ts';
import type { Json } from '../../src/base/model/json.ts';
import type { NewLabel, RunLabels } from '../../src/base/model/label.ts';
import type {
  AgainRequest,
  FlakyTest,
  HistoryPoint,
  LiveState,
  ResultDetail,
  ResultRow,
  RunRow,
  ShownFinding,
} from '../../src/base/model/page-data.ts';
import type { TestName } from '../../src/base/model/test-map.ts';
import type { Snippet } from '../../src/base/model/search-text.ts';

/** Where the page's data comes from: the server of `assay view`, or the file that contains the page. */
export interface Source {
  /** A file contains one run: there is nothing to compare it with. */
  readonly holds: 'all runs' | 'one run';
  /** The newest first. */
  runs(signal: AbortSignal): Promise<readonly RunRow[]>;
  run(runId: string, signal: AbortSignal): Promise<RunDetail>;
  /** The rows from this one on, in pieces as they arrive. */
  results(runId: string, request: RowsRequest): Promise<void>;
  result(runId: string, index: number, signal: AbortSignal): Promise<ResultDetail>;
  /** Texts that records of a run refer to, by their ids. One that is missing or damaged is not in the answer. */
  texts(
    runId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>;
  /** In which records each text occurs: in inputs, outputs and tool calls. */
  search(runId: string, texts: readonly string[], signal: AbortSignal): Promise<Found>;
  /** Where the texts occur in some records. */
  snippets(runId: string, request: SnippetRequest): Promise<Readonly<Record<number, Snippet>>>;
  labels(runId: string, signal: AbortSignal): Promise<RunLabels>;
  /** Writes a label. Absent where none can be written. */
  addLabel?(runId: string, label: NewLabel): Promise<void>;
  /** Runs tests of a run again. Absent where nothing can be started. */
  again?: Again | undefined;
  /** The changes in a run in progress, from this row on. Ends by itself, or by the signal. */
  follow(runId: string, request: FollowRequest): void;
  /** Each target of a run with the first one. */
  compareTargets(runId: string, signal: AbortSignal): Promise<readonly Comparison[]>;
  compare(before: string, after: string, signal: AbortSignal): Promise<ListedComparison>;
  /** The oldest first. */
  history(test: TestName, signal: AbortSignal): Promise<readonly HistoryPoint[]>;
  flaky(signal: AbortSignal): Promise<readonly FlakyTest[]>;
}

interface Again {
  /** The command that it starts. */
  command(runId: string, request: AgainRequest): Promise<string>;
  /** The id of the new run. */
  start(runId: string, request: AgainRequest): Promise<string>;
}

export interface RunDetail {
  readonly run: RunRow;
  /** The options: `run.json`. */
  readonly description?: { readonly [key: string]: Json } | undefined;
  readonly live?: LiveState | undefined;
  /** What is wrong in its files. */
  readonly findings?: readonly ShownFinding[] | undefined;
  /** What a report left out. */
  readonly cut?: string | undefined;
  /** The server starts runs. */
  readonly can_run?: boolean | undefined;
}

export interface Found {
  /** By text: the indexes of the records. */
  readonly matches: readonly (readonly number[])[];
  /** What could not be searched, for people. */
  readonly note?: string | undefined;
}

interface SnippetRequest {
  readonly indexes: readonly number[];
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

export interface RowsRequest {
  readonly from: number;
  readonly onRows: (rows: readonly ResultRow[]) => void;
  readonly signal: AbortSignal;
}

export interface FollowRequest extends RowsRequest {
  readonly onRun: (detail: Pick<RunDetail, 'run' | 'live'>) => void;
  readonly onEnd: () => void;
  readonly onGone: (error: Error) => void;
}
