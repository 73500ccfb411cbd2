import { rmSync } from 'node:fs';
import { describeRecordings } from '../../api/cassettes/describe-recordings.ts';
import { findCassettes, type KeptCassette } from '../../api/cassettes/kept-cassettes.ts';
import { CassetteError } from '../../evidence/cassettes/cassette-error.ts';
import { readCassetteFile } from '../../evidence/cassettes/cassette-file.ts';
import { escapeLine, escapeLines } from '../../show/reporters/terminal-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { explainStop } from '../explain-stop.ts';
import type { CASSETTES_OPTIONS } from '../suite-options.ts';
import { printError } from '../print-error.ts';

type Context = CommandContext<typeof CASSETTES_OPTIONS>;

/** `assay cassettes`, `assay cassettes prune` and `assay cassettes show FILE`. */
export async function cassettes(context: Context): Promise<number> {
  const [action = 'list', file, ...more] = context.positionals;
  try {
    if (action === 'list' && file === undefined) return await list(context);
    if (action === 'prune' && file === undefined) return await prune(context);
    if (action === 'show' && file !== undefined && more.length === 0) return await show(file, context);
  } catch (error) {
    const problem = error instanceof CassetteError ? error.message : explainStop(error);
    if (problem === undefined) throw error;
    await printError(context.stderr, problem);
    return EXIT.invalid;
  }
  await printError(
    context.stderr,
    'cassettes takes an action\n  hint: assay cassettes, assay cassettes prune, or assay cassettes show FILE',
  );
  return EXIT.invalid;
}

async function find({ options }: Context): Promise<readonly KeptCassette[]> {
  const { dir, config, 'trust-config': mayExecute } = options;
  return findCassettes({ dir, config, mayExecute });
}

async function list(context: Context): Promise<number> {
  const { stdout } = context;
  const found = await find(context);
  for (const each of found) await stdout.write(`${describe(each)}\n`);
  const bad = found.filter(({ problem }) => problem !== undefined).length;
  const unused = found.filter(({ isUsed }) => isUsed === false).length;
  const notes = [
    ...(unused > 0 ? [`${unused} of no test (\`assay cassettes prune\` removes them)`] : []),
    ...(bad > 0 ? [`${bad} cannot be used`] : []),
  ];
  await stdout.write(`${[plural(found.length, 'cassette'), ...notes].join(', ')}\n`);
  return bad > 0 ? EXIT.invalid : EXIT.ok;
}

function describe({ path, bytes, cassette, problem, isUsed }: KeptCassette): string {
  if (cassette === undefined) return `${escapeLine(path)}  ${escapeLine(problem ?? '')}`;
  const { repeats } = cassette;
  const sum = (count: (repeat: (typeof repeats)[number]) => number): number =>
    repeats.reduce((total, repeat) => total + count(repeat), 0);
  const parts = [
    plural(repeats.length, 'repeat'),
    plural(
      sum(({ agent }) => agent.length),
      'agent call',
    ),
    plural(
      sum(({ judge }) => judge.length),
      'judge call',
    ),
    `${Math.ceil(bytes / 1024)} KB`,
    ...(isUsed === false ? ['no test uses it'] : []),
    ...(isUsed === undefined ? ['its suite has errors'] : []),
  ];
  return `${escapeLine(path)}  ${parts.join(', ')}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

async function prune(context: Context): Promise<number> {
  const { stdout, options } = context;
  const found = await find(context);
  const unused = found.filter(({ isUsed }) => isUsed === false);
  const isTrial = options['dry-run'];
  for (const { path } of unused) {
    if (!isTrial) rmSync(path);
    await stdout.write(`${isTrial ? 'would remove' : 'removed'} ${escapeLine(path)}\n`);
  }
  const unknown = found.filter(({ isUsed }) => isUsed === undefined).length;
  const kept = unknown === 0 ? '' : `, ${unknown} kept that cannot be checked`;
  await stdout.write(`${plural(unused.length, 'cassette')} ${isTrial ? 'to remove' : 'removed'}${kept}\n`);
  return EXIT.ok;
}

async function show(file: string, { stdout }: Context): Promise<number> {
  const cassette = readCassetteFile(file);
  await stdout.write(`${escapeLine(`${cassette.file}: ${cassette.test} (target ${cassette.target})`)}\n`);
  for (const { name, step, to, model, asked, answered } of describeRecordings(cassette)) {
    await stdout.write(
      `\n${escapeLine(`${name}  step ${step}  ${to}${model === undefined ? '' : `  ${model}`}`)}\n`,
    );
    for (const { role, text } of asked) await stdout.write(indented(role, text));
    await stdout.write(indented('=>', answered));
  }
  return EXIT.ok;
}

function indented(name: string, text: string): string {
  const [first = '', ...others] = escapeLines(text).split('\n');
  return [
    `  ${name === '=>' ? name : `${escapeLine(name)}:`} ${first}`,
    ...others.map((line) => `    ${line}`),
    '',
  ].join('\n');
}
