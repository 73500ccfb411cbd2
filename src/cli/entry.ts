import { version } from '../version.ts';
import { EXIT, type Output } from './command.ts';
import { main } from './main.ts';

// A reader that goes away (`assay show | head`) is no error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    throw error;
  });
}

try {
  const context = { stdout: toOutput(process.stdout), stderr: toOutput(process.stderr), env: process.env, version };
  process.exitCode = await main(process.argv.slice(2), context);
} catch (error) {
  // Not 1, which says that a test failed.
  process.exitCode = EXIT.invalid;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`assay: this is a defect of Assay ${version}; please report it\n${stack}\n`);
}

function toOutput(stream: NodeJS.WriteStream): Output {
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
    write(text) {
      if (stream.write(text)) return Promise.resolve();
      return new Promise((resolve) => stream.once('drain', () => resolve()));
    },
  };
}
