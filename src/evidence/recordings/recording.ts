import type { Json, JsonObject } from '../../base/model/json.ts';
import type { RecordingName } from '../../base/model/recording-names.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { Trace } from '../trace.ts';

/** What a person said, and what the agent did until it answered. */
export interface RecordedTurn extends Trace {
  readonly input: string;
  /** Where in the file it begins. */
  readonly line: number;
  readonly start_ms?: number | undefined;
}

/** One conversation that an agent had elsewhere. */
export interface Recording {
  /** The test, in the words of the source: a session, a task, a sample. */
  readonly id: string;
  /** Which agent it was. */
  readonly target: string;
  readonly line: number;
  /** Of several recordings of one test. Counts from 1. */
  readonly repeat?: number | undefined;
  readonly turns: readonly RecordedTurn[];
  readonly description?: string | undefined;
  /** What other tools said about it. They decide nothing. */
  readonly scores?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Where the source tells it of the whole conversation only. */
  readonly token_usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
  readonly duration_ms?: number | undefined;
  /** The agent broke off. */
  readonly failure?: string | undefined;
}

/** Something in a file that cannot be read, or that Assay cannot represent. */
export interface RecordingProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly line: number;
}

export interface ReaderContext {
  /** The name of the file, without its folder and ending. */
  readonly name: string;
  readonly report: (problem: RecordingProblem) => void;
}

/** Reads one file, value by value. */
export interface RecordingReader {
  /** A line, an item of a list, or the whole document. Returns what is complete with it. */
  add(value: JsonObject, line: number): readonly Recording[] | void;
  /** A value of another file that belongs to this one: of a sub-agent, for example. They come first. */
  addPart?(value: JsonObject, line: number): void;
  end(): readonly Recording[];
}

/** How one tool writes down what agents did. One file each. */
export interface RecordingFormat {
  readonly name: RecordingName;
  /** For messages: "a Claude Code session". */
  readonly title: string;
  /** What `add` returns is made of several values: of lines that were written one by one. */
  readonly isSpread?: true | undefined;
  /** All files of it are one: a trace may be spread over them. */
  readonly isTogether?: true | undefined;
  /** Judged by the first values of a file. Two formats never recognise the same ones. */
  recognises(values: readonly JsonObject[]): boolean;
  /** What identifies the recording of a file, and of which other one it is a part. */
  link?(values: readonly JsonObject[]): {
    readonly key?: string | undefined;
    readonly partOf?: string | undefined;
  };
  open(context: ReaderContext): RecordingReader;
}

/** A reader of files in which each value is a recording, or several. */
export function readEach(
  read: (value: JsonObject, line: number, context: ReaderContext) => readonly Recording[],
): (context: ReaderContext) => RecordingReader {
  return (context) => ({ add: (value, line) => read(value, line, context), end: () => [] });
}

/** What a file is about, as text: ids may be numbers. */
export function idText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined;
}
