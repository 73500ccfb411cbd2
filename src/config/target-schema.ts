import { CHAT_FIELDS } from '../agents/chat/chat-config.ts';
import { checkBareVariables, modelObject } from '../models/model-object.ts';
import { isModelProvider, PROVIDER_NAMES, providerNamed } from '../models/provider-names.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import { byType } from '../schema/by-type.ts';
import { didYouMean } from '../schema/did-you-mean.ts';
import { list } from '../schema/list.ts';
import { mapOf, object } from '../schema/object.ts';
import { NOWHERE, Reader } from '../schema/reader.ts';
import { given, refine } from '../schema/refine.ts';
import type { Schema } from '../schema/schema.ts';
import { anyJson, boolean, number, subject, text, wrongType } from '../schema/values.ts';
import {
  checkFilesFormat,
  checkHealthcheck,
  checkHealthcheckPath,
  checkHoles,
  checkMock,
  checkUrl,
} from './target-checks.ts';

const words = text({ nonEmpty: true });
const argv = list(text(), { nonEmpty: true, label: 'list of words' });
const seconds = number({ min: 0.001 });
const delay = number({ min: 0 });

/** A TypeScript config may hold the function itself. */
export const agentField: Schema<Json> = {
  label: 'file, URL or `cmd: ...`',
  jsonSchema: { type: 'string' },
  read(value, reader) {
    if (typeof value === 'function' || typeof value === 'string') return value;
    return wrongType(value, reader, { wanted: 'a file, a URL, `cmd: ...` or a function' });
  },
};

/** Of other tools: it is taken, and changes nothing. */
const withoutEffect: Schema<boolean> = {
  ...boolean(),
  read(value, reader) {
    const read = boolean().read(value, reader);
    if (read === true)
      reader.warning({
        code: 'without_effect',
        message: `${subject(reader)} has no effect here`,
        hint: 'remove it',
      });
    return read;
  },
};

const COMMON = {
  name: { schema: words, doc: 'The name suites use.', missing: 'missing_name' },
  workers: { schema: number({ min: 1, integer: true }), doc: 'How many tests run at once.' },
  judge_target: { schema: words, doc: 'The judge of its tests, if neither they nor the config name one.' },
} as const;

/** For targets that are asked for each test. */
const NO_BATCHES = {
  provider_batching: {
    schema: withoutEffect,
    doc: 'Has no effect here.',
    aliases: { providerBatching: withoutEffect },
  },
} as const;

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

/** What a target may say, by what it is. */
export const TARGET_KINDS = {
  agent: object(
    {
      ...COMMON,
      agent: {
        schema: agentField,
        doc: 'A file (`./agent.ts`, `./agent.py`), a URL, or `cmd: ...`.',
        missing: 'missing_agent',
      },
    },
    { what: 'a target with `agent`' },
  ),
  command: object(
    {
      ...COMMON,
      command: {
        schema: argv,
        doc: 'A program and its arguments; the request is JSON on its stdin.',
        missing: 'missing_command',
      },
    },
    { what: 'a target with `command`' },
  ),
  template: object(
    {
      ...COMMON,
      provider: { schema: words, doc: '`cli`.' },
      command_template: {
        schema: template,
        doc: 'A shell line with `{PROMPT}`, `{EVAL_ID}`, `{ATTEMPT}`, `{FILES}`, `{GUIDELINES}` and `{OUTPUT_FILE}`, whose values are quoted.',
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
    { what: 'a target with `command_template`' },
  ),
  url: refine(
    object(
      {
        ...COMMON,
        url: { schema: refine(words, checkUrl), doc: 'An HTTP endpoint.', missing: 'missing_url' },
        method: { schema: words, doc: 'Default: POST.' },
        headers: { schema: mapOf(text()), doc: 'Headers of each request.' },
        body: {
          schema: anyJson(),
          doc: 'The body, with `{{input}}`, `{{memory}}` and the like. Default: the whole request.',
        },
        reply: {
          schema: mapOf(text()),
          doc: 'Where to find `output`, `tools_used`, `memory` and the like in the response.',
        },
        start: { schema: argv, doc: 'A server to start first: a program and its arguments.' },
        healthcheck: { schema: words, doc: 'A URL or path that answers when the server is ready.' },
      },
      { what: 'a target with `url`' },
    ),
    checkHealthcheckPath,
  ),
  chat: modelObject({ ...COMMON, ...CHAT_FIELDS, ...NO_BATCHES }, { what: 'a chat target' }),
  mock: refine(
    object(
      {
        ...COMMON,
        provider: { schema: words, doc: '`mock`.' },
        response: {
          schema: byType({ string: text(), object: anyJson('reply') }),
          doc: 'The answer to every request.',
        },
        replies: { schema: list(anyJson()), doc: 'An answer for each step; the last repeats.' },
        delayMs: { schema: delay, doc: 'How long each answer takes.' },
        delayMinMs: {
          schema: delay,
          doc: 'With `delayMaxMs`: each answer takes a random time between the two.',
        },
        delayMaxMs: { schema: delay, doc: 'See `delayMinMs`.' },
        ...NO_BATCHES,
      },
      {
        what: 'a mock target',
        ignored: { trace: 'write the tool calls into `response`, as a reply: { output, tool_calls }' },
      },
    ),
    checkMock,
  ),
} as const;

export type TargetKind = keyof typeof TARGET_KINDS;

/** What a target is, by its keys; undefined after reporting that it is nothing known. */
export function kindOfTarget(target: Json, reader: Reader): TargetKind | undefined {
  if (!isJsonObject(target)) return wrongType(target, reader, { wanted: 'a target (an object with `name`)' });
  const written = ownValue(target, 'provider');
  const provider = typeof written === 'string' ? providerNamed(written) : undefined;
  if (provider === 'mock') return 'mock';
  const isTemplate = given(target, 'command_template') || given(target, 'commandTemplate');
  if (provider === 'cli' || (provider === undefined && isTemplate))
    return Array.isArray(ownValue(target, 'command')) ? 'command' : 'template';
  if (provider !== undefined) {
    if (isModelProvider(provider)) return 'chat';
    const names = [...PROVIDER_NAMES, 'mock', 'cli'];
    reader.error({
      code: 'unknown_provider',
      message: `there is no provider "${String(written)}"`,
      hint: didYouMean(provider, names) ?? `the providers are ${names.join(', ')}`,
      at: ['provider'],
    });
    return undefined;
  }
  for (const kind of ['agent', 'command', 'url'] as const) {
    if (given(target, kind))
      return kind === 'command' && typeof target['command'] === 'string' ? 'template' : kind;
  }
  reader.error({
    code: 'target_kind',
    message: 'a target needs one of `agent`, `command`, `url` and `provider`',
  });
  return undefined;
}

/** Of a provider that is not known here: it may be meant for another tool. */
export function isForeignTarget(target: JsonObject): boolean {
  const reader = new Reader(NOWHERE);
  kindOfTarget(target, reader);
  return reader.findings.some(({ code }) => code === 'unknown_provider');
}

/** A target, checked by what it is. */
export const targetSchema: Schema<Json> = {
  label: 'target',
  jsonSchema: { anyOf: Object.values(TARGET_KINDS).map(({ jsonSchema }) => jsonSchema) },
  read(value, reader) {
    const kind = kindOfTarget(value, reader);
    if (kind === undefined) return undefined;
    // Only here, where a target is as its author wrote it.
    if (kind === 'chat') checkBareVariables(value, reader);
    return TARGET_KINDS[kind].read(value, reader) as unknown as Json;
  },
};
