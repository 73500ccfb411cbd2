import { listRuns, type RunDirectory } from '../../runs/journal/run-directory.ts';
import { parseRecord } from '../../runs/journal/journal-reader.ts';
import { readLineAt } from '../../runs/journal/record-file.ts';
import type { AgainRequest } from '../../base/model/page-data.ts';
import { rerunArguments } from '../../base/model/rerun-command.ts';
import { againArguments, givenOptions, isOfRecordings } from '../../base/model/run-again.ts';
import { sleep } from '../../base/system/system-time.ts';
import type { JournalIndex } from './journal-index.ts';
import { RequestRefused } from './request-refused.ts';
import { mergedFrom } from './run-row.ts';

/** Starts this program in a folder. Its `ended` resolves with what it printed last. */
export type StartRun = (
  args: readonly string[],
  folder: string,
) => { readonly ended: Promise<{ readonly exitCode: number | undefined; readonly said: string }> };

/** How often it looks for the new run. */
const LOOK_MS = 50;

/** Undefined if it is not a request. */
export function readAgainRequest(value: unknown): AgainRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { what, index, target, ...rest } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(rest).length > 0) return undefined;
  const isNumber = (number: unknown): number is number => Number.isInteger(number) && Number(number) >= 0;
  if (what === 'failures' && index === undefined && target === undefined) return { what };
  if (what === 'test' && isNumber(index) && target === undefined) return { what, index };
  return what === 'target' && isNumber(target) && index === undefined ? { what, target } : undefined;
}

/** Runs tests of a run again, as its rerun command does. */
export class RunAgain {
  private readonly projectRoot: string;
  private readonly startRun: StartRun;
  private readonly running = new Set<string>();

  constructor(projectRoot: string, startRun: StartRun) {
    this.projectRoot = projectRoot;
    this.startRun = startRun;
  }

  /** The arguments of the program. */
  async argumentsFor(
    run: RunDirectory,
    request: AgainRequest,
    index: JournalIndex,
  ): Promise<readonly string[]> {
    const refusal = this.refusal(run);
    if (refusal !== undefined) throw new RequestRefused(409, refusal);
    const description = run.description()!;
    switch (request.what) {
      case 'failures':
        return againArguments(description, { more: ['--last-failed'] });
      case 'target': {
        const name = description.targets?.[request.target]?.name;
        if (name === undefined) throw new RequestRefused(404, 'this run has no such target');
        return againArguments(description, { target: name });
      }
      case 'test': {
        const place = await index.placeOf(request.index);
        const record = place && parseRecord(readLineAt(run.journalPath, place));
        if (record === undefined) throw new RequestRefused(404, 'this run has no such result');
        return rerunArguments(record, givenOptions(description));
      }
    }
  }

  /** Why nothing of this run can be run again; undefined if it can. */
  refusal(run: RunDirectory): string | undefined {
    const description = run.description();
    if (description === undefined) return 'the description of this run is damaged';
    if (mergedFrom(description) !== undefined)
      return 'a merged run has no command of its own: run its parts again';
    if (isOfRecordings(description)) return 'a run of recordings has no agent that could be run again';
    const isOurs = listRuns(this.projectRoot).some(({ path }) => path === run.path);
    return isOurs ? undefined : 'this run was not made in this project';
  }

  /** The id of the new run, once it exists. */
  async start(run: RunDirectory, args: readonly string[]): Promise<string> {
    const folder = run.description()!.cwd;
    const key = JSON.stringify([folder, args]);
    if (this.running.has(key)) throw new RequestRefused(409, 'this is running already');
    this.running.add(key);
    const before = new Set(listRuns(this.projectRoot).map(({ runId }) => runId));
    let end: { readonly said: string } | undefined;
    const { ended } = this.startRun(args, folder);
    void ended
      .then((result) => (end = result))
      .catch((error: unknown) => (end = { said: error instanceof Error ? error.message : String(error) }))
      .finally(() => this.running.delete(key));
    for (;;) {
      const found = listRuns(this.projectRoot).find(({ runId }) => !before.has(runId));
      if (found !== undefined) return found.runId;
      if (end !== undefined) throw new RequestRefused(409, `it did not start: ${end.said}`);
      await sleep(LOOK_MS);
    }
  }
}
