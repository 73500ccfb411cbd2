import { CHAT_FIELDS } from '../agents/chat/chat-config.ts';
import { MODEL_FIELDS, PROVIDERS } from '../models/model-config.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../model/json.ts';
import { byType } from '../schema/by-type.ts';
import { didYouMean } from '../schema/did-you-mean.ts';
import { list } from '../schema/list.ts';
import { mapOf, object } from '../schema/object.ts';
import { NOWHERE, Reader } from '../schema/reader.ts';
import { given, refine } from '../schema/refine.ts';
import type { Schema } from '../schema/schema.ts';
import { anyJson, boolean, number, text, wrongType } from '../schema/values.ts';
import {
  checkFilesFormat,
  checkHealthcheck,
  checkHealthcheckPath,
  checkHoles,
  checkUrl,
} from './target-checks.ts';

const words = text({ nonEmpty: true });
const argv = list(text(), { nonEmpty: true, label: 'list of words' });
const seconds = number({ min: 0.001 });

/** A TypeScript config may hold the function itself. */
export const agentField: Schema<Json> = {
  label: 'file, URL or `cmd: ...`',
  jsonSchema: { type: 'string' },
  read(value, reader) {
    if (typeof value === 'function' || typeof value === 'string') return value;
    return wrongType(value, reader, { wanted: 'a file, a URL, `cmd: ...` or a function' });
  },
};

const COMMON = {
  name: { schema: words, doc: 'The name suites use.', missing: 'missing_name' },
  workers: { schema: number({ min: 1, integer: true }), doc: 'How many tests at once.' },
  judge_target: { schema: words, doc: 'The judge of its tests, when neither they nor the config name one.' },
} as const;

const template = refine(words, checkHoles);

const healthcheck = refine(
  object(
    {
      type: { schema: words, doc: '`http` or `command`.' },
      url: { schema: words, doc: 'A URL that answers with 2xx.' },
      command: {
        schema: words,
        doc: 'A shell line that exits with 0.',
        aliases: { command_template: words },
      },
      cwd: { schema: words, doc: "Where it runs. Default: the target's." },
      timeout_seconds: { schema: seconds, doc: 'Default: 30.' },
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
        aliases: { command: template },
      },
      cwd: { schema: words, doc: "Where it runs, relative to the suite's folder, which is the default." },
      files_format: {
        schema: refine(words, checkFilesFormat),
        doc: 'How each file of `{FILES}` is written: `{path}`, `{basename}`.',
      },
      timeout_seconds: { schema: seconds, doc: 'How long one call may take.' },
      provider_batching: {
        schema: boolean(),
        doc: 'One call answers all tests of a suite: JSON lines by `id`.',
        aliases: { batch_requests: boolean() },
      },
      healthcheck: { schema: healthcheck, doc: 'Checked once, before the first call.' },
      verbose: { schema: boolean(), doc: 'Has no effect here.' },
      keep_temp_files: { schema: boolean(), doc: 'Has no effect here.' },
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
          doc: 'Where in the answer `output`, `tools_used`, `memory` and the like are.',
        },
        start: { schema: argv, doc: 'A server to start first: a program and its arguments.' },
        healthcheck: { schema: words, doc: 'A URL or path that answers when the server is ready.' },
      },
      { what: 'a target with `url`' },
    ),
    checkHealthcheckPath,
  ),
  chat: object({ ...COMMON, ...MODEL_FIELDS, ...CHAT_FIELDS }, { what: 'a chat target' }),
  mock: object(
    {
      ...COMMON,
      provider: { schema: words, doc: '`mock`.' },
      response: {
        schema: byType({ string: text(), object: anyJson('reply') }),
        doc: 'The answer to everything.',
      },
      replies: { schema: list(anyJson()), doc: 'An answer for each step; the last repeats.' },
    },
    { what: 'a mock target' },
  ),
} as const;

export type TargetKind = keyof typeof TARGET_KINDS;

/** What a target is, by its keys; undefined after reporting that it is nothing known. */
export function kindOfTarget(target: Json, reader: Reader): TargetKind | undefined {
  if (!isJsonObject(target)) return wrongType(target, reader, { wanted: 'a target (an object with `name`)' });
  const provider = ownValue(target, 'provider');
  if (provider === 'mock') return 'mock';
  if (provider === 'cli' || given(target, 'command_template'))
    return Array.isArray(ownValue(target, 'command')) ? 'command' : 'template';
  if (typeof provider === 'string') {
    if ((PROVIDERS as readonly string[]).includes(provider)) return 'chat';
    reader.error({
      code: 'unknown_provider',
      message: `there is no provider "${provider}"`,
      hint:
        didYouMean(provider, [...PROVIDERS, 'mock', 'cli']) ??
        `the providers are ${[...PROVIDERS, 'mock', 'cli'].join(', ')}`,
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
    return kind === undefined ? undefined : (TARGET_KINDS[kind].read(value, reader) as unknown as Json);
  },
};
