import type { Assertion } from '../../base/model/assertion.ts';
import type { ErrorKind } from '../../base/model/record.ts';
import type { Test } from '../../base/model/test.ts';
import type { LoadedEvaluator } from './custom-evaluator.ts';
import type { ScriptRequest } from './script.ts';

/** Something that prevents an assertion from being evaluated, whatever the agent does. */
export interface Obstacle {
  /** The code of the finding that `validate` reports. */
  readonly code: string;
  /** The kind of the error that its test gets in a run. */
  readonly kind: ErrorKind;
  readonly message: string;
  /** Another machine, or other options, may not have this problem: nothing is wrong in a file. */
  readonly isLocal: boolean;
}

/** How an evaluator checks, before the agent is called, whether it could be evaluated. */
export interface PreflightTools {
  readonly test: Pick<Test, 'expected_outcome'>;
  /** The same as when it is evaluated. */
  readFile(path: string): Promise<string>;
  /** Why a judge cannot be called: the one with that name, or the default one. */
  findJudge(target: string | undefined): Promise<readonly Obstacle[]>;
  /** Why a program cannot run. */
  findProgram(request: Pick<ScriptRequest, 'script' | 'cwd'>): Promise<readonly Obstacle[]>;
  /** An evaluator of a file that a suite names. Undefined if this command does not execute it. */
  findEvaluator(reference: string): Promise<LoadedEvaluator | readonly Obstacle[] | undefined>;
  /** For an evaluator made of others. */
  checkAll(assertions: readonly Assertion[]): Promise<readonly Obstacle[]>;
}

/** Something wrong in a suite, or in a file that it names. */
export function wrongInFile(code: string, message: string): Obstacle {
  return { code, kind: 'assertion', message, isLocal: false };
}
