import { writeSync } from 'node:fs';

/** As it was before any code of users was loaded. */
const reallyExit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);
let isDecided = false;

/** Ends the process with this code. Listeners of `exit` run, since they end what was started. */
export function exitProcess(code: number): never {
  isDecided = true;
  process.exitCode = code;
  try {
    process.emit('exit', code);
  } catch (error) {
    say(`a listener of \`exit\` failed: ${String(error)}`);
  }
  return reallyExit(code);
}

/** The exit code if anything else ends the process: `process.exit(0)` in an evaluator is no success. */
export function presetExitCode(code: number): void {
  process.exitCode = code;
  process.on('exit', (given) => {
    if (isDecided) return;
    process.exitCode = code;
    say(
      `process.exit(${given}) was called: configs, evaluators and reporters must return or throw instead; the exit code is ${code}`,
    );
  });
}

function say(text: string): void {
  try {
    writeSync(2, `assay: ${text}\n`);
  } catch {
    // Nobody is left who could read it.
  }
}
