import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AttemptRecord } from '../model/record.ts';
import { printJson } from '../model/print-json.ts';

const FLUSH_MS = 250;

/** The folder of one run: what was asked, a line for each finished attempt, and a summary once it has ended. */
export class RunDirectory {
  readonly runId: string;
  readonly path: string;
  private readonly journal: number;
  private pending: string[] = [];
  private timer: NodeJS.Timeout | undefined;

  private constructor(runId: string, path: string) {
    this.runId = runId;
    this.path = path;
    this.journal = openSync(join(path, 'results.jsonl'), 'a', 0o600);
  }

  static create(projectRoot: string, asked: unknown): RunDirectory {
    const runs = runsFolder(projectRoot);
    const runId = createRunId(new Date());
    const path = join(runs, runId);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const ignore = join(projectRoot, '.assay', '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
    writeFileSync(join(path, 'run.json'), `${printJson(asked, '  ')}\n`, { mode: 0o600 });
    const directory = new RunDirectory(runId, path);
    directory.pending.push(`${JSON.stringify({ assay_journal: 1, run_id: runId })}\n`);
    return directory;
  }

  append(record: AttemptRecord): void {
    this.pending.push(`${printJson(record)}\n`);
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.length > 0) writeSync(this.journal, this.pending.join(''));
    this.pending = [];
  }

  /** Writes the summary in one step: its absence means that the run did not end. */
  end(summary: unknown): void {
    this.flush();
    closeSync(this.journal);
    const temporary = join(this.path, 'summary.json.tmp');
    writeFileSync(temporary, `${printJson(summary, '  ')}\n`, { mode: 0o600 });
    renameSync(temporary, join(this.path, 'summary.json'));
  }
}

/** The tests of the latest run that did not pass, named `file::test`; undefined when there is no run. */
export function lastFailedTests(projectRoot: string): ReadonlySet<string> | undefined {
  const runs = runsFolder(projectRoot);
  if (!existsSync(runs)) return undefined;
  const latest = readdirSync(runs).sort().at(-1);
  if (latest === undefined) return undefined;
  const tests = new Set<string>();
  for (const line of readFileSync(join(runs, latest, 'results.jsonl'), 'utf8').split('\n').slice(1)) {
    if (line === '') continue;
    const { file, test, verdict } = JSON.parse(line) as AttemptRecord;
    if (verdict === 'failed' || verdict === 'error') tests.add(`${file}::${test}`);
  }
  return tests;
}

function runsFolder(projectRoot: string): string {
  return join(projectRoot, '.assay', 'runs');
}

/** Sorts by time, and is unique. */
function createRunId(now: Date): string {
  return `${now.toISOString().replaceAll(/[-:]/g, '').replace('.', '-').replace('Z', '')}-${randomBytes(3).toString('hex')}`;
}
