import type { Excerpt } from './code-frame.ts';
import type { Colors } from './colors.ts';
import type { Reporter, ReporterContext } from './reporter.ts';

/** What our own reporters get, besides what every reporter gets. */
export interface BuiltInContext extends ReporterContext {
  /** The same object for all reporters of a run: what they keep of it, they keep once. */
  readonly run: object;
  readonly colors: Colors;
  /** The lines of a file around a place; undefined if it cannot be read. */
  excerptAt(place: {
    readonly file: string;
    readonly line: number;
    readonly code?: string;
  }): Excerpt | undefined;
  /** People read results on stdout, so problems of files go to stderr. */
  readonly diagnostics: { readonly colors: Colors; write(text: string): void | Promise<void> };
  readonly github: GitHubSurroundings;
  /** A CI system runs the command. */
  readonly isCi: boolean;
  /** Called before anything else is written to the same terminal. */
  onOtherOutput(listener: () => void): void;
  /** How the command was started: `assay`, `npx assay`. */
  readonly program: string;
  /** The command that continues a run; undefined if the command cannot be continued. */
  readonly resumeCommand?: ((runId: string) => string) | undefined;
  /** The page with one run in it, in pieces, by the run's folder. */
  htmlOf(directory: string): AsyncIterable<string>;
}

export interface GitHubSurroundings {
  /** `GITHUB_WORKSPACE`: file names in annotations are relative to it. */
  readonly workspace?: string | undefined;
  /** `GITHUB_STEP_SUMMARY`: the file that a Markdown summary is appended to. */
  readonly stepSummary?: string | undefined;
  /** False: only the summary. */
  readonly hasAnnotations: boolean;
}

export type BuiltInFactory = (context: BuiltInContext) => Reporter;
