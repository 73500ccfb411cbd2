import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { providerNamed } from '../llm/provider-names.ts';
import { duration } from '../../base/schema/duration.ts';
import { LIMITS_FIELD } from '../../base/schema/limits-schema.ts';
import { list } from '../../base/schema/list.ts';
import { observeTarget } from '../../base/schema/observe-schema.ts';
import { given } from '../../base/schema/refine.ts';
import type { Reader } from '../../base/schema/reader.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { anyJson, boolean, number, subject, text } from '../../base/schema/values.ts';
import { settingsSchema, variantsSchema } from './variant-schema.ts';

export const words = text({ nonEmpty: true });
export const argv = list(text(), { nonEmpty: true, label: 'list of words' });
export const seconds = duration({ unit: 's', min: 0.001 });

/** Of other tools: it is taken, and changes nothing. */
export const withoutEffect: Schema<boolean> = {
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

/** Of other tools: any value is taken, and changes nothing. */
export const ignored: Schema<Json> = {
  ...anyJson(),
  read(value, reader) {
    reader.warning({
      code: 'without_effect',
      message: `${subject(reader)} has no effect here`,
      hint: 'remove it',
    });
    return value;
  },
};

/** Of every target. */
export const COMMON = {
  name: { schema: words, doc: 'The name suites use.', missing: 'missing_name' },
  workers: { schema: number({ min: 1, integer: true }), doc: 'How many tests run at once.' },
  limits: LIMITS_FIELD,
  variants: {
    schema: variantsSchema,
    doc: 'Ways to run it with other settings. Each is a separate target named `target/variant`.',
  },
  depends_on: {
    schema: list(words, { nonEmpty: true, label: 'list of paths' }),
    doc: 'All files and folders that its answers depend on: `assay watch` and `run --changed` run its tests when they change. Globs work, and `!logs/**` leaves files out.',
  },
  judge_target: { schema: words, doc: 'The judge of its tests, if neither they nor the config name one.' },
} as const;

/** Of targets that get the whole request. */
export const SETTINGS = {
  with: {
    schema: settingsSchema,
    doc: 'Settings for the agent, any JSON: a function reads `context.settings`, programs and servers `settings` of the request.',
  },
} as const;

/** Of targets whose model calls Assay can see. */
export const OBSERVED = {
  observe: {
    schema: observeTarget,
    doc: 'Watch the model calls of the agent (`true`), read its OpenTelemetry (`otel`), or what is known of its work. Default: true for a function, false for programs and servers that Assay starts.',
  },
} as const;

/** `observe: true` where Assay starts no program whose model calls it could see. */
export function warnUnobserved(target: Json, reader: Reader, hint: string): void {
  const observe = isJsonObject(target) ? ownValue(target, 'observe') : undefined;
  if (observe !== true && !isJsonObject(observe)) return;
  reader.warning({
    code: 'without_effect',
    message: '`observe` has no effect here: the model calls of this agent do not pass through Assay',
    hint,
    at: ['observe'],
    onKey: true,
  });
}

/** Why nobody sees the model calls of a server that somebody else started. */
export const RUNS_ELSEWHERE = {
  reason: 'Assay does not start this server, so its model calls do not pass through Assay',
  hint: 'give the target a `url` and a `start` command',
};

/** For targets that are asked for each test. */
export const NO_BATCHES = {
  provider_batching: {
    schema: withoutEffect,
    doc: 'Has no effect here.',
    aliases: { providerBatching: withoutEffect },
  },
} as const;

/** The provider of a target, as Assay names it. */
export function providerOf(target: JsonObject): string | undefined {
  const written = ownValue(target, 'provider');
  const name = typeof written === 'string' ? providerNamed(written) : undefined;
  return name !== undefined && Object.hasOwn(CODING_NAMES, name) ? CODING_NAMES[name] : name;
}

/** Names of AgentV for ways to drive a program that is driven in one way here. */
export const CODING_NAMES: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  'claude-cli': 'claude-code',
  'claude-sdk': 'claude-code',
  'codex-cli': 'codex',
  'codex-sdk': 'codex',
};

/** Whether a target without a provider has a key. */
export function hasKey(target: JsonObject, key: string): boolean {
  return providerOf(target) === undefined && given(target, key);
}

/** `${{ NAME }}`: what will stand there is known when the target is used, and is checked then. */
export const VARIABLE = /\$\{\{\s*[\w-]+\s*\}\}/g;
