import { version } from '../version.ts';
import { EXIT, type Output } from './command.ts';
import { leaveDeadTerminal } from './leave-dead-terminal.ts';
import { main } from './main.ts';

/** As it was before anything else was loaded: while a function agent runs, its own calls of `process.exit` are caught. */
const exit = process.exit.bind(process);
leaveDeadTerminal();

// A reader that goes away (`assay show | head`, a terminal that is closed) is no error of ours: the command goes on and
// says the rest to nobody.
const gone = new Set<NodeJS.WriteStream>();
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    gone.add(stream);
  });
}

let exitCode: number;
try {
  const context = {
    stdout: toOutput(process.stdout),
    stderr: toOutput(process.stderr),
    env: process.env,
    version,
  };
  exitCode = await main(process.argv.slice(2), context);
} catch (error) {
  // Not 1, which says that a test failed.
  exitCode = EXIT.invalid;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`assay: this is a defect of Assay ${version}; please report it\n${stack}\n`);
}

// An agent that was given up on may still have a timer or a socket open: nobody waits for it.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
);
exit(exitCode);

/** Writes as the stream did at the start: whoever replaces its `write` later keeps others out, and not us. */
function toOutput(stream: NodeJS.WriteStream): Output {
  const write = stream.write.bind(stream);
  let drained: Promise<void> | undefined;
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
    write(text) {
      if (gone.has(stream) || write(text)) return Promise.resolve();
      drained ??= new Promise<void>((resolve) => {
        const done = (): void => {
          drained = undefined;
          resolve();
        };
        stream.once('drain', done).once('error', done);
      });
      return drained;
    },
  };
}
