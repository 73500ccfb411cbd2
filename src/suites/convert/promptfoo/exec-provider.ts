import { given, otherFields } from '../foreign-value.ts';
import type { JsonObject } from '../../../base/model/json.ts';
import type { AuthoredProvider, ProviderContext } from './providers.ts';
import { nameOf } from './report.ts';

/** `exec: python tool.py` gets the prompt as an argument, as a command template does. */
export function commandTarget(
  { id, config, from }: AuthoredProvider,
  { files, report, at }: ProviderContext,
): JsonObject | { readonly why: string } {
  const line = id.slice('exec:'.length).trim();
  if (line === '') return { why: 'it contains no program' };
  if (/\{[A-Z_]+\}/.test(line))
    return { why: 'its line contains what looks like a hole of a command template' };
  const words = [...line.matchAll(/[^\s"']+|"([^"]*)"|'([^']*)'/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
  for (const other of config === undefined ? [] : otherFields(config, new Set(['basePath'])))
    report.lost(
      { what: nameOf(other), why: 'a program gets the prompt only', from: other.path, value: other.value },
      [...at, nameOf(other)],
    );
  report.warn({
    code: 'prompt_only',
    message:
      'promptfoo also passes its options and its context to the program, as two more arguments; Assay passes the prompt only',
    from,
  });
  const folder = files.fromResult('.').replace(/^\.\/?$/, '');
  return given({
    command_template: [...words.map(quoted), '{PROMPT}'].join(' '),
    cwd: folder === '' || folder === './' ? undefined : folder,
  });
}

function quoted(word: string): string {
  return /^[\w./=:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
