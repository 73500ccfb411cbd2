import type { Json } from '../model/json.ts';
import { byType } from '../schema/by-type.ts';
import { list } from '../schema/list.ts';
import { mapOf, object } from '../schema/object.ts';
import { refine } from '../schema/refine.ts';
import type { Reader } from '../schema/reader.ts';
import type { Schema } from '../schema/schema.ts';
import { anyJson, number, text, wrongType } from '../schema/values.ts';
import type { AssayConfig } from './config.ts';
import { parseDuration } from './duration.ts';

const words = text({ nonEmpty: true });

/** A TypeScript config may hold the function itself. */
const agent: Schema<Json> = {
  label: 'file, URL or `cmd: ...`',
  jsonSchema: { type: 'string' },
  read(value, reader) {
    if (typeof value === 'function') return value;
    return typeof value === 'string' ? value : wrongType(value, reader, { wanted: 'a file, a URL, `cmd: ...` or a function' });
  },
};

const target = refine(
  object(
    {
      name: { schema: words, doc: 'The name suites use.', missing: 'missing_name' },
      agent: { schema: agent, doc: 'A file (`./agent.ts`, `./agent.py`), a URL, or `cmd: ...`.' },
      command: { schema: list(text(), { nonEmpty: true }), doc: 'A program and its arguments.' },
      url: { schema: words, doc: 'An HTTP endpoint.' },
      method: { schema: words, doc: 'Default: POST.' },
      headers: { schema: mapOf(text()), doc: 'Headers of each request.' },
      body: { schema: anyJson(), doc: 'The body, with `{{input}}`, `{{memory}}` and the like. Default: the whole request.' },
      reply: { schema: mapOf(text()), doc: 'Where in the answer `output`, `tools_used`, `memory` and the like are.' },
      start: { schema: list(text(), { nonEmpty: true }), doc: 'A server to start first: a program and its arguments.' },
      healthcheck: { schema: words, doc: 'A URL or path that answers when the server is ready.' },
      workers: { schema: number({ min: 1, integer: true }), doc: 'How many tests at once.' },
    },
    { what: 'a target' },
  ),
  (authored: Json, reader: Reader) => {
    const kinds = ['agent', 'command', 'url'].filter((key) => Object.hasOwn(authored as object, key));
    if (kinds.length !== 1) reader.error({ code: 'target_kind', message: 'a target needs exactly one of `agent`, `command` and `url`' });
  },
);

const timeout = refine(byType({ number: number({ min: 0.001 }), string: words }), (value: Json, reader: Reader) => {
  if (parseDuration(String(value)) === undefined) reader.error({ code: 'duration', message: `"${String(value)}" is no duration`, hint: 'write 90s, 2m or 500ms' });
});

export const configSchema = object(
  {
    agent: { schema: agent, doc: 'The agent to test: short for a target named `default`.' },
    targets: { schema: list(target, { label: 'list of targets' }), doc: 'Agents that suites can name.' },
    workers: { schema: number({ min: 1, integer: true }), doc: 'How many tests at once.' },
    timeout: { schema: timeout, doc: 'How long one attempt may take: seconds, or `500ms`, `90s`, `2m`.' },
    threshold: { schema: number({ min: 0, max: 1 }), doc: 'What the mean of evaluators must reach. Default: 0.8.' },
  },
  { what: 'the config' },
) as unknown as Schema<AssayConfig>;
