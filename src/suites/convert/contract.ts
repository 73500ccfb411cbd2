import type { Finding } from '../../base/model/finding.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import type { ForeignName } from './foreign-names.ts';

/** The definitions of another tool. One object per tool, in a folder of its own; `registry.ts` lists them. */
export interface ForeignFormat {
  /** For `--from`. */
  readonly name: ForeignName;
  /** What such a file is, for messages: "an ADK eval set". */
  readonly title: string;
  /** By the file's name and its outermost values. It must not claim files of other tools. */
  readonly recognises: (file: SniffedFile) => boolean;
  /** What `assay convert` needs to be told about this file, in its command: " --input question". */
  readonly hintOptions?: (file: ForeignFile) => string;
  /** Loaded when a file is converted: recognising one needs none of it. */
  readonly load: () => Promise<Convert>;
}

/** Pure: what it needs of other files comes through the context. Bad input gives findings, never an exception. */
type Convert = (file: ForeignFile, context: ConvertContext) => Conversion;

export interface ForeignFile {
  readonly path: string;
  readonly text: string;
}

export interface SniffedFile extends ForeignFile {
  /** The document; the first line of a `.jsonl` file; undefined if there is none or it cannot be parsed. */
  readonly value: Json | undefined;
}

export interface ConvertContext {
  readonly options: ConvertOptions;
  /** The text of a file that the converted one names, from its folder. Undefined if it cannot be read. */
  readonly readText: (path: string) => string | undefined;
  /** The files that a pattern of names matches, from its folder, in code point order. */
  readonly findFiles: (pattern: string) => readonly string[];
  /** The same path, as a suite in the folder of the result names it. */
  readonly pathFromResult: (path: string) => string;
}

/** What the file itself may leave open. */
export interface ConvertOptions {
  /** Where the input is: a column, or a path such as `inputs.question`. */
  readonly input?: string | undefined;
  /** The same for the expected answer. */
  readonly expected?: string | undefined;
  readonly id?: string | undefined;
  /** The class of an OpenAI eval. */
  readonly class?: string | undefined;
  /** Of an OpenAI eval. */
  readonly ignoreCase?: boolean | undefined;
  /** The file that registers an OpenAI eval. */
  readonly registry?: ForeignFile | undefined;
  /** What compares an answer with the expected one, if the file does not say. Default: `match`. */
  readonly evaluator?: ChosenEvaluator | undefined;
}

type ChosenEvaluator = 'match' | 'llm_judge';

export interface Conversion {
  /** Undefined if nothing could be converted. */
  readonly suite: ConvertedSuite | undefined;
  readonly findings: readonly Finding[];
  /** More files that the suite needs, such as a config with its targets. Paths are relative to the suite. */
  readonly files?: readonly ForeignFile[];
}

export interface ConvertedSuite {
  /** An eval file, as its author would write it. */
  readonly document: JsonObject;
  /** What becomes a comment in YAML. */
  readonly comments: readonly Comment[];
}

/** A comment before the value at this path, or at the end of the nearest list or mapping that is there. */
export interface Comment {
  readonly at: readonly PathSegment[];
  readonly text: string;
}
