import { Writable } from 'node:stream';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { serve } from '../../lsp/language-server.ts';
import { messageFrames } from '../../lsp/message-frames.ts';
import { version } from '../../base/system/version.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { LSP_OPTIONS } from '../server-options.ts';
import { printError } from '../print-error.ts';

/** `assay lsp`: a language server on stdin and stdout, until the editor ends it. */
export async function lsp({
  stdout,
  stderr,
  env,
  positionals,
  redactor,
  script,
}: CommandContext<typeof LSP_OPTIONS>): Promise<number> {
  if (positionals.length > 0) {
    await printError(
      stderr,
      'assay lsp takes no files\n  hint: the editor names them; start it with `assay lsp --stdio`',
    );
    return EXIT.invalid;
  }
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      void stdout.writeExactly!(chunk.toString('utf8')).then(() => done());
    },
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(process.stdin.pipe(messageFrames())),
    new StreamMessageWriter(output),
  );
  return serve(connection, {
    gone: new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve)),
    env,
    version,
    program: [process.execPath, ...process.execArgv, script],
    redact: (text) => redactor.text(text),
  });
}
