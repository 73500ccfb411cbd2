import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { epochMs } from '../../system-time.ts';
import { formatDollars } from '../../model/dollars.ts';
import type { PlannedWork, Rerun } from '../../model/planned-work.ts';
import type { Colors } from '../../reporters/colors.ts';
import { describeWork } from './describe-work.ts';
import type { KeyReader } from './key-reader.ts';
import { startRun, type StartedRun } from './start-run.ts';

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
  readonly words: readonly string[];
  readonly paths: readonly string[];
  /** The estimated cost in USD above which a person is asked. */
  readonly askAbove: number;
  readonly folder: string;
  readonly colors: Colors;
  readonly write: (text: string) => void;
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
  private grep = '';
  private pattern = '';
  /** The current run has shown something. */
  private hasShown = false;
  /** The last run showed only errors of files: the results are shown once these are fixed. */
  private hasErrors = false;
  private last: readonly string[] = [];
  /** The last key that was pressed during a run. */
  private waitingKey: string | undefined;
  private answer: ((isYes: boolean) => void) | undefined;
  private lastEnded = 0;
  /** Output of agents that was named already. */
  private readonly namedOutput = new Set<string>();

  constructor(settings: WatchSettings) {
    this.settings = settings;
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
    if (this.run === undefined) this.startNext();
  }

  tell(message: string): void {
    this.settings.write(`${this.settings.colors.yellow(message)}\n`);
  }

  async press(key: string): Promise<void> {
    if (this.answer !== undefined) return this.answerWith(key);
    if (key === '\u0003' || key === 'q') return this.stop(key === 'q' ? 0 : 130);
    if (this.run !== undefined) {
      this.waitingKey = key;
      return;
    }
    switch (key) {
      case 'a':
        return this.request({ reason: 'All tests', rerun: 'all', isWanted: true });
      case 'f':
        return this.request({ reason: 'Tests that did not pass', rerun: 'failed', isWanted: true });
      case 'u':
        return this.request({ reason: 'Update expected values', words: ['--update'], isWanted: true });
      case '\r':
      case '\n':
        return this.request({ reason: 'The same again', rerun: this.last, isWanted: true });
      case 't':
        this.grep = (await this.ask('Only tests whose name matches (empty: all): ')) ?? this.grep;
        return this.request({ reason: this.filterText(), isWanted: true });
      case 'p':
        this.pattern = (await this.ask('Only files whose path contains (empty: all): ')) ?? this.pattern;
        return this.request({ reason: this.filterText(), isWanted: true });
      case 'h':
      case '?':
        return this.settings.write(KEYS_HELP);
      default:
        return undefined;
    }
  }

  /** Ends the current run in order, and then the watch. A second time, at once. */
  stop(exitCode: number): void {
    this.answer?.(false);
    if (this.run === undefined || this.isEnding) {
      this.run?.child.kill('SIGKILL');
      return this.end(exitCode);
    }
    this.isEnding = true;
    this.run.child.kill('SIGINT');
    void this.run.ended.then(() => this.end(exitCode));
  }

  private request(cause: Cause): void {
    this.next = cause;
    if (this.run === undefined) this.startNext();
  }

  private startNext(): void {
    if (this.isEnding) return;
    const changes = [...this.changed];
    this.changed.clear();
    const cause =
      this.next ?? (changes.length === 0 ? undefined : { reason: '', changes, isWanted: this.hasErrors });
    this.next = undefined;
    if (cause === undefined) return;
    if (!existsSync(this.settings.folder))
      return this.tell(`The folder ${this.settings.folder} no longer exists. Assay waits until it is back.`);
    this.run = startRun({
      words: [...this.settings.words, ...this.filterWords(), ...(cause.words ?? [])],
      rerun: cause.rerun,
      decide: (work) => {
        hasBegun = true;
        return this.decide(cause, work);
      },
    });
    this.hasShown = cause.isWanted;
    let hasBegun = false;
    void this.run.ended.then((exitCode) => {
      this.run = undefined;
      this.lastEnded = epochMs();
      if (this.isEnding) return;
      this.hasErrors = !hasBegun;
      if (this.hasShown || exitCode !== 0) this.writeFooter();
      const key = this.waitingKey;
      this.waitingKey = undefined;
      if (key === undefined) this.startNext();
      else void this.press(key);
    });
  }

  private async decide(cause: Cause, work: PlannedWork): Promise<boolean> {
    const { changes, isWanted } = cause;
    const { colors, write, askAbove } = this.settings;
    const hasWork = work.attempts.length > 0 || work.regraded > 0 || work.has_other_tests;
    // The run has read what changed since it was started, too.
    const changed = [...(changes ?? []), ...this.changed];
    this.nameOutput(work.own_output);
    if (!hasWork && !isWanted) {
      this.writeIdle(changed.filter((path) => !work.own_output.includes(path)));
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

  /** Once for each file: an agent may write it with every call. */
  private nameOutput(paths: readonly string[]): void {
    const news = paths.filter((path) => !this.namedOutput.has(path));
    for (const path of news) this.namedOutput.add(path);
    if (news.length > 0)
      this.tell(`${shortList(news)} changed while tests ran. Assay takes this for output of the agent.`);
  }

  /** Somebody who edits a file that Assay knows nothing of must not wait for a run. */
  private writeIdle(paths: readonly string[]): void {
    // What an agent wrote during the last run is not worth a line.
    const edited = paths.filter((path) => (this.savedAt(path) ?? Infinity) > this.lastEnded);
    if (edited.length === 0) return;
    const { colors, write } = this.settings;
    const hint = this.keys === undefined ? '' : ', `a` runs all tests';
    write(`${colors.dim(`${shortList(edited)} changed · nothing to run${hint}`)}\n`);
  }

  private answerWith(key: string): void {
    if (key === '\u0003') return this.stop(130);
    if (/^y$/i.test(key)) this.answer?.(true);
    if (['n', 'N', 'q', '\u001B'].includes(key)) this.answer?.(false);
  }

  private filterWords(): readonly string[] {
    const { paths } = this.settings;
    return [
      ...(this.grep === '' ? [] : [`--grep=${this.grep}`]),
      ...(this.pattern === '' ? paths : [this.pattern]),
    ];
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

  private filterText(): string {
    const parts = [
      ...(this.grep === '' ? [] : [`tests that match ${JSON.stringify(this.grep)}`]),
      ...(this.pattern === '' ? [] : [`files with ${JSON.stringify(this.pattern)}`]),
    ];
    return parts.length === 0 ? 'All tests' : `Only ${parts.join(', ')}`;
  }

  private async ask(question: string): Promise<string | undefined> {
    const { write } = this.settings;
    let isFirst = true;
    return this.keys?.readLine((typed) => {
      write(`${isFirst ? '' : LINE_UP}${question}${typed}\n`);
      isFirst = false;
    });
  }

  private writeFooter(): void {
    const { colors, write } = this.settings;
    const keys = this.keys === undefined ? '' : ` ${colors.dim(KEYS)}`;
    write(`\n${colors.bold('Waiting for changes')}${keys}\n`);
  }
}

function shortList([first, ...others]: readonly string[]): string {
  if (others.length === 0) return first!;
  return `${first} and ${others.length} more ${others.length === 1 ? 'file' : 'files'}`;
}

/** To the line above, which is cleared: in the sequences that `guardText` lets through. */
const LINE_UP = '\u001B[1F\u001B[0J';
const KEYS = 'a all · f failed · t tests · p paths · u update · enter again · q quit';
const KEYS_HELP = `
  a      run all tests
  f      run the tests that did not pass
  t      choose tests by name
  p      choose files by path
  u      replace expected values of failed tests with the actual ones
  enter  run the same tests again
  q      quit
`;
