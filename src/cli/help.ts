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
    'Commands:',
    ...commands,
    '',
    'Options:',
    '  -h, --help     show help; `assay <command> --help` for a command',
    '  -v, --version  show the version',
    '',
  ].join('\n');
}

export function commandHelp({ summary, usage, options, examples }: CommandDefinition): string {
  const rows = Object.entries(options).map(([name, { type, short, doc }]) => {
    const flag = `${short === undefined ? '    ' : `-${short}, `}--${name}${type === 'string' || type === 'list' ? ' VALUE' : type === 'optional' ? '[=VALUE]' : ''}`;
    return { flag, doc };
  });
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  return [
    `${usage}`,
    '',
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    '',
    'Options:',
    ...rows.map(({ flag, doc }) => `  ${flag.padEnd(width)}  ${doc}`),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}
