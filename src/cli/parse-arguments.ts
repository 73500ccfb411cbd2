import { parseArgs } from 'node:util';
import { didYouMean } from '../schema/did-you-mean.ts';
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
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(Object.entries(table).map(([name, option]) => [name, nodeOption(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = Object.entries(table).filter(([, { takes }]) => takes === 'nothing');
  const options: Record<string, unknown> = Object.fromEntries(flags.map(([name]) => [name, false]));
  const given: GivenOption[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) return unknownOption(rawName, table);
    const read = readOption(option, { rawName, value, before: options[name] });
    if (read instanceof Object && 'problem' in read) return read as UsageProblem;
    options[name] = read;
    given.push({ name, word: value === undefined ? `--${name}` : `--${name}=${value}` });
  }
  return { positionals, options: options as OptionValues<Table>, given };
}

function nodeOption({ takes, short }: Option) {
  const type = takes === 'value' || takes === 'values' ? ('string' as const) : ('boolean' as const);
  return short === undefined ? { type } : { type, short };
}

function unknownOption(rawName: string, table: OptionTable): UsageProblem {
  const hint = didYouMean(rawName.replace(/^--?/, ''), Object.keys(table))
    ?.replaceAll('`', '')
    .replace('mean ', 'mean --');
  return { problem: `unknown option ${rawName}`, hint };
}

interface RawOption {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly before: unknown;
}

function readOption(option: Option, { rawName, value, before }: RawOption): unknown {
  if (option.takes === 'nothing')
    return value === undefined ? true : { problem: `${rawName} takes no value` };
  if (option.takes === 'maybe a value') return value ?? true;
  if (value === undefined || value === '') return { problem: `${rawName} needs a value` };
  if (option.takes === 'values') return [...(Array.isArray(before) ? (before as string[]) : []), value];
  const read = option.read(value);
  if (read !== undefined) return read;
  const shown = option.isSecret === true ? '' : `, not "${value}"`;
  return { problem: `${rawName} takes ${option.wanted}${shown}`, hint: option.hint?.(value) };
}
