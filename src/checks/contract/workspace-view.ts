import type { FileChange } from '../../base/model/workspace.ts';

/** What evaluators see of a workspace: its files as the agent left them, with the protected ones restored. */
export interface WorkspaceView {
  /** Rejects if not all of them are known. */
  paths(): Promise<readonly string[]>;
  /** The paths that the agent started with. */
  pathsBefore(): readonly string[];
  isUnchanged(path: string): Promise<boolean>;
  /** Rejects if it is not text, or leads out of the workspace. */
  readText(path: string): Promise<string>;
  /** What differs from the start. */
  diff(): Promise<{
    readonly total: number;
    readonly files: readonly FileChange[];
    /** Why not everything is known. */
    readonly cut?: string | undefined;
    /** There may be more changes than these. */
    readonly isPartial?: boolean | undefined;
  }>;
  /** Runs a program of the suite in it. */
  run(
    argv: readonly string[],
    options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly stdin?: string },
  ): Promise<ProgramEnd>;
}

type ProgramEnd =
  | {
      readonly ended: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly ended: 'aborted' | 'late' | 'flooded'; readonly stdout: string; readonly stderr: string };
