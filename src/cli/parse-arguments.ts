import { parseArgs } from 'node:util';
import { didYouMean } from '../base/schema/did-you-mean.ts';
import type { Option, OptionTable, OptionValues } from './option.ts';

export interface ParsedArguments<Table extends OptionTable> {
  readonly positionals: readonly string[];
  readonly options: OptionValues<Table>;
  /** The options as words of a command line, in their order. */
  readonly given: readonly GivenOption[];
}

export interface GivenOption {
  readonly name: string;
  readonly word: string;
}

interface UsageProblem {
  readonly problem: string;
  readonly hint?: string | undefined;
}

/** The arguments of a command, each option parsed as its table says, or what is wrong with them. */
export function parseArguments<Table extends OptionTable>(
  argv: readonly string[],
  table: Table,
): ParsedArguments<Table> | UsageProblem {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(Object.entries(table).map(([name, option]) => [name, nodeOption(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = Object.entries(table).filter(([, { takes }]) => takes === 'nothing');
  const options: Record<string, unknown> = Object.fromEntries(flags.map(([name]) => [name, false]));
  const aliases = new Map(
    Object.entries(table).flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name]])),
  );
  const given: GivenOption[] = [];
  const positionals: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName } = token;
    const name = aliases.get(token.name) ?? token.name;
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) return unknownOption(rawName, table);
    let value = withoutSign(token);
    const next = tokens[index + 1];
    if (option.takes === 'maybe a number' && value === undefined && next?.kind === 'positional') {
      // `-x 2` is one test that fails, and a path.
      if (rawName.startsWith('--') && /^\d+$/.test(next.value)) {
        ({ value } = next);
        index++;
      }
    }
    const read = readOption(option, { rawName, value, before: options[name] });
    if (read instanceof Object && 'problem' in read) return read as UsageProblem;
    options[name] = read;
    given.push({ name, word: value === undefined ? `--${name}` : `--${name}=${value}` });
  }
  return { positionals, options: options as OptionValues<Table>, given };
}

/** `-t=x` is `-t x`, as in most tools. */
function withoutSign({
  rawName,
  value,
  inlineValue,
}: {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}): string | undefined {
  return inlineValue === true && !rawName.startsWith('--') ? value?.replace(/^=/, '') : value;
}

function nodeOption({ takes, short }: Option) {
  const type = takes === 'value' || takes === 'values' ? ('string' as const) : ('boolean' as const);
  return short === undefined ? { type } : { type, short };
}

function unknownOption(rawName: string, table: OptionTable): UsageProblem {
  const name = rawName.replace(/^--?/, '');
  const known = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]! : undefined;
  const hint =
    known !== undefined && Object.hasOwn(table, known)
      ? `did you mean --${known}?`
      : didYouMean(name, Object.keys(table))?.replaceAll('`', '').replace('mean ', 'mean --');
  return { problem: `unknown option ${rawName}`, hint };
}

/** What other tools call our options. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  retries: 'retry',
  concurrency: 'workers',
  'max-concurrency': 'workers',
  maxWorkers: 'workers',
  'fail-fast': 'bail',
  exitfirst: 'bail',
  'max-failures': 'bail',
  maxfail: 'bail',
  filter: 'grep',
  'filter-pattern': 'grep',
  testNamePattern: 'grep',
  g: 'grep',
  k: 'grep',
  'only-failures': 'last-failed',
  repeat: 'repeats',
  'repeat-each': 'repeats',
  output: 'output-file',
  'update-snapshots': 'update',
  silent: 'quiet',
};

interface RawOption {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly before: unknown;
}

function readOption(option: Option, { rawName, value, before }: RawOption): unknown {
  if (option.takes === 'nothing')
    return value === undefined ? true : { problem: `${rawName} takes no value` };
  if (option.takes !== 'values' && before !== undefined)
    return { problem: `${rawName} is given twice`, hint: 'keep one of them: it takes one value' };
  if (option.takes === 'maybe a value')
    return value === '' ? { problem: `${rawName} needs a value after =` } : (value ?? true);
  if (option.takes === 'maybe a number') {
    const number =
      value === undefined ? option.alone : /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
    return number ?? { problem: `${rawName} takes an integer of at least 1, not "${value}"` };
  }
  if (value === undefined || value === '') return { problem: `${rawName} needs a value` };
  if (option.takes === 'values') return [...(Array.isArray(before) ? (before as string[]) : []), value];
  const read = option.read(value);
  if (read !== undefined) return read;
  const shown = option.isSecret === true ? '' : `, not "${value}"`;
  return { problem: `${rawName} takes ${option.wanted}${shown}`, hint: option.hint?.(value) };
}
