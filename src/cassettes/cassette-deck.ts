import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { BeforeCall } from '../evidence/observe/before-call.ts';
import { writeWhole } from '../files/write-whole.ts';
import type { Redactor } from '../match/redact-secrets.ts';
import type { Finding } from '../model/finding.ts';
import { MOST_CASSETTE_BYTES, type Cassette, type RecordedRepeat } from './cassette.ts';
import { CassetteError } from './cassette-error.ts';
import { readCassetteFile, unusable } from './cassette-file.ts';
import { cassettePath, type CassetteName } from './cassette-path.ts';
import { createCleanText } from './clean-text.ts';
import type { CleanText } from './canonical-request.ts';
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
  /** Keep the delays that were recorded. */
  readonly withDelays: boolean;
}

/** An attempt whose model calls are recorded or replayed. */
export interface TapedAttempt extends CassetteName {
  readonly repeat: number;
  /** How often the test runs, where that is known. */
  readonly repeats?: number | undefined;
}

/** The cassettes of a run. */
export class CassetteDeck {
  private readonly options: DeckOptions;
  private readonly clean: CleanText;

  constructor(options: DeckOptions) {
    this.options = options;
    this.clean = createCleanText(options.ignore);
  }

  /** Throws a CassetteError for a file that cannot be used. */
  open(attempt: TapedAttempt): AttemptTape {
    const { mode, folder, base, redactor } = this.options;
    const file = relative(base, attempt.file).replaceAll('\\', '/');
    const name = { file, test: redactor.text(attempt.test), target: redactor.text(attempt.target) };
    const path = cassettePath(folder, { ...name, test: attempt.test, target: attempt.target });
    const shown = relative('', path);
    const cassette = mode === 'record' ? undefined : readCassette(path, name);
    return new AttemptTape({
      ...this.options,
      clean: this.clean,
      attempt: { ...attempt, ...name },
      path,
      shown,
      cassette,
    });
  }
}

interface TapeOptions extends DeckOptions {
  readonly clean: CleanText;
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

  constructor(options: TapeOptions) {
    this.options = options;
    const { cassette, attempt, mode, clean, redactor, withDelays } = options;
    const recorded = cassette?.repeats.find(({ repeat }) => repeat === attempt.repeat);
    const common = {
      mode,
      clean,
      redactor,
      withDelays,
      repeat: attempt.repeat,
      describeMissing: () => this.describeMissing(),
    };
    this.agent = new Track({ ...common, part: 'agent', recordings: recorded?.agent ?? [] });
    this.judge = new Track({ ...common, part: 'judge', recordings: recorded?.judge ?? [] });
  }

  /** Nothing but what is recorded is there. */
  get isOffline(): boolean {
    return this.options.mode === 'replay';
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

  /** The attempt is over: writes what was recorded, in one piece. Says what people should know. */
  end({
    isMeasured,
  }: {
    readonly isMeasured: boolean;
  }): readonly Pick<Finding, 'code' | 'message' | 'hint'>[] {
    const { mode } = this.options;
    if (mode === 'record' || this.agent.hasMade || this.judge.hasMade) this.save();
    return [...this.describeUnreadable(), ...(mode === 'replay' && isMeasured ? this.describeUnused() : [])];
  }

  /** The attempt ended in a way that says nothing: what was recorded before stays. */
  abandon(kind: string): readonly Pick<Finding, 'code' | 'message' | 'hint'>[] {
    if (!this.agent.hasMade && !this.judge.hasMade) return [];
    return [
      {
        code: 'not_recorded',
        message: `${this.options.shown} was not written: the attempt ended with an error of kind ${kind}`,
      },
    ];
  }

  private save(): void {
    const { path, shown, attempt } = this.options;
    const { file, test, target, repeat, repeats } = attempt;
    const made: RecordedRepeat = { repeat, agent: this.agent.kept(), judge: this.judge.kept() };
    const others = this.earlierRepeats().filter(
      (each) => each.repeat !== repeat && (repeats === undefined || each.repeat <= repeats),
    );
    const isEmpty = made.agent.length + made.judge.length === 0;
    const all = [...others, ...(isEmpty ? [] : [made])].sort((a, b) => a.repeat - b.repeat);
    // A test that asks no model needs no file.
    if (all.length === 0) return rmSync(path, { force: true });
    const text = printCassette(this.options.redactor.value({ file, test, target, repeats: all }));
    if (Buffer.byteLength(text) > MOST_CASSETTE_BYTES)
      throw new CassetteError(`${shown} would be larger than ${MOST_CASSETTE_BYTES / 1024 / 1024} MB`);
    mkdirSync(dirname(path), { recursive: true });
    writeCassette(path, text, this.options.projectRoot);
  }

  /** As they are on the disk now: other repeats of the test may have ended since this one began. */
  private earlierRepeats(): readonly RecordedRepeat[] {
    const { path, attempt, mode } = this.options;
    try {
      return readCassette(path, attempt)?.repeats ?? [];
    } catch (error) {
      // What cannot be read is recorded anew.
      if (error instanceof CassetteError && mode === 'record') return [];
      throw error;
    }
  }

  private describeMissing(): string {
    const { cassette, shown, attempt } = this.options;
    if (cassette === undefined) return `there is no cassette ${shown}. Record it with --cassettes record`;
    if (cassette.repeats.some(({ repeat }) => repeat === attempt.repeat))
      return `${shown} has no such request. If the change is meant, record it again with --cassettes record`;
    const known = cassette.repeats.map(({ repeat }) => repeat).join(', ');
    return `${shown} has no repeat ${attempt.repeat}, only ${known}. Record with the same --repeats`;
  }

  private describeUnused(): readonly Pick<Finding, 'code' | 'message' | 'hint'>[] {
    const unused = [...this.agent.unused(), ...this.judge.unused()];
    if (unused.length === 0) return [];
    return [
      {
        code: 'cassette_unused',
        message: `${this.options.shown}: no call asked for ${unused.length === 1 ? 'recording' : 'recordings'} ${unused.join(', ')}`,
        hint: 'record the test again with --cassettes record',
      },
    ];
  }

  private describeUnreadable(): readonly Pick<Finding, 'code' | 'message' | 'hint'>[] {
    const count = this.agent.unreadable + this.judge.unreadable;
    if (count === 0) return [];
    return [
      {
        code: 'not_recorded',
        message: `${count} model ${count === 1 ? 'call was' : 'calls were'} not recorded: Assay cannot read the body (packed, not JSON, or more than 10 MB)`,
      },
    ];
  }
}

/** What a killed process leaves must not lie among the cassettes, which people commit. */
function writeCassette(path: string, text: string, projectRoot: string): void {
  const folder = join(projectRoot, '.assay', 'drafts');
  mkdirSync(folder, { recursive: true });
  try {
    writeWhole(path, text, { flush: true, folder });
  } catch (error) {
    // The cassettes are on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    writeWhole(path, text, { flush: true });
  }
}

/** Undefined: there is none. */
function readCassette(path: string, { file, test, target }: CassetteName): Cassette | undefined {
  if (!existsSync(path)) return undefined;
  const cassette = readCassetteFile(path);
  if (cassette.file === file && cassette.test === test && cassette.target === target) return cassette;
  const whose = `${cassette.file}, "${cassette.test}", target "${cassette.target}"`;
  throw unusable(relative('', path), `it is of another test: ${whose}`);
}
