import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { chooseColors } from '../../show/reporters/colors.ts';
import { shellWord } from '../../base/model/shell-word.ts';
import { escapeLine } from '../../show/reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import {
  addFiles,
  configIn,
  hasTests,
  isSame,
  pytestFiles,
  skillFiles,
  type AddedFile,
  type PlacedFile,
} from '../init/add-files.ts';
import type { Choices, CiSystem } from '../init/choices.ts';
import { CI_PAGES, ciFile } from '../init/ci-file.ts';
import { exampleFiles } from '../init/example-files.ts';
import { frameworkFiles } from '../init/framework-files.ts';
import { describeNeeds } from '../init/framework-needs.ts';
import { withSchemaComment } from '../init/schema-comment.ts';
import type { INIT_OPTIONS } from '../init-options.ts';
import { isCi } from '../is-ci.ts';
import { isCodingAgent } from '../is-coding-agent.ts';
import { printError } from '../print-error.ts';

type InitContext = CommandContext<typeof INIT_OPTIONS>;

/** Writes a working example into a folder, or adds to a project. Nothing is ever overwritten. */
export async function init(context: InitContext): Promise<number> {
  const { positionals, options, stdout } = context;
  const [folder = '.', ...more] = positionals;
  if (more.length > 0)
    return refuse(context, 'init takes one folder', 'name one, or none for the current folder');
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
  const files = filesFor(context, choices, { folder, way });
  const taken = files.filter(({ path }) => existsSync(path));
  // A plain `assay init` writes a whole example, or nothing.
  if (!isAddition(options) && taken.length > 0) return refuseTaken(context, taken);
  let added: readonly AddedFile[];
  try {
    added = addFiles(files);
  } catch (error) {
    return refuse(
      context,
      `the files cannot be written: ${escapeLine((error as Error).message)}`,
      'choose a folder that you may write to',
    );
  }
  await stdout.write(whatNext(choices, folder, added));
  return EXIT.ok;
}

/** What can be added to a project that has files of its own. */
function isAddition({ ci, framework, skill, pytest }: InitContext['options']): boolean {
  return (ci !== undefined && ci !== 'none') || framework !== undefined || skill || pytest;
}

/** Options answer; what they leave open is asked for where somebody can answer. */
async function choose({ options, stdout, env }: InitContext): Promise<Choices | undefined> {
  const { kind, language, framework, ci, yes, skill, pytest } = options;
  const given = { kind, language, framework, ci };
  const canAsk =
    !yes &&
    !skill &&
    !pytest &&
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

interface InitPlace {
  readonly folder: string;
  /** From the current folder. */
  readonly way: string;
}

function filesFor(
  { options }: InitContext,
  choices: Choices,
  { folder, way }: InitPlace,
): readonly PlacedFile[] {
  const { ci = 'none' } = choices;
  const example = exampleFor(choices, folder);
  // Tools are added to a project without an example, and nobody with tests needs one.
  const isOnlyTools = (options.skill || options.pytest) && Object.values(choices).every(isOpen);
  const hasOwn = configIn(folder) !== undefined || hasTests(folder) || example.some(isTaken);
  const isExampleLeftOut = isOnlyTools || (isAddition(options) && choices.framework === undefined && hasOwn);
  return [
    ...(isExampleLeftOut ? [] : example),
    // A pipeline is read at the root of the repository only.
    ...(ci === 'none' ? [] : [pipelineFile(ci, runCommand(way === '' ? '.' : way))]),
    ...(options.skill ? skillFiles(folder) : []),
    ...(options.pytest ? pytestFiles(folder) : []),
  ];
}

function isOpen(choice: string | undefined): boolean {
  return choice === undefined;
}

function isTaken({ path }: PlacedFile): boolean {
  return existsSync(path);
}

function pipelineFile(ci: Exclude<CiSystem, 'none'>, run: string): PlacedFile {
  const pipeline = ciFile(ci, run);
  return { ...pipeline, path: pipeline.name, hint: `add the job of docs/${CI_PAGES[ci]} to it` };
}

/** The example of a framework keeps the config of the project, and does not take the place of its agent. */
function exampleFor({ kind, language, framework }: Choices, folder: string): readonly PlacedFile[] {
  const files = framework === undefined ? exampleFiles({ kind, language }) : frameworkFiles(framework);
  const config = framework === undefined ? undefined : configIn(folder);
  return files.map((file) => {
    const written = { ...withSchemaComment(file, folder), path: join(folder, file.name) };
    if (framework === undefined) return written;
    if (file.name === 'assay.config.yaml' && config !== undefined)
      return { ...written, path: join(folder, config), hint: CONFIG_KEPT };
    const isOther = file.name === 'agent.ts' && existsSync(written.path) && !isSame(written);
    return isOther ? { ...written, path: join(folder, `agent.${framework}.ts`) } : written;
  });
}

const CONFIG_KEPT = 'it decides which agent runs';

function runCommand(folder: string): string {
  return folder === '.' ? 'npx assay run' : `npx assay run ${shellWord(folder)}`;
}

function whatNext({ framework }: Choices, folder: string, files: readonly AddedFile[]): string {
  const isNew = files.every(({ state }) => state === 'added');
  const hasExample = files.some(({ name }) => name === 'assay.config.yaml');
  const wrote =
    isNew && hasExample
      ? `${inSentence(folder, files)}\n`
      : files.map((file) => `${lineOf(file)}\n`).join('');
  if (!hasExample) return wrote;
  if (framework !== undefined)
    return `${wrote}\nFirst: ${describeNeeds(framework)}\nNext: ${frameworkCommand(folder, files)}\n`;
  const test = escapeLine(join(folder, 'booking.test.yaml'));
  return `${wrote}\nNext: ${runCommand(folder)}\nTo see the test fail, change "Hello Ada" to "Hello Bob" in ${test} and run it again.\n`;
}

function inSentence(folder: string, files: readonly AddedFile[]): string {
  const [example, others] = [
    files.filter(({ path, name }) => path === join(folder, name)),
    files.filter(({ path, name }) => path !== join(folder, name)),
  ];
  const more = others.map(({ path }) => `, and ${path}`).join('');
  return `Wrote ${inWords(example.map(({ name }) => name))} to ${describe(folder)}${more}.`;
}

function lineOf({ path, state, hint }: AddedFile): string {
  const shown = escapeLine(path);
  if (state === 'added') return `Wrote ${shown}`;
  if (state === 'same') return `Unchanged ${shown}`;
  return `Kept ${shown}, which is yours${hint === undefined ? '' : `: ${hint}`}`;
}

/** With a config of the project, the test needs the agent of the example by name. */
function frameworkCommand(folder: string, files: readonly AddedFile[]): string {
  const isConfigKept = files.some(({ name, state }) => name === 'assay.config.yaml' && state === 'kept');
  const agent = files.find(({ name }) => name === 'agent.ts');
  const test = files.find(({ name }) => name.endsWith('.test.yaml'));
  if (!isConfigKept || test === undefined) return runCommand(folder);
  if (agent !== undefined) return `${runCommand(test.path)} --agent ${shellWord(`./${agent.path}`)}`;
  const config = files.find(({ name }) => name === 'assay.config.yaml')!;
  return `add this to ${escapeLine(config.path)}, then ${runCommand(test.path)}\n${config.text}`.trimEnd();
}

function refuseTaken(context: InitContext, taken: readonly PlacedFile[]): Promise<number> {
  const paths = inWords(taken.map(({ path }) => escapeLine(path)));
  return refuse(
    context,
    `${paths} ${taken.length === 1 ? 'exists' : 'exist'} already; nothing was written`,
    'name a folder that is empty or does not exist yet',
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
