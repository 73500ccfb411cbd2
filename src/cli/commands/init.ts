import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { chooseColors } from '../../reporters/colors.ts';
import { shellWord } from '../../reporters/shell-word.ts';
import { escapeLine } from '../../reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { addFiles } from '../init/add-files.ts';
import type { Choices } from '../init/choices.ts';
import { ciFile } from '../init/ci-file.ts';
import { exampleFiles } from '../init/example-files.ts';
import { frameworkFiles } from '../init/framework-files.ts';
import { describeNeeds } from '../init/framework-needs.ts';
import { withSchemaComment } from '../init/schema-comment.ts';
import type { TemplateFile } from '../init/template-file.ts';
import type { INIT_OPTIONS } from '../init-options.ts';
import { isCi } from '../is-ci.ts';
import { isCodingAgent } from '../is-coding-agent.ts';
import { printError } from '../print-error.ts';
import { refuseLinks } from '../../files/make-folder.ts';
import { findProjectRoot } from '../../load/project-root.ts';

type InitContext = CommandContext<typeof INIT_OPTIONS>;

/** Writes a working example into a folder. Nothing is ever overwritten. */
export async function init(context: InitContext): Promise<number> {
  const { positionals, options, stdout } = context;
  const [folder = '.', ...more] = positionals;
  if (more.length > 0)
    return refuse(context, 'init takes one folder', 'name one, or none for the current folder');
  if (options.skill || options.pytest) return addFiles(folder, context);
  for (const other of ['language', 'kind'] as const)
    if (options.framework !== undefined && options[other] !== undefined)
      return refuse(context, `--framework and --${other} exclude each other`, 'give one of them');
  const choices = await choose(context);
  if (choices === undefined) {
    await stdout.write('Nothing was written.\n');
    return EXIT.interrupted;
  }
  const way = relative(process.cwd(), resolve(folder));
  const problem = choices.ci === undefined || choices.ci === 'none' ? undefined : pipelineProblem(way);
  if (problem !== undefined)
    return refuse(context, problem, 'start in the root of the repository, or leave out --ci');
  const files = filesFor(choices, { folder, way });
  const taken = files.filter(({ path }) => existsSync(path));
  if (taken.length > 0) return refuseTaken(context, taken);
  try {
    // All of them first, so that either everything is written or nothing.
    for (const { path } of files) refuseLinks(dirname(path), findProjectRoot(process.cwd()));
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      // `wx`: a file that appeared after the check above is not overwritten either.
      writeFileSync(path, text, { flag: 'wx' });
    }
  } catch (error) {
    return refuse(
      context,
      `the example cannot be written: ${(error as Error).message}`,
      'choose a folder that you may write to',
    );
  }
  await stdout.write(whatNext(choices, folder, files));
  return EXIT.ok;
}

/** Options answer; what they leave open is asked for where somebody can answer. */
async function choose({ options, stdout, env }: InitContext): Promise<Choices | undefined> {
  const { kind, language, framework, ci, yes } = options;
  const given = { kind, language, framework, ci };
  const canAsk =
    !yes &&
    process.stdin.isTTY &&
    stdout.isTTY &&
    stdout.writeExactly !== undefined &&
    env['TERM'] !== 'dumb';
  if (!canAsk || isCi(env) || isCodingAgent(env)) return given;
  const { askChoices } = await import('../init/ask-choices.ts');
  return askChoices(given, {
    output: stdout,
    hasColors: chooseColors({ isTTY: true, env }).dim('x') !== 'x',
  });
}

/** CI reads a pipeline only at the root of a repository, and it runs there. `way` leads to the tests. */
function pipelineProblem(way: string): string | undefined {
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    return `${escapeLine(way)} is not in this folder, so a pipeline here cannot run its tests`;
  let root = process.cwd();
  while (!existsSync(join(root, '.git')) && dirname(root) !== root) root = dirname(root);
  return existsSync(join(root, '.git')) && root !== process.cwd()
    ? `a pipeline belongs in ${escapeLine(root)}, the root of the repository`
    : undefined;
}

interface PlacedFile extends TemplateFile {
  readonly path: string;
  readonly isPipeline: boolean;
}

function filesFor(
  { kind, language, framework, ci = 'none' }: Choices,
  { folder, way }: { folder: string; way: string },
): readonly PlacedFile[] {
  const example = framework === undefined ? exampleFiles({ kind, language }) : frameworkFiles(framework);
  const files = example.map((file) => ({
    ...withSchemaComment(file, folder),
    path: join(folder, file.name),
    isPipeline: false,
  }));
  if (ci === 'none') return files;
  // A pipeline is read at the root of the repository only.
  const pipeline = ciFile(ci, runCommand(way === '' ? '.' : way));
  return [...files, { ...pipeline, path: pipeline.name, isPipeline: true }];
}

function runCommand(folder: string): string {
  return folder === '.' ? 'npx assay run' : `npx assay run ${shellWord(folder)}`;
}

function whatNext({ framework }: Choices, folder: string, files: readonly PlacedFile[]): string {
  const example = inWords(files.filter(({ isPipeline }) => !isPipeline).map(({ name }) => name));
  const pipeline = files.find(({ isPipeline }) => isPipeline);
  const wrote = `Wrote ${example} to ${describe(folder)}${pipeline === undefined ? '' : `, and ${pipeline.path}`}.`;
  const next = `Next: ${runCommand(folder)}`;
  if (framework !== undefined) return `${wrote}\n\nFirst: ${describeNeeds(framework)}\n${next}\n`;
  const test = escapeLine(join(folder, 'booking.test.yaml'));
  return `${wrote}\n\n${next}\nTo see the test fail, change "Hello Ada" to "Hello Bob" in ${test} and run it again.\n`;
}

function refuseTaken(context: InitContext, taken: readonly PlacedFile[]): Promise<number> {
  const paths = inWords(taken.map(({ path }) => escapeLine(path)));
  return refuse(
    context,
    `${paths} ${taken.length === 1 ? 'exists' : 'exist'} already; nothing was written`,
    taken.every(({ isPipeline }) => isPipeline)
      ? 'leave out --ci, and add the job of docs/ci.md to your pipeline'
      : 'name a folder that is empty or does not exist yet',
  );
}

async function refuse({ stderr }: InitContext, problem: string, hint: string): Promise<number> {
  await printError(stderr, `${problem}\n  hint: ${hint}`);
  return EXIT.invalid;
}

function describe(folder: string): string {
  return folder === '.' ? 'this folder' : escapeLine(folder);
}

function inWords(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
