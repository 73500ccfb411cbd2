import type { OfflineRules } from '../observe/block-connections.ts';
import { rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import type { BeforeCall } from '../observe/before-call.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { createCleanText, type CleanText } from '../../base/match/clean-text.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { ErrorKind } from '../../base/model/record.ts';
import type { RecordedCassettes } from '../../base/model/summary.ts';
import { MOST_CASSETTE_BYTES, type Cassette, type RecordedRepeat } from './cassette.ts';
import { CassetteError } from './cassette-error.ts';
import { readCassetteFile, unusable } from './cassette-file.ts';
import { cassettePath, type CassetteName } from './cassette-path.ts';
import { createPlaceText } from './own-places.ts';
import { markSecrets } from './hidden-text.ts';
import { printCassette } from './print-cassette.ts';
import { Track, type CassetteMode } from './track.ts';

export interface DeckOptions {
  readonly mode: CassetteMode;
  /** Where the files are. */
  readonly folder: string;
  /** Paths of suites are relative to it. */
  readonly base: string;
  readonly projectRoot: string;
  readonly ignore: readonly string[];
  readonly redactor: Redactor;
  /** While replaying: which hosts may be reached, and who is told of others. */
  readonly offline?: OfflineRules | undefined;
  /** Keep the delays that were recorded. */
  readonly withDelays: boolean;
  /** Replies come from a run: only its judges ask, and nothing is written. */
  readonly isJudgeOnly?: boolean | undefined;
  /** A recording goes on: what it wrote before stays. */
  readonly isResumed?: boolean | undefined;
}

/** How an attempt ended, and whether its last call met a fault. */
interface AttemptOutcome {
  readonly error: ErrorKind | undefined;
  readonly isFault: boolean;
}

type TapeNote = Pick<Finding, 'code' | 'message' | 'hint' | 'severity'>;

/** An attempt that ended so says nothing about what the model would answer. */
const UNRECORDED: ReadonlySet<ErrorKind> = new Set(['infrastructure', 'timeout', 'config', 'cassette']);

/** How an attempt ends that does not get over a fault: it would end so again. */
const FAULTY: ReadonlySet<ErrorKind> = new Set(['infrastructure', 'timeout']);

/** An attempt whose model calls are recorded or replayed. */
export interface TapedAttempt extends CassetteName {
  readonly repeat: number;
}

/** The cassettes of a run. */
export class CassetteDeck {
  private readonly options: DeckOptions;
  private readonly clean: CleanText;
  private readonly places: CleanText;
  private readonly written: WrittenRepeats;

  constructor(options: DeckOptions) {
    this.options = options;
    const ignore = createCleanText(options.ignore);
    const places = (this.places = createPlaceText(options));
    this.clean = (text, leftOut) => places(ignore(text, leftOut));
    this.written = new WrittenRepeats(options.isResumed === true);
  }

  /** What the run wrote. Undefined: it records nothing. */
  get recorded(): RecordedCassettes | undefined {
    const { mode, folder, isJudgeOnly } = this.options;
    if (mode === 'replay' || isJudgeOnly === true) return undefined;
    const { files, exchanges } = this.written;
    return { folder: relative('', folder) || '.', files: files.size, exchanges };
  }

  /** Throws a CassetteError for a file that cannot be used. */
  open(attempt: TapedAttempt): AttemptTape {
    const { mode, folder, base, redactor } = this.options;
    const file = relative(base, attempt.file).replaceAll('\\', '/');
    const own = targetName(attempt.target, base);
    const name = { file, test: redactor.text(attempt.test), target: redactor.text(own) };
    const path = cassettePath(folder, { ...name, test: attempt.test, target: own });
    const shown = relative('', path);
    const cassette = mode === 'record' ? undefined : readCassette(path, name);
    return new AttemptTape({
      ...this.options,
      clean: this.clean,
      places: this.places,
      written: this.written,
      attempt: { ...attempt, ...name },
      path,
      shown,
      cassette,
    });
  }
}

/** An agent that is named by its file has one name, however the path is written. */
function targetName(target: string, base: string): string {
  return isAbsolute(target) ? relative(base, target) : target.replace(/^\.\//, '');
}

/** Which repeats a run has written, by the paths of their files. */
class WrittenRepeats {
  private readonly isAll: boolean;
  private readonly repeats = new Map<string, Set<number>>();
  readonly files = new Set<string>();
  exchanges = 0;

  constructor(isAll: boolean) {
    this.isAll = isAll;
  }

  add(path: string, repeat: number): void {
    const known = this.repeats.get(path);
    if (known === undefined) this.repeats.set(path, new Set([repeat]));
    else known.add(repeat);
  }

  has(path: string, repeat: number): boolean {
    return this.isAll || this.repeats.get(path)?.has(repeat) === true;
  }
}

interface TapeOptions extends DeckOptions {
  readonly written: WrittenRepeats;
  readonly clean: CleanText;
  readonly places: CleanText;
  readonly attempt: TapedAttempt;
  readonly path: string;
  /** The path for messages. */
  readonly shown: string;
  /** Undefined: there is none yet. */
  readonly cassette: Cassette | undefined;
}

/** The recordings of one attempt. */
export class AttemptTape {
  private readonly options: TapeOptions;
  private readonly agent: Track;
  private readonly judge: Track;
  private readonly marker: Redactor;
  private lost = 0;
  /** Why the agent must have called a model, where nobody saw it. */
  private unseen: string | undefined;

  constructor(options: TapeOptions) {
    this.options = options;
    const { cassette, attempt, mode, clean, redactor, withDelays } = options;
    const recorded = cassette?.repeats.find(({ repeat }) => repeat === attempt.repeat);
    this.marker = markSecrets(redactor, `${attempt.file}::${attempt.test}`);
    const common = {
      mode,
      clean,
      redactor,
      marker: this.marker,
      withDelays,
      repeat: attempt.repeat,
      describeMissing: () => this.describeMissing(),
    };
    this.agent = new Track({ ...common, part: 'agent', recordings: recorded?.agent ?? [] });
    // What is ignored changes from run to run; what a judge reads was recorded, and must count.
    const judged = { ...common, clean: options.places };
    this.judge = new Track({ ...judged, part: 'judge', recordings: recorded?.judge ?? [] });
  }

  /** Nothing but what is recorded is there. */
  get isOffline(): boolean {
    return this.options.mode === 'replay';
  }

  get offline(): OfflineRules | undefined {
    return this.options.offline;
  }

  get beforeAgentCall(): BeforeCall {
    return this.agent.beforeCall;
  }

  get beforeJudgeCall(): BeforeCall {
    return this.judge.beforeCall;
  }

  /** How long the calls of a step took when they were recorded, where that time did not pass again. */
  replayedMs(step: number): number {
    return this.options.withDelays ? 0 : this.agent.replayedMs(step);
  }

  /** A call was made that may be of this attempt, and was not recorded. */
  readonly loseCall = (): void => void this.lost++;

  /** A reply tells of model calls beside those that were seen. */
  noteUnseen(reason: string): void {
    this.unseen ??= reason;
  }

  /** The attempt is over: writes what was recorded, in one piece. Says what people should know. */
  end(outcome: AttemptOutcome): readonly TapeNote[] {
    const { mode, isJudgeOnly } = this.options;
    if (isJudgeOnly === true) return [];
    const unseen = outcome.error === undefined ? this.describeUnseen() : [];
    if (mode === 'replay') return outcome.error === undefined ? [...unseen, ...this.describeUnused()] : [];
    const reason = this.whyNotSaved(outcome);
    if (reason !== undefined) return this.hasMade ? [this.notWritten(reason)] : [];
    if (unseen.length > 0) return unseen;
    if (mode === 'new' && !this.hasMade) return this.describeLost([]);
    try {
      return this.describeLost(this.save());
    } catch (error) {
      return [this.notWritten((error as Error).message)];
    }
  }

  private get hasMade(): boolean {
    return this.agent.hasMade || this.judge.hasMade;
  }

  /** An attempt that ended early, or whose model did not answer, says nothing: what was recorded before stays. */
  private whyNotSaved({ error, isFault }: AttemptOutcome): string | undefined {
    if (this.agent.isKeyRefused || this.judge.isKeyRefused) return 'the model API refused the key';
    if (error === undefined) return undefined;
    const says = `the attempt ended with an error of kind ${error}`;
    if (UNRECORDED.has(error)) return isFault && FAULTY.has(error) ? undefined : says;
    return error === 'agent' && !this.agent.isAnswered && !isFault ? says : undefined;
  }

  private notWritten(reason: string): TapeNote {
    return {
      severity: 'error',
      code: 'not_recorded',
      message: `${this.options.shown} was not written: ${reason}`,
    };
  }

  /** Returns why calls were left out. */
  private save(): readonly string[] {
    const { path, shown, attempt } = this.options;
    const { file, test, target, repeat } = attempt;
    const [agent, judge] = [this.agent.kept(), this.judge.kept()];
    const made: RecordedRepeat = { repeat, agent: agent.recordings, judge: judge.recordings };
    const others = this.earlierRepeats().filter((each) => each.repeat !== repeat);
    const isEmpty = made.agent.length + made.judge.length === 0;
    const all = [...others, ...(isEmpty ? [] : [made])].sort((a, b) => a.repeat - b.repeat);
    const left = [...agent.left, ...judge.left];
    this.options.written.add(path, repeat);
    if (all.length === 0) {
      // A test that asks no model needs no file.
      rmSync(path, { force: true });
      return left;
    }
    const text = printCassette(this.marker.value({ file, test, target, repeats: all }));
    if (Buffer.byteLength(text) > MOST_CASSETTE_BYTES)
      throw new CassetteError(`${shown} would be larger than ${MOST_CASSETTE_BYTES / 1024 / 1024} MB`);
    makeFolder(dirname(path), { root: this.options.projectRoot });
    writeCassette(path, text, this.options.projectRoot);
    this.options.written.files.add(path);
    this.options.written.exchanges += agent.added + judge.added;
    return left;
  }

  /**
   * As they are on the disk now: other repeats of the test may have ended since this one began. A recording replaces the file as a
   * whole: of what was there before, only what this run wrote stays.
   */
  private earlierRepeats(): readonly RecordedRepeat[] {
    const { path, attempt, mode, written } = this.options;
    if (mode === 'new') return readCassette(path, attempt)?.repeats ?? [];
    try {
      const { repeats = [] } = readCassette(path, attempt) ?? {};
      return repeats.filter(({ repeat }) => written.has(path, repeat));
    } catch (error) {
      // What cannot be read is recorded anew; what belongs to another test is not.
      if (error instanceof CassetteError && !(error instanceof OtherTestError)) return [];
      throw error;
    }
  }

  private describeMissing(): string {
    const { cassette, shown, attempt } = this.options;
    if (cassette === undefined) return `there is no cassette ${shown}. Record it with --cassettes record`;
    if (cassette.repeats.some(({ repeat }) => repeat === attempt.repeat))
      return `${shown} has no such request. If the change is meant, record it again with --cassettes record`;
    const known = cassette.repeats.map(({ repeat }) => repeat).join(', ');
    const only = known === '' ? '' : `, only ${known}`;
    return `${shown} has no repeat ${attempt.repeat}${only}. Record with the same --repeats`;
  }

  private describeUnused(): readonly TapeNote[] {
    const unused = [...this.agent.unused(), ...this.judge.unused()];
    if (unused.length === 0) return [];
    return [
      {
        severity: 'warning',
        code: 'cassette_unused',
        message: `${this.options.shown}: no call asked for ${unused.length === 1 ? 'recording' : 'recordings'} ${unused.join(', ')}`,
        hint: 'record the test again with --cassettes record',
      },
    ];
  }

  /** Of an agent that called a model, and none of whose calls Assay has. */
  private describeUnseen(): readonly TapeNote[] {
    if (this.unseen === undefined || this.agent.hasCalls || this.lost > 0) return [];
    const verb = this.options.mode === 'replay' ? 'replayed' : 'recorded';
    return [
      {
        severity: 'error',
        code: 'not_recorded',
        message: `nothing was ${verb}: ${this.unseen}, but Assay could not take part in its calls`,
        hint: 'let the agent call its model with fetch or node:http in its own process, or a program at the address that OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL names',
      },
    ];
  }

  private describeLost(left: readonly string[]): readonly TapeNote[] {
    const unread = this.agent.unreadable + this.judge.unreadable;
    const reasons = [
      ...(unread > 0
        ? [`${count(unread)}: Assay cannot read the body (packed, not JSON, or more than 10 MB)`]
        : []),
      ...(this.lost > 0 ? [`${count(this.lost)}: Assay cannot tell which test it belongs to`] : []),
      ...left,
    ];
    return reasons.map((reason) => ({
      severity: 'error',
      code: 'not_recorded',
      message: `a model call is not in ${this.options.shown}: ${reason}`,
      hint: 'the test cannot be replayed',
    }));
  }
}

function count(calls: number): string {
  return `${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

/** What a killed process leaves must not lie among the cassettes, which people commit. */
function writeCassette(path: string, text: string, projectRoot: string): void {
  const folder = join(projectRoot, '.assay', 'drafts');
  makeFolder(folder, { root: projectRoot });
  try {
    writeWhole(path, text, { flush: true, folder });
  } catch (error) {
    // The cassettes are on another disk, or another run has just removed the empty folder.
    if (!['EXDEV', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    writeWhole(path, text, { flush: true });
  }
}

/** A file at the place of another one's. */
class OtherTestError extends CassetteError {}

/** Undefined: there is none. */
function readCassette(path: string, { file, test, target }: CassetteName): Cassette | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const cassette = readCassetteFile(path);
  if (cassette.file === file && cassette.test === test && cassette.target === target) return cassette;
  const whose = `${cassette.file}, "${cassette.test}", target "${cassette.target}"`;
  throw new OtherTestError(unusable(relative('', path), `it is of another test: ${whose}`).message);
}
