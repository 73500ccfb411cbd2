import { writeSync } from 'node:fs';
import { exitProcess, presetExitCode } from './exit-process.ts';
import { version } from '../base/system/version.ts';
import { EXIT, type Output } from './command.ts';
import { guardText } from './guard-text.ts';
import { leaveDeadTerminal } from './leave-dead-terminal.ts';
import { main } from './main.ts';

// A reader that goes away (`assay show | head`, a closed terminal) is not an error: the command continues, and the
// rest of its output is dropped.
const gone = new Set<NodeJS.WriteStream>();
// If output could not be written for any other reason, such as a full disk, the results were not reported.
let isUnreported = false;
/** As they were at the start: code that replaces a `write` later affects others, not us. */
const writers = new Map<NodeJS.WriteStream, NodeJS.WriteStream['write']>();

/** Not when it is loaded: others share what is in its file. */
export function startProgram(): void {
  // If the process ends in any other way, that is not a success.
  presetExitCode(EXIT.invalid);
  leaveDeadTerminal();
  gone.clear();
  isUnreported = false;
  for (const stream of [process.stdout, process.stderr]) {
    writers.set(stream, stream.write.bind(stream));
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO' && !gone.has(stream)) {
        isUnreported = true;
        if (stream === process.stdout) warnAboutStdout(error);
      }
      gone.add(stream);
    });
  }
  // Nothing is left to run, but the command is not done: an endless wait must not look like success.
  process.once('beforeExit', () => {
    writeSync(2, 'assay: an agent, a config or a reporter never finished, so the command cannot complete\n');
    exitProcess(EXIT.invalid);
  });
  void start();
}

function warnAboutStdout(error: Error): void {
  try {
    writeSync(
      2,
      `assay: stdout cannot be written: ${error.message}\n  hint: free some space, or write elsewhere\n`,
    );
  } catch {
    // Nobody is left who could read it.
  }
}

async function start(): Promise<void> {
  let exitCode: number;
  if (!hasCurrentFolder()) {
    writeSync(2, 'assay: the current folder no longer exists\n  hint: `cd` to a folder that does\n');
    return exitProcess(EXIT.invalid);
  }
  try {
    // Loaded only if the parent wants it: most commands start from a shell.
    if (process.env['ASSAY_PARENT'] !== undefined)
      (await import('../agents/processes/end-with-parent.ts')).endWithParent(() =>
        exitProcess(EXIT.interrupted),
      );
    // Likewise: what runs for a client of `assay mcp` may use less.
    const confinement = process.env['ASSAY_CONFINEMENT'];
    if (confinement !== undefined) (await import('./read-confinement.ts')).readConfinement(confinement);
    const context = {
      stdout: toOutput(process.stdout),
      stderr: toOutput(process.stderr),
      // A copy: `.env` of the project adds to the other for a while, and says nothing about this terminal.
      env: { ...process.env },
      script: process.argv[1] ?? import.meta.filename,
      version,
      onDefect: (error: unknown) => void reportDefect(error).then(exitProcess),
      untilExit: (leave: () => void) => void process.once('exit', leave),
    };
    exitCode = await main(process.argv.slice(2), context);
  } catch (error) {
    exitCode = await reportDefect(error);
  }
  // An abandoned agent may still have a timer or a socket open: nobody waits for it.
  await Promise.all([...writers.values()].map((write) => new Promise((resolve) => write('', resolve))));
  exitProcess(isUnreported && exitCode !== EXIT.interrupted ? EXIT.invalid : exitCode);
}

function hasCurrentFolder(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

async function reportDefect(error: unknown): Promise<number> {
  const { createRedactor } = await import('../base/match/redact-secrets.ts');
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await toOutput(process.stderr).write(
    `assay: this is a bug in Assay ${version}; please report it\n${createRedactor(process.env).text(stack)}\n`,
  );
  // Not 1, which means that a test failed.
  return EXIT.invalid;
}

function toOutput(stream: NodeJS.WriteStream): Output {
  const write = writers.get(stream)!;
  let drained: Promise<void> | undefined;
  const send = (text: string): Promise<void> => {
    if (gone.has(stream) || write(text)) return Promise.resolve();
    drained ??= new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off('drain', done).off('error', done);
        drained = undefined;
        resolve();
      };
      stream.on('drain', done).on('error', done);
    });
    return drained;
  };
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      // A terminal may have no size: `stty cols 0`, and those of script(1) and `docker run -t`.
      return stream.columns || 80;
    },
    write: (text) => send(guardText(text)),
    writeExactly: send,
  };
}
