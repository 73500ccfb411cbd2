import type { JudgeAccess } from './judge.ts';

export interface ScriptRequest {
  /** A program and its arguments, or a line for `sh -c`. */
  readonly script: string | readonly string[];
  readonly stdin: string;
  readonly cwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Lets the script call the judge. */
  readonly judge?: JudgeAccess | undefined;
}

export interface ScriptResult {
  readonly exitCode: number | undefined;
  readonly signal?: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}
