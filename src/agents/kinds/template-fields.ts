import type { Json, JsonObject } from '../../base/model/json.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, refine } from '../../base/schema/refine.ts';
import type { JsonSchema } from '../../base/schema/schema.ts';
import { boolean } from '../../base/schema/values.ts';
import { hasHole, holePlaceProblems, holeProblems } from '../template-holes.ts';
import {
  COMMON,
  hasKey,
  providerOf,
  seconds,
  VARIABLE,
  withoutEffect,
  words,
  OBSERVED,
  warnUnobserved,
} from './target-fields.ts';
import { urlProblem } from './url-problem.ts';

const template = refine(words, checkHoles);
const filesFormat = refine(words, checkFilesFormat);

const healthcheck = refine(
  object(
    {
      type: { schema: words, doc: '`http` or `command`.' },
      url: { schema: words, doc: 'A URL that answers with 2xx.' },
      command: {
        schema: words,
        doc: 'A shell line that exits with 0.',
        aliases: { command_template: words, commandTemplate: words },
      },
      cwd: { schema: words, doc: "Where it runs. Default: the target's." },
      timeout_seconds: { schema: seconds, doc: 'Default: 30.', aliases: { timeoutSeconds: seconds } },
    },
    { what: 'a health check' },
  ),
  checkHealthcheck,
);

export const templateTarget = refine(
  object(
    {
      ...COMMON,
      ...OBSERVED,
      provider: { schema: words, doc: '`cli`.' },
      command_template: {
        schema: template,
        doc: 'A shell line with `{PROMPT}`, `{PROMPT_FILE}`, `{EVAL_ID}`, `{ATTEMPT}`, `{FILES}`, `{GUIDELINES}` and `{OUTPUT_FILE}`, whose values are quoted.',
        missing: 'missing_command',
        aliases: { commandTemplate: template, command: template },
      },
      cwd: {
        schema: words,
        doc: "The working folder, relative to the suite's folder, which is the default.",
      },
      files_format: {
        schema: filesFormat,
        doc: 'How each file of `{FILES}` is written: `{path}`, `{basename}`.',
        aliases: {
          filesFormat,
          attachments_format: filesFormat,
          attachmentsFormat: filesFormat,
        },
      },
      timeout_seconds: {
        schema: seconds,
        doc: 'How long one call may take.',
        aliases: { timeoutSeconds: seconds },
      },
      provider_batching: {
        schema: boolean(),
        doc: 'One call answers all tests of a suite: JSON lines by `id`.',
        aliases: { providerBatching: boolean(), batch_requests: boolean() },
      },
      healthcheck: { schema: healthcheck, doc: 'Checked once, before the first call.' },
      verbose: {
        schema: withoutEffect,
        doc: 'Has no effect here.',
        aliases: { cli_verbose: withoutEffect, cliVerbose: withoutEffect },
      },
      keep_temp_files: {
        schema: withoutEffect,
        doc: 'Has no effect here.',
        aliases: {
          keepTempFiles: withoutEffect,
          keep_output_files: withoutEffect,
          keepOutputFiles: withoutEffect,
        },
      },
    },
    {
      what: 'a target with `command_template`',
      refused: { with: 'write the values into the command line, or use `args` or `env` of a variant' },
    },
  ),
  (authored, reader, read) => {
    warnAboutPrompt(authored, reader, read);
    if (read.provider_batching === true)
      warnUnobserved(
        authored,
        reader,
        'remove it, or `provider_batching`: one call of a batch answers all tests',
      );
  },
);

/** For editors: a target without a provider. */
const NO_PROVIDER: JsonSchema = { not: { required: ['provider'] } };

/** The same as `isTemplated`. */
const TEMPLATED: JsonSchema = {
  anyOf: [
    { required: ['provider'], properties: { provider: { pattern: String.raw`^\s*[cC][lL][iI]\s*$` } } },
    { ...NO_PROVIDER, anyOf: [{ required: ['command_template'] }, { required: ['commandTemplate'] }] },
  ],
};

/** A command line is a text. */
export const COMMAND_LINE: JsonSchema = {
  anyOf: [
    { allOf: [TEMPLATED], properties: { command: { not: { type: 'array' } } } },
    { ...NO_PROVIDER, required: ['command'], properties: { command: { type: 'string' } } },
  ],
};

/** A list of words is a program with its arguments. */
export const COMMAND_WORDS: JsonSchema = {
  required: ['command'],
  anyOf: [NO_PROVIDER, TEMPLATED],
  properties: { command: { type: 'array' } },
};

/** Whether a target says that it is a command line, and not only by `command`. */
export function isTemplated(target: JsonObject): boolean {
  return (
    providerOf(target) === 'cli' || hasKey(target, 'command_template') || hasKey(target, 'commandTemplate')
  );
}

/** A command that is not told what to answer says the same to every test. A batch reads the suite itself. */
function warnAboutPrompt(
  _authored: Json,
  reader: Reader,
  {
    command_template: line = '',
    provider_batching,
  }: { command_template?: string; provider_batching?: boolean },
): void {
  const mayTell = (['PROMPT', 'PROMPT_FILE', 'EVAL_ID', 'FILES'] as const).some((hole) =>
    hasHole(line, hole),
  );
  if (provider_batching === true || mayTell || line.replaceAll(VARIABLE, '') !== line) return;
  reader.warning({
    code: 'no_prompt',
    message: 'the command line does not pass the prompt on: it has no {PROMPT}',
    hint: 'add {PROMPT}; or write `command` as a list, [program, argument], to get the request on stdin',
    at: ['command_template'],
  });
}

/** A hole that stands for nothing would be sent as it is written, and one in quotes would be executed. */
function checkHoles(line: Json, reader: Reader): void {
  const written = (line as string).replaceAll(VARIABLE, '');
  for (const { message, hint } of holeProblems(written))
    reader.error({ code: 'unknown_hole', message, hint });
  for (const { message, hint } of holePlaceProblems(written))
    reader.error({ code: 'quoted_hole', message, hint });
}

/** `files_format` has holes of its own. */
function checkFilesFormat(format: Json, reader: Reader): void {
  const names = ['path', 'basename'];
  const written = (format as string).replaceAll(VARIABLE, '');
  for (const [, name] of written.matchAll(/(?<!\$)\{([A-Za-z_]+)\}/g)) {
    if (names.includes(name!)) continue;
    const hint = didYouMean(name!, names)?.replace(/`(\w+)`/, '{$1}') ?? 'use {path} or {basename}';
    reader.error({ code: 'unknown_hole', message: `{${name}} is not a placeholder`, hint });
  }
  for (const { message, hint } of holePlaceProblems(written, /\{(path|basename)\}/g))
    reader.error({ code: 'quoted_hole', message, hint });
}

/** It must say what to look at, in a way that can be looked at. */
function checkHealthcheck(check: Json, reader: Reader): void {
  const { type, url, command = null, command_template = null, commandTemplate = null } = check as JsonObject;
  const line = command ?? command_template ?? commandTemplate;
  const error = (message: string, hint?: string): void =>
    reader.error({ code: 'healthcheck', message, hint });
  if (type !== undefined && type !== 'http' && type !== 'command')
    error(`unknown type of health check: ${JSON.stringify(type)}`, 'use http or command');
  else if (type === 'http' && !given(check, 'url')) error('a health check of the type `http` needs `url`');
  else if (type === 'command' && line === null) error('a health check of the type `command` needs `command`');
  else if (!given(check, 'url') && line === null) error('a health check needs `url` or `command`');
  const problem = typeof url === 'string' ? urlProblem(url) : undefined;
  if (problem !== undefined) error(problem.message, problem.hint);
  if (typeof line !== 'string') return;
  for (const { message, hint } of holeProblems(line.replaceAll(VARIABLE, ''), []))
    error(`${message} in a health check`, hint);
}
