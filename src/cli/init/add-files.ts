import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { escapeLine } from '../../reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { INIT_OPTIONS } from '../init-options.ts';
import { printError } from '../print-error.ts';
import { readPackageFile } from './package-file.ts';
import type { TemplateFile } from './template-file.ts';
import { refuseLinks } from '../../files/make-folder.ts';
import { findProjectRoot } from '../../load/project-root.ts';

const CONFTEST = 'pytest_plugins = ["assay_pytest"]\n';

/**
 * `assay init --skill` and `--pytest`: files for other tools, beside what the project has. A file that somebody
 * changed is never overwritten.
 */
export async function addFiles(
  folder: string,
  { options, stdout, stderr }: CommandContext<typeof INIT_OPTIONS>,
): Promise<number> {
  if ([options.framework, options.language, options.kind, options.ci].some((given) => given !== undefined)) {
    await printError(
      stderr,
      '--skill and --pytest add files to a project, without an example\n  hint: use them in a second `assay init`',
    );
    return EXIT.invalid;
  }
  const templates = [...(options.skill ? skillFiles() : []), ...(options.pytest ? pytestFiles(folder) : [])];
  const files = templates.map((file) => ({
    ...file,
    path: join(folder, file.name),
    state: stateOf(folder, file),
  }));
  const changed = files.filter(({ state }) => state === 'other').map(({ name }) => name);
  if (changed.length > 0) {
    await printError(
      stderr,
      `${changed.join(', ')} exists with another content; nothing was written\n  hint: remove it first to get the one of this version`,
    );
    return EXIT.invalid;
  }
  try {
    // All of them first, so that either everything is written or nothing.
    for (const { path } of files) refuseLinks(dirname(path), findProjectRoot(process.cwd()));
    for (const { path, text, state } of files) {
      if (state === 'same') continue;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
    }
  } catch (error) {
    await printError(
      stderr,
      `the files cannot be written: ${escapeLine((error as Error).message)}\n  hint: choose a folder that you may write to`,
    );
    return EXIT.invalid;
  }
  for (const { path, state } of files)
    await stdout.write(`${state === 'same' ? 'Unchanged' : 'Wrote'} ${escapeLine(path)}\n`);
  if (options.pytest && needsHint(folder))
    await stdout.write(`\nNext: add this line to ${escapeLine(join(folder, 'conftest.py'))}:\n  ${CONFTEST}`);
  return EXIT.ok;
}

function stateOf(folder: string, { name, text }: TemplateFile): 'missing' | 'same' | 'other' {
  const path = join(folder, name);
  if (!existsSync(path)) return 'missing';
  try {
    return readFileSync(path, 'utf8') === text ? 'same' : 'other';
  } catch {
    return 'other';
  }
}

/** Claude Code looks into `.claude/skills`, most other agents into `.agents/skills`. */
function skillFiles(): readonly TemplateFile[] {
  const text = readPackageFile('templates/skill/SKILL.md');
  return ['.claude', '.agents'].map((name) => ({ name: join(name, 'skills', 'assay', 'SKILL.md'), text }));
}

/** Without a `conftest.py` there is one to write; another one belongs to its author. */
function pytestFiles(folder: string): readonly TemplateFile[] {
  const plugin = { name: 'assay_pytest.py', text: readPackageFile('templates/pytest/assay_pytest.py') };
  const hasOwn = stateOf(folder, { name: 'conftest.py', text: CONFTEST }) === 'other';
  return hasOwn ? [plugin] : [plugin, { name: 'conftest.py', text: CONFTEST }];
}

function needsHint(folder: string): boolean {
  const path = join(folder, 'conftest.py');
  return !existsSync(path) || !readFileSync(path, 'utf8').includes('assay_pytest');
}
