import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatDollars } from '../../base/model/dollars.ts';
import type { PlannedWork, Rerun } from '../../base/model/planned-work.ts';
import { epochMs, startTimer } from '../../base/system/system-time.ts';
import { EXIT } from '../command.ts';
import { describeWork } from './describe-work.ts';
import { RESUMED, type KeyReader } from './key-reader.ts';
import { startRun, type RunEnd, type StartedRun } from './start-run.ts';
import {
  createQuestion,
  filterText,
  footer,
  KEYS_HELP,
  type WatchFilter,
  type WatchOutput,
} from './watch-screen.ts';

/** A run that was told twice to stop has this long to end the agents that it started. */
const LAST_GRACE_MS = 2000;

/** Why something runs. */
interface Cause {
  /** For people; empty if it is the changes. */
  readonly reason: string;
  readonly changes?: readonly string[] | undefined;
  readonly rerun?: Rerun | undefined;
  /** Words to add to the command line of this run only. */
  readonly words?: readonly string[] | undefined;
  /** A person wants it: it shows its results even if nothing changed. */
  readonly isWanted: boolean;
}

interface WatchSettings {
  /** The command line, without the paths. */
  /** The file that was started: Assay itself. */
  readonly script: string;
  readonly words: readonly string[];
  readonly paths: readonly string[];
  /** The filter by name at the start; empty for all tests. */
  readonly grep: string;
  /** The estimated cost in USD above which a person is asked. */
  readonly askAbove: number;
  readonly folder: string;
  /** The folder that the runs start in. */
  readonly cwd: string;
  readonly output: WatchOutput;
  /** Called with files outside of the folder that agents consist of. */
  readonly onOutside: (paths: readonly string[]) => void;
  /** Called with the files that the reporters of a run write. */
  readonly onReports: (paths: readonly string[]) => void;
}

/** Runs tests one run at a time, as files change and as a person wants. */
export class WatchSession {
  readonly ended: Promise<number>;
  private end!: (exitCode: number) => void;
  private readonly settings: WatchSettings;
  private keys: KeyReader | undefined;
  private run: StartedRun | undefined;
  private isEnding = false;
  /** What to do when the current run has ended. */
  private next: Cause | undefined;
  private readonly changed = new Set<string>();
  private filter: WatchFilter;
  /** The current run has shown something. */
  private hasShown = false;
  /** The last run showed errors of files, and not all results: these are shown once the errors are fixed. */
  private hasErrors = false;
  private last: readonly string[] = [];
  /** The last key that was pressed during a run. */
  private waitingKey: string | undefined;
  private answer: ((isYes: boolean) => void) | undefined;
  /** When the last runs called agents. A change that a run made may be noticed only after the next run. */
  private recentWork: readonly { readonly from: number; readonly to: number }[] = [];
  /** How many runs in a row were caused only by what changed during the run before. */
  private inARow = 0;
  /** Files and folders that changed during two runs in a row: agents write there. */
  private readonly outputs = new Set<string>();
  private before: ReadonlySet<string> = new Set();
  /** Somebody types a filter: nothing may be written over it. */
  private isAsking = false;
  private isGone = false;
  /** Files and folders that nothing depends on, and that changed during a run: an agent may write there. */
  private readonly quiet = new Set<string>();

  constructor(settings: WatchSettings) {
    this.settings = settings;
    this.filter = { grep: settings.grep, pattern: '' };
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  useKeys(keys: KeyReader): void {
    this.keys = keys;
  }

  start(): void {
    this.request({ reason: 'Started', isWanted: true });
  }

  filesChanged(paths: readonly string[]): void {
    for (const path of paths) this.changed.add(path);
    this.startNext();
  }

  /** Nothing runs until the folder is back. */
  folderGone(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.tell(`The folder ${this.settings.folder} no longer exists. Assay waits until it is back.`);
  }

  folderBack(): void {
    this.isGone = false;
    this.request({ reason: 'The folder is back', isWanted: true });
  }

  tell(message: string): void {
    const { colors, write } = this.settings.output;
    write(`${colors.yellow(message)}\n`);
  }

  async press(key: string): Promise<void> {
    if (key === RESUMED) return this.showAgain();
    if (this.answer !== undefined) return this.answerWith(key);
    if (key === '\u0003' || key === 'q') return this.stop(key === 'q' ? 0 : 130);
    if (this.run !== undefined) {
      this.waitingKey = key;
      return;
    }
    switch (key) {
      case 'a':
        this.filter = { grep: '', pattern: '' };
        return this.request({ reason: 'All tests', rerun: 'all', isWanted: true });
      case 'f':
        return this.request({ reason: 'Tests that did not pass', rerun: 'failed', isWanted: true });
      case 'u':
        return this.request({ reason: 'Update expected values', words: ['--update'], isWanted: true });
      case '\r':
      case '\n':
        return this.request({ reason: 'The same again', rerun: this.last, isWanted: true });
      case 't':
        return this.choose('grep', 'Only tests whose name matches (empty: all): ');
      case 'p':
        return this.choose('pattern', 'Only files whose path contains (empty: all): ');
      case 'h':
      case '?':
        return this.settings.output.write(KEYS_HELP);
      default:
        return undefined;
    }
  }

  /** Ends the current run in order, and then the watch. A second time, at once. */
  stop(exitCode: number): void {
    const { run } = this;
    this.answer?.(false);
    if (run === undefined) return this.end(exitCode);
    if (this.isEnding) startTimer(() => run.child.kill('SIGKILL'), LAST_GRACE_MS);
    else void run.ended.then(() => this.end(exitCode));
    this.isEnding = true;
    run.child.kill('SIGINT');
  }

  private request(cause: Cause): void {
    this.next = cause;
    this.startNext();
  }

  private startNext(): void {
    if (this.isEnding || this.isAsking || this.run !== undefined) return;
    const { folder, cwd, script, words, paths } = this.settings;
    if (this.isGone || !existsSync(folder)) return this.folderGone();
    const changes = [...this.changed];
    this.changed.clear();
    const cause =
      this.next ?? (changes.length === 0 ? undefined : { reason: '', changes, isWanted: this.hasErrors });
    this.next = undefined;
    if (cause === undefined) return;
    const isFollowUp = this.isFollowUp(cause);
    if (this.inARow > MOST_IN_A_ROW) return;
    const startedAt = epochMs();
    let planned: number | undefined;
    let hasWork = false;
    this.run = startRun({
      script,
      words: [...words, ...this.grepWords(), ...(cause.words ?? [])],
      paths: this.filter.pattern === '' ? paths : [this.filter.pattern],
      cwd,
      rerun: cause.rerun,
      isFollowUp,
      onReports: this.settings.onReports,
      onOutside: this.settings.onOutside,
      decide: (work) => {
        planned = work.attempts.length;
        hasWork = planned + work.regraded > 0;
        return this.decide(cause, work);
      },
    });
    this.hasShown = cause.isWanted;
    void this.run.ended.then((end) => {
      // An agent that cannot be loaded is noticed only when it is to run.
      const isInvalid = (end.exitCode ?? EXIT.invalid) === EXIT.invalid;
      if (hasWork)
        this.recentWork = [...this.recentWork.slice(-MOST_IN_A_ROW), { from: startedAt, to: epochMs() }];
      this.hasErrors = planned === undefined || (planned > 0 && isInvalid);
      this.runEnded(end);
    });
  }

  private runEnded({ exitCode, problem }: RunEnd): void {
    this.run = undefined;
    if (this.isEnding) return;
    if (problem !== undefined) this.tell(problem);
    if (this.hasShown || exitCode !== 0) this.writeFooter();
    const key = this.waitingKey;
    this.waitingKey = undefined;
    if (key !== undefined) void this.press(key);
    // Files may have been saved during the run, and not every key starts one.
    this.startNext();
  }

  private async decide(cause: Cause, work: PlannedWork): Promise<boolean> {
    const { changes, isWanted } = cause;
    const { askAbove, output } = this.settings;
    const { colors, write } = output;
    const hasWork = work.attempts.length > 0 || work.regraded > 0 || work.has_other_tests;
    // The run has read what changed since it was started, too.
    const changed = [...(changes ?? []), ...this.changed];
    this.settings.onOutside(work.outside);
    if (!hasWork && !isWanted) {
      this.writeIdle(changed);
      return false;
    }
    this.hasShown = true;
    const reason = changes === undefined ? cause.reason : this.changedText(changed);
    write(`\n${colors.bold(reason)} ${colors.dim(`· ${describeWork(work)}`)}\n`);
    if (work.attempts.length > 0) this.last = work.attempts;
    if (this.keys === undefined || (work.cost_usd ?? 0) <= askAbove) return true;
    write(`This may cost more than ${formatDollars(askAbove)}. Run it? ${colors.dim('y / n')} `);
    const isYes = await new Promise<boolean>((resolve) => (this.answer = resolve));
    this.answer = undefined;
    write(isYes ? 'yes\n' : 'no\n');
    return isYes;
  }

  /**
   * What an agent writes must not run it for ever. A run notices whether the files that an agent is seen to use have changed; an
   * agent of which nobody knows what it uses is called once more, since somebody may have edited a file meanwhile, and then no more.
   */
  private isFollowUp({ changes = [] }: Cause): boolean {
    const isOwn = changes.length > 0 && changes.every((path) => this.isOfRecentRun(path));
    this.inARow = isOwn ? this.inARow + 1 : 0;
    const subjects = new Set(changes.flatMap(placesOf));
    const again = [...subjects].filter((path) => this.before.has(path) && !this.outputs.has(path));
    this.before = isOwn ? subjects : new Set();
    if (this.inARow > 1) for (const path of again) this.outputs.add(path);
    if (this.inARow === MOST_IN_A_ROW + 1)
      this.tell(
        `Each of the last ${MOST_IN_A_ROW} runs changed files of the next one. Assay waits for your next edit.`,
      );
    else if (this.inARow > 1 && this.inARow <= MOST_IN_A_ROW && again.length > 0)
      this.tell(
        `${shortList(changes)} changed while tests ran, again. Assay treats this as output of the agent. If you edited it, ${this.runAllHint()}.`,
      );
    const isKnown = (path: string): boolean => placesOf(path).some((place) => this.outputs.has(place));
    return isOwn && (this.inARow > 1 || changes.every(isKnown));
  }

  private isOfRecentRun(path: string): boolean {
    const savedMs = this.changedAt(path);
    return (
      savedMs !== undefined &&
      this.recentWork.some(({ from, to }) => savedMs >= from - CLOCK_MS && savedMs <= to)
    );
  }

  /** When a file was saved, moved there or removed. */
  private changedAt(path: string): number | undefined {
    const place = join(this.settings.folder, path);
    const stats =
      statSync(place, { throwIfNoEntry: false }) ?? statSync(dirname(place), { throwIfNoEntry: false });
    return stats && Math.max(stats.mtimeMs, stats.ctimeMs);
  }

  private runAllHint(): string {
    return this.keys === undefined ? 'edit it again' : 'press `a`';
  }

  /** Somebody who edits a file that Assay knows nothing of must not wait for a run. */
  private writeIdle(paths: readonly string[]): void {
    // What an agent writes during each run is not worth a line.
    const edited = paths.filter((path) => {
      if (!this.isOfRecentRun(path)) return true;
      const places = [path, dirname(path)];
      if (places.some((place) => place !== '.' && this.quiet.has(place))) return false;
      for (const place of places) this.quiet.add(place);
      return true;
    });
    if (edited.length === 0) return;
    const { colors, write } = this.settings.output;
    const hint = this.keys === undefined ? '' : ', `a` runs all tests';
    write(`${colors.dim(`${shortList(edited)} changed · nothing to run${hint}`)}\n`);
  }

  private answerWith(key: string): void {
    if (key === '\u0003') return this.stop(130);
    if (/^y$/i.test(key)) this.answer?.(true);
    if (['n', 'N', 'q', '\u001B'].includes(key)) this.answer?.(false);
  }

  private grepWords(): readonly string[] {
    const { grep } = this.filter;
    return grep === '' ? [] : [`--grep=${grep}`];
  }

  private changedText(paths: readonly string[]): string {
    // A temporary file is gone by now. A log that an agent writes is older than the edit that matters.
    const left = [...new Set(paths)]
      .map((path) => ({ path, at: this.savedAt(path) }))
      .filter(({ at }) => at !== undefined)
      .sort((a, b) => b.at! - a.at!)
      .map(({ path }) => path);
    return `${shortList(left.length === 0 ? paths : left)} changed`;
  }

  private savedAt(path: string): number | undefined {
    return statSync(join(this.settings.folder, path), { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Given up with Escape, the filter stays as it is and nothing runs. */
  private async choose(name: 'grep' | 'pattern', question: string): Promise<void> {
    this.isAsking = true;
    const typed = await this.keys?.readLine(createQuestion(this.settings.output, question));
    this.isAsking = false;
    if (typed === undefined) {
      this.writeFooter();
      return this.startNext();
    }
    this.filter = { ...this.filter, [name]: typed };
    this.request({ reason: filterText(this.filter), isWanted: true });
  }

  /** After Ctrl-Z and `fg`, the shell has written over what was there. */
  private showAgain(): void {
    if (this.isAsking) this.keys?.showLine();
    else if (this.answer !== undefined) this.settings.output.write('Run it? y / n ');
    else if (this.run === undefined) this.writeFooter();
  }

  private writeFooter(): void {
    const { output } = this.settings;
    output.write(footer(output, { filter: this.filter, hasKeys: this.keys !== undefined }));
  }
}

/** A loop of agents that read what others write ends. */
const MOST_IN_A_ROW = 5;
/** The clock of file systems is a little late. */
const CLOCK_MS = 20;

/** A file, and its folder: a new file may have a name that nobody has seen before. */
function placesOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === '.' ? [path] : [path, folder];
}

function shortList([first, ...others]: readonly string[]): string {
  if (others.length === 0) return first!;
  return `${first} and ${others.length} more ${others.length === 1 ? 'file' : 'files'}`;
}
