import type { Option } from './option.ts';
import { COMMANDS, type CommandDefinition } from './options.ts';

export function generalHelp(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const commands = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return [
    'Assay, the test runner for AI agents',
    '',
    'Usage: assay <command> [PATHS...] [options]',
    '',
    'New here? `assay init` writes an example, and `assay run` runs it.',
    '',
    'Commands:',
    ...commands,
    '',
    'Options:',
    '  -h, --help     show help; `assay <command> --help` for a command',
    '  -v, --version  show the version',
    '',
  ].join('\n');
}

export function commandHelp(command: CommandDefinition): string {
  const { summary, usage, examples } = command;
  const rows = listedOptions(command).map(([name, option]) => ({
    flag: `${option.short === undefined ? '    ' : `-${option.short}, `}--${name}${valueOf(option)}`,
    doc: option.doc,
    group: option.group ?? 'Options',
  }));
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  const groups = [...new Set(rows.map(({ group }) => group))];
  return [
    `${usage}`,
    '',
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...groups.flatMap((group) => [
      '',
      `${group}:`,
      ...rows.filter((row) => row.group === group).map(({ flag, doc }) => `  ${flag.padEnd(width)}  ${doc}`),
    ]),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}

/** The options that help, completion and docs show. */
export function listedOptions({
  options,
  refused = [],
}: CommandDefinition): readonly (readonly [string, Option])[] {
  return Object.entries(options).filter(([name]) => !refused.includes(name));
}

function valueOf(option: Option): string {
  if (option.takes === 'nothing') return '';
  if (option.takes === 'maybe a value') return `[=${option.placeholder}]`;
  return option.takes === 'maybe a number' ? ` [${option.placeholder}]` : ` ${option.placeholder}`;
}
