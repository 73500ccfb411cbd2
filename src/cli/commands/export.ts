import { closeSync, openSync, writeSync } from 'node:fs';
import { ExportError, exportRun } from '../../api/export/export-run.ts';
import { EXPORT_NAMES } from '../../base/model/recording-names.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { learnSecrets } from '../learn-secrets.ts';
import { namedRun } from '../named-run.ts';
import { printError } from '../print-error.ts';
import { printStop } from '../print-stop.ts';
import type { EXPORT_OPTIONS } from '../recorded-run-options.ts';

/** `assay export RUN --to FORMAT`: a run for other tools. */
export async function exportCommand(context: CommandContext<typeof EXPORT_OPTIONS>): Promise<number> {
  const { options, stderr, stdout } = context;
  await learnSecrets(context);
  const { to, output } = options;
  if (to === undefined) {
    await printError(stderr, `to which format?\n  hint: assay export RUN --to ${EXPORT_NAMES.join('|')}`);
    return EXIT.invalid;
  }
  const run = await namedRun(context, findProjectRoot(process.cwd()));
  if (run === undefined) return EXIT.invalid;
  try {
    if (output === undefined) for (const text of exportRun(run, to)) await stdout.write(text);
    else writeFile(output, exportRun(run, to));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof ExportError)) return await printStop(error, stderr);
    await printError(stderr, `${error.message}\n  hint: --to atif, otlp and jsonl take any run`);
    return EXIT.invalid;
  }
}

function writeFile(path: string, texts: Iterable<string>): void {
  // What cannot be written leaves an earlier file as it is.
  const iterator = texts[Symbol.iterator]();
  const first = iterator.next();
  const file = openSync(path, 'w');
  try {
    for (let next = first; next.done !== true; next = iterator.next()) writeSync(file, next.value);
  } finally {
    closeSync(file);
  }
}
