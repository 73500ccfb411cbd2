import type { JsonObject, Json } from '../../base/model/json.ts';
import type { ObserveSettings } from '../../base/schema/observe-schema.ts';
import type { AttemptLimits } from '../../base/model/limits.ts';
import type { UnsetOption } from '../llm/unset-options.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import type { ObjectSchema, CompleteOf } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import type { JsonSchema, Schema } from '../../base/schema/schema.ts';
import type { Agent, NowOrLater, Observing } from '../contract.ts';

/** What every target has. */
export interface AnyTarget {
  readonly name: string;
  readonly workers?: number;
  readonly judge_target?: string;
  readonly depends_on?: readonly string[];
  readonly limits?: AttemptLimits;
  readonly observe?: boolean | 'otel' | ObserveSettings;
  readonly with?: JsonObject;
}

/** Where an agent runs, and how. */
interface AgentPlace extends ProcessOptions {
  /** Whether its model calls are watched. Undefined: as its kind does. */
  readonly observe?: Observing | undefined;
  /** Somebody wants to know which files it uses. */
  readonly seesInputs?: boolean | undefined;
  /** Default: the folder it runs in. */
  readonly projectRoot?: string | undefined;
  /** Those variables of `env` that the target sets itself. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A kind of target: how one is recognised, what it may say, and the agent that it describes. */
export interface TargetKind<T extends AnyTarget = AnyTarget> {
  /** For people who read the code and its tests. */
  readonly name: string;
  /** The keys that only targets of this kind have. The first is named where somebody gives none. */
  readonly keys?: readonly string[];
  /** The values of `provider` that mean this kind, in every spelling. */
  readonly providers?: readonly string[];
  /** What a target of this kind may say. */
  readonly schema: Schema<unknown>;
  /** Whether a target is of this kind, as its author wrote it. The first kind of the registry that says so decides. */
  matches(target: JsonObject): boolean;
  /** The same for editors, as a JSON Schema. Without it, `providers` decide; kinds that share a schema need it once. */
  readonly when?: JsonSchema;
  /** The agent. What it needs is loaded here, so that other kinds do not pay for it. */
  create(target: T, place: AgentPlace): NowOrLater<Agent>;
  /**
   * Targets of this kind as people write them. The contract suite makes agents of them: it has the files `agent.ts`, `agent.py`
   * and `agent`, and a server at `http://127.0.0.1:8000`.
   */
  readonly examples: readonly JsonObject[];
  /** Checks that make sense only before variables have their values. */
  checkAuthored?(target: Json, reader: Reader): void;
  /** Leaves out optional settings whose variables are not set. */
  withoutUnset?(target: T, env: SetupPlace['env']): WithoutUnset<T>;
  /** The target as its author wrote it, with more arguments for its program. Absent or undefined: it starts none. */
  withArgs?(target: JsonObject, args: readonly string[]): JsonObject | undefined;
  /** Whether Assay starts a program for it, which gets variables. Default: no. */
  startsProgram?(target: JsonObject): boolean;
  /** What the target would lack on this machine. Nothing is called or started to find out. */
  findMissing?(target: T, place: SetupPlace): NowOrLater<Missing | undefined>;
  /** Where the code of the agent begins. */
  code?(target: T): readonly CodeStart[];
  /** What its program reads on its own: a folder, if the target names one, and files and folders in it and above it. */
  reads?(target: T): { readonly folder: string | undefined; readonly names: readonly string[] };
  /** Why the model calls of a target cannot be watched, and what to do. Undefined: they can. */
  whyUnobserved?(target: T): { readonly reason: string; readonly hint: string } | undefined;
  /** It answers the same from whichever folder it is called. */
  readonly isRemote?: boolean;
}

interface WithoutUnset<T> {
  readonly target: T;
  readonly unset: readonly UnsetOption[];
}

export interface SetupPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that paths of the config are relative to. */
  readonly folder: string;
  /** A suite whose tests it runs. */
  readonly suite: string;
}

export interface Missing {
  readonly code: string;
  readonly message: string;
  /** Another machine may have it. */
  readonly isLocal: boolean;
}

export type CodeStart = FileStart | CommandStart;

/** A file, relative to the folder of the config. */
interface FileStart {
  readonly file: string;
  /** `:name`, where a part of the file is meant. */
  readonly part: string;
  /** Whether Assay's own process loads it: what it has once loaded, it does not load again. */
  readonly isLoadedHere: boolean;
}

/** Words that may name files. */
interface CommandStart {
  readonly words: readonly string[];
  /** Relative to the suite's folder. Default: the folder of the config. */
  readonly suiteFolder?: string;
}

/** A kind whose targets are what its schema reads. */
export function defineTargetKind<F, S extends ObjectSchema<F>>(
  kind: TargetKind<CompleteOf<S['fields']> & AnyTarget> & { readonly schema: S },
): TargetKind<CompleteOf<S['fields']> & AnyTarget> {
  return kind;
}
