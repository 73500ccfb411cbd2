import { parseArgs } from 'node:util';
import { didYouMean } from '../schema/did-you-mean.ts';
import type { OptionDefinition } from './options.ts';

export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[]>>;
}

/** The arguments of a command, or what is wrong with them. */
export function parseArguments(
  argv: readonly string[],
  definitions: Readonly<Record<string, OptionDefinition>>,
): ParsedArguments | { readonly problem: string; readonly hint?: string } {
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(definitions).map(([name, { type, short }]) => [
        name,
        {
          type: type === 'string' || type === 'list' ? ('string' as const) : ('boolean' as const),
          ...(short === undefined ? {} : { short }),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options: Record<string, string | boolean | readonly string[]> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const definition = Object.hasOwn(definitions, token.name) ? definitions[token.name] : undefined;
    if (definition === undefined) {
      const hint = didYouMean(token.rawName.replace(/^--?/, ''), Object.keys(definitions))
        ?.replaceAll('`', '')
        .replace('mean ', 'mean --');
      return { problem: `unknown option ${token.rawName}`, ...(hint === undefined ? {} : { hint }) };
    }
    if (
      (definition.type === 'string' || definition.type === 'list') &&
      (token.value === undefined || token.value === '')
    )
      return { problem: `${token.rawName} needs a value` };
    if (definition.type === 'boolean' && token.value !== undefined)
      return { problem: `${token.rawName} takes no value` };
    const before = options[token.name];
    options[token.name] =
      definition.type === 'list'
        ? [...(Array.isArray(before) ? (before as readonly string[]) : []), token.value!]
        : (token.value ?? true);
  }
  return { positionals, options };
}
