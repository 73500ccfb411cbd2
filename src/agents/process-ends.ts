import { writeSync } from 'node:fs';
import { constants } from 'node:os';

/** Node has more ways to end a process than its types show. */
type EndingProcess = Record<'exit' | 'reallyExit' | 'abort' | 'kill' | 'execve', Ending | undefined>;
type Ending = (...args: unknown[]) => unknown;

const ending = process as unknown as EndingProcess;

/** As they were before any user code was loaded: later replacements do not affect these. */
const reallyExit = (ending.reallyExit ?? ending.exit)!.bind(process) as (code: number) => never;

let preset: number | undefined;

/** The exit code if the process ends without ours. */
export function presetExitCode(code: number): void {
  preset = process.exitCode = code;
}

/**
 * Ends the process with this code, regardless of what user code has set or installed. Listeners of `exit` run,
 * since they clean up; an exit code that they set is only reported.
 */
export function exitProcess(code: number): never {
  let other: unknown = process.exitCode === preset ? undefined : process.exitCode;
  try {
    process.exitCode = code;
    callExitListeners(code);
    if (process.exitCode !== code) other = process.exitCode;
    if (other !== undefined && other !== code)
      writeSync(2, `assay: something set process.exitCode to ${String(other)}; the exit code is ${code}\n`);
  } catch {
    // Nobody is left who could read it.
  }
  return reallyExit(code);
}

function callExitListeners(code: number): void {
  let wereCalled = false;
  process.prependOnceListener('exit', () => (wereCalled = true));
  try {
    process.emit('exit', code);
    if (wereCalled) return;
  } catch (error) {
    writeSync(2, `assay: a listener of \`exit\` failed: ${String(error)}\n`);
  }
  // Ours end the processes we started, and must run even if another one fails.
  for (const listener of process.listeners('exit')) {
    try {
      listener.call(process, code);
    } catch {
      // It was called before, and that was said.
    }
  }
}

const WAYS = ['exit', 'reallyExit', 'abort', 'kill', 'execve'] as const;

/**
 * Catches every call that would end this process, until the returned function is called. `onEnd` gets the call as
 * text, and what would really do it. A process that kills itself with SIGKILL is not caught: that looks like a
 * crash.
 */
export function guardEnds(onEnd: (call: string, goOn: () => unknown) => unknown): () => void {
  const before = WAYS.map((way) => [way, ending[way]] as const);
  for (const [way, end] of before) {
    if (typeof end !== 'function') continue;
    ending[way] = (...args) => {
      const goOn = (): unknown => Reflect.apply(end, process, args);
      if (way === 'kill' && !endsThisProcess(args)) return goOn();
      return onEnd(`process.${way}(${args.map((argument) => String(argument)).join(', ')})`, goOn);
    };
  }
  return () => {
    for (const [way, end] of before) if (typeof end === 'function') ending[way] = end;
  };
}

const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGABRT'] as const;

function endsThisProcess([pid, signal = 'SIGTERM']: readonly unknown[]): boolean {
  const isOwn = [process.pid, -process.pid, 0, -1].includes(Number(pid));
  return isOwn && ENDING_SIGNALS.some((name) => signal === name || signal === constants.signals[name]);
}
