import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nextTurn } from '../system-time.ts';

/** An error that nobody caught, from code of an evaluator that has returned, or from something that it did not await. */
export interface StrayError {
  /** The name of the evaluator's file, if its stack shows it. */
  readonly file: string | undefined;
  readonly error: unknown;
}

type Fail = (error: unknown) => void;

/** By evaluator file: how its calls that are waited for fail. */
const waiting = new Map<string, Set<Fail>>();
const strays: StrayError[] = [];

/** Code of this file runs in this process from now on. */
export function noteEvaluatorFile(file: string): void {
  if (!waiting.has(file)) waiting.set(file, new Set());
}

/** The command that ran their code is over. */
export function forgetEvaluatorFiles(): void {
  waiting.clear();
  strays.length = 0;
}

/** What an evaluator promised. It also rejects with an error that nobody caught, as long as it is waited for. */
export function withStrayErrors<T>(file: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const calls = waiting.get(file)!;
    calls.add(reject);
    void work.then(resolve, reject).finally(() => calls.delete(reject));
  });
}

/**
 * Whether an error that nobody caught is of an evaluator. Its stack shows it; if it does not, `isAgentBusy` decides. Calls of the same
 * file that are waited for fail with it. Without any, it is an error of the run.
 */
export function blameEvaluator(
  error: unknown,
  { isAgentBusy }: { readonly isAgentBusy: boolean },
): StrayError | undefined {
  if (waiting.size === 0) return undefined;
  const path = [...waiting.keys()].find((file) => isInStack(error, file));
  if (path === undefined && isAgentBusy) return undefined;
  const stray = { file: path === undefined ? undefined : basename(path), error };
  const calls = path === undefined ? [] : [...waiting.get(path)!];
  if (calls.length === 0) strays.push(stray);
  for (const fail of calls) fail(error);
  return stray;
}

/** Those that no test is blamed for, since the last time. A promise that was just rejected counts too. */
export async function takeStrayErrors(): Promise<readonly StrayError[]> {
  if (waiting.size === 0) return [];
  await nextTurn();
  return strays.splice(0);
}

/** Who caused it, for people. */
export function whoStrayed({ file }: StrayError): string {
  return file === undefined ? 'an evaluator, or the agent,' : `an evaluator in ${file}`;
}

function isInStack(error: unknown, file: string): boolean {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.includes(file) || stack.includes(pathToFileURL(file).href);
}
