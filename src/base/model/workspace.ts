import { amount, closed, count, flag, list, oneOf, optional, text, type TypeOf } from './described.ts';
import type { Place } from './place.ts';

/** The folder that an attempt's agent may change, and the world around it, as a suite describes them. */
export interface WorkspacePlan {
  /** A folder, relative to the suite. Undefined: the workspace starts empty. */
  readonly template?: string | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Undefined: `fresh` for coding agents, otherwise `none`. */
  readonly git?: 'fresh' | 'none' | undefined;
  readonly protect?: readonly string[] | undefined;
  readonly artifacts?: readonly string[] | undefined;
  readonly keep?: Keep | undefined;
  /** Of the file: once, it prepares the template. */
  readonly prepare?: readonly string[] | undefined;
  /** Of the test: in each workspace. */
  readonly setup?: readonly string[] | undefined;
  /** After each attempt, in its workspace: that of the test, then that of the file. */
  readonly teardown?: readonly (readonly string[])[] | undefined;
  readonly environment?: EnvironmentPlan | undefined;
  readonly timeouts?: WorkspaceTimeouts | undefined;
  readonly place: Place;
}

type Keep = 'on_failure' | 'always' | 'never';

export interface EnvironmentPlan {
  /** Undefined: `clean` for coding agents, otherwise `own`. */
  readonly home?: 'clean' | 'own' | undefined;
  readonly network?: 'none' | readonly string[] | undefined;
  readonly docker?: { readonly image?: string; readonly build?: string } | undefined;
  readonly run_in?: readonly string[] | undefined;
  /** Variables that are passed on although the home is clean. */
  readonly env?: readonly string[] | undefined;
  /** What the program may load beside what the workspace has: MCP servers, skills, plugins. */
  readonly loads?: readonly string[] | undefined;
}

/** In milliseconds. */
export interface WorkspaceTimeouts {
  readonly setup?: number | undefined;
  readonly agent?: number | undefined;
  readonly checks?: number | undefined;
}

/** The programs that a suite names: they run only with `--allow-scripts`. */
export function programsOf({
  prepare,
  setup,
  teardown = [],
  environment = {},
}: WorkspacePlan): readonly string[] {
  const { run_in, docker } = environment;
  return [
    ...(prepare === undefined && setup === undefined ? [] : ['setup']),
    ...(teardown.length === 0 ? [] : ['teardown']),
    ...(run_in === undefined ? [] : ['run_in']),
    ...(docker === undefined ? [] : ['docker']),
  ];
}

const FILE_CHANGE = closed({
  path: text(),
  change: oneOf(['added', 'modified', 'deleted']),
  lines_added: optional(count('Absent for a binary file, and where the diff was not computed.')),
  lines_deleted: optional(count()),
});
export type FileChange = TypeOf<typeof FILE_CHANGE>;

const REACHED_HOST = closed({
  host: text('With its port.'),
  refused: optional(flag('The policy does not allow it.')),
});
export type ReachedHost = TypeOf<typeof REACHED_HOST>;

const LOADED = closed(
  {
    model: optional(text()),
    tools: optional(list(text())),
    mcp_servers: optional(list(text())),
    skills: optional(list(text())),
    plugins: optional(list(text())),
    agents: optional(list(text())),
    files: optional(list(text(), 'Files with instructions above the workspace, which programs read too.')),
  },
  'What the program of the agent reports that it loaded.',
);
export type LoadedParts = TypeOf<typeof LOADED>;

/** What is recorded of a workspace. */
export const WORKSPACE = closed(
  {
    folder: optional(text('Where it was kept. Absent if it was deleted.')),
    changed_files: count('How many files differ from the template.'),
    changes: list(FILE_CHANGE, 'The first of them.'),
    diff: optional(
      text('As `git diff --no-index` prints it. Absent if nothing changed, or it was not computed.'),
    ),
    diff_cut: optional(text('Why the diff is not complete.')),
    protected_changed: optional(list(text(), 'Protected files that the agent changed. They were restored.')),
    artifacts: optional(list(closed({ path: text('In the run folder.'), bytes: amount() }))),
    git: oneOf(['fresh', 'none']),
    home: oneOf(['clean', 'own']),
    network: optional(list(text(), 'The hosts that were allowed. Absent: no policy was enforced.')),
    sandbox: optional(text('How the policy was enforced: `namespace`, `docker` or `run_in`.')),
    hosts: optional(list(REACHED_HOST, 'The hosts that the agent asked for. Absent: not watched.')),
    loaded: optional(LOADED),
  },
  'The folder that the agent could change, and what it did there.',
);
export type WorkspaceRecord = TypeOf<typeof WORKSPACE>;
