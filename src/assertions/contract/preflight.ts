import type { Assertion } from '../../model/assertion.ts';
import type { ErrorKind } from '../../model/record.ts';
import type { Test } from '../../model/test.ts';
import type { ScriptRequest } from './script.ts';

/** Something that keeps an assertion from being evaluated, whatever the agent does. */
export interface Obstacle {
  /** Of the finding that `validate` reports. */
  readonly code: string;
  /** Of the error that its test gets in a run. */
  readonly kind: ErrorKind;
  readonly message: string;
  /** Another machine, or other options, may do without it: nothing is wrong in a file. */
  readonly isLocal: boolean;
}

/** How an evaluator finds out, before the agent is called, whether it could be evaluated. */
export interface PreflightTools {
  readonly test: Pick<Test, 'expected_outcome'>;
  /** The same as when it is evaluated. */
  readFile(path: string): Promise<string>;
  /** Why a judge cannot be asked: the one of that name, or the default one. */
  findJudge(target: string | undefined): Promise<readonly Obstacle[]>;
  /** Why a program cannot be run. */
  findProgram(request: Pick<ScriptRequest, 'script' | 'cwd'>): Promise<readonly Obstacle[]>;
  /** For an evaluator that is made of others. */
  checkAll(assertions: readonly Assertion[]): Promise<readonly Obstacle[]>;
}

/** Something that is wrong in a suite, or in a file that it names. */
export function wrongInFile(code: string, message: string): Obstacle {
  return { code, kind: 'assertion', message, isLocal: false };
}
