import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../../reporters/shell-word.ts';
import { escapeLine } from '../../reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { INIT_OPTIONS } from '../init-options.ts';
import { printError } from '../print-error.ts';
import { addFiles } from '../init/add-files.ts';
import { frameworkFiles } from '../init/framework-files.ts';
import { templateFiles } from '../init/template-files.ts';

/** Writes a working example into a folder. Nothing is ever overwritten. */
export async function init(context: CommandContext<typeof INIT_OPTIONS>): Promise<number> {
  const { positionals, options, stdout } = context;
  const [folder = '.', ...more] = positionals;
  if (more.length > 0)
    return refuse(context, 'init takes one folder', 'name one, or none for the current folder');
  const { framework, language } = options;
  if (options.skill || options.pytest) return addFiles(folder, context);
  if (framework !== undefined && language !== undefined)
    return refuse(context, '--framework and --language exclude each other', 'give one of them');
  const templates =
    framework === undefined ? templateFiles(language ?? 'typescript') : frameworkFiles(framework);
  const files = templates.map(({ name, text }) => ({ name, text, path: join(folder, name) }));
  const taken = files.filter(({ path }) => existsSync(path)).map(({ name }) => name);
  if (taken.length > 0) {
    const are = taken.length === 1 ? 'is' : 'are';
    return refuse(
      context,
      `${inWords(taken)} ${are} in ${describe(folder)} already; nothing was written`,
      'name a folder that is empty or does not exist yet',
    );
  }
  try {
    mkdirSync(folder, { recursive: true });
    // `wx`: a file that appeared after the check above is not overwritten either.
    for (const { path, text } of files) writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    return refuse(
      context,
      `the example cannot be written: ${(error as Error).message}`,
      'choose a folder that you may write to',
    );
  }
  const next = folder === '.' ? 'npx assay run' : `npx assay run ${shellWord(folder)}`;
  await stdout.write(
    `Wrote ${inWords(files.map(({ name }) => name))} to ${describe(folder)}.\n\nNext: ${next}\n`,
  );
  return EXIT.ok;
}

async function refuse(
  { stderr }: CommandContext<typeof INIT_OPTIONS>,
  problem: string,
  hint: string,
): Promise<number> {
  await printError(stderr, `${problem}\n  hint: ${hint}`);
  return EXIT.invalid;
}

function describe(folder: string): string {
  return folder === '.' ? 'this folder' : escapeLine(folder);
}

function inWords(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
