import type { LoadedParts } from '../../base/model/workspace.ts';
import type { KeptProgram } from './end-processes.ts';

/** Not `NodeJS.ProcessEnv`: this is part of our public types, and who reads those may not have the types of Node. */
type Variables = Readonly<Record<string, string | undefined>>;

/** The workspace, as the agent of an attempt sees it. */
export interface AgentWorkspace {
  readonly folder: string;
  /** How a program is started there: inside of its sandbox, with the variables that it may see. */
  start(
    argv: readonly string[],
    env: Variables,
    /** Variables of `env` that Assay sets for it. */
    own?: readonly string[],
  ): Promise<{ readonly argv: readonly string[]; readonly env: Variables }>;
  /** Nothing may change it: a step is being graded, or all of them are over. */
  isAtRest(): boolean;
  /** The program that was started serves later steps too. */
  keep(program: KeptProgram): void;
  /** What the program says that it loaded. */
  noteLoaded(parts: LoadedParts): void;
}

/** What an agent can be held to. `coding`: it works in a folder, so it gets a repository and an empty home by default. */
export type Sealing = 'coding' | 'program';
