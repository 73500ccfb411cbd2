import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { filesNamedIn } from '../base/model/content-text.ts';
import type { AgentRequest } from '../base/model/reply.ts';
import { fillHoles } from './template-holes.ts';
import { quoteForShell } from './processes/quote-for-shell.ts';

interface TemplateValues {
  readonly request: AgentRequest;
  readonly promptFile: string;
  readonly outputFile: string;
  readonly filesFormat?: string | undefined;
}

interface FilledTemplate {
  /** The shell command: every value is quoted. */
  readonly line: string;
  /** The same values as variables, which a shell never reads as a part of the script. */
  readonly env: Readonly<Record<string, string>>;
}

export function fillTemplate(
  template: string,
  { request, promptFile, outputFile, filesFormat = '{path}' }: TemplateValues,
): FilledTemplate {
  const paths = inputFiles(request);
  const files = paths.map((path) =>
    filesFormat
      .replaceAll('{path}', () => quoteForShell(path))
      .replaceAll('{basename}', () => quoteForShell(basename(path))),
  );
  const values = {
    PROMPT: request.input,
    PROMPT_FILE: promptFile,
    GUIDELINES: '',
    EVAL_ID: request.test.id,
    ATTEMPT: String(request.attempt - 1),
    OUTPUT_FILE: outputFile,
    CONVERSATION: request.conversation_id,
    WORKSPACE: request.workspace ?? '',
  };
  const quoted = mapValues(values, quoteForShell);
  return {
    line: fillHoles(template, { ...quoted, FILES: files.join(' ') }),
    env: variables({ ...values, FILES: paths.join('\n') }),
  };
}

function mapValues<Key extends string>(
  values: Readonly<Record<Key, string>>,
  change: (value: string) => string,
): Readonly<Record<Key, string>> {
  const entries = Object.entries<string>(values).map(([key, value]) => [key, change(value)]);
  return Object.fromEntries(entries) as Record<Key, string>;
}

/** A variable has a size limit and cannot contain NUL: such a value is left out. */
const LONGEST_VARIABLE = 100_000;

function variables(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(values).filter(
    ([, value]) => Buffer.byteLength(value) <= LONGEST_VARIABLE && !value.includes('\0'),
  );
  return Object.fromEntries(entries.map(([name, value]) => [`ASSAY_${name}`, value]));
}

function inputFiles({ input_messages, test }: AgentRequest): readonly string[] {
  const paths = input_messages.flatMap(filesNamedIn);
  return [...new Set(paths.map((path) => findUpward(path, resolve(dirname(test.file)))))];
}

/**
 * As the loader finds it: beside the suite, else in a folder above. A path with a leading slash may start at the
 * project.
 */
function findUpward(path: string, folder: string): string {
  if (isAbsolute(path) && existsSync(path)) return path;
  const inside = path.replace(/^[/\\]+/, '');
  for (let current = folder; current !== dirname(current); current = dirname(current)) {
    if (existsSync(resolve(current, inside))) return resolve(current, inside);
  }
  return resolve(folder, path);
}
