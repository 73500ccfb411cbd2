import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { fieldOf, given, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import { environmentVariable, withEnvironment } from './model-providers.ts';
import type { AuthoredProvider, ProviderContext } from './providers.ts';
import { nameOf, type At, type Report } from './report.ts';

const KNOWN: ReadonlySet<string> = new Set([
  'url',
  'method',
  'headers',
  'body',
  'transformResponse',
  'responseParser',
]);

/** An HTTP endpoint: `url`, `method`, `headers`, `body`, and where the answer is in the response. */
export function httpTarget(
  { id, config }: AuthoredProvider,
  { report, at }: ProviderContext,
): JsonObject | { readonly why: string } {
  const settings: ForeignValue = config ?? { value: {}, path: [] };
  const address = textOf(fieldOf(settings, 'url')) ?? (/^https?:\/\//.test(id) ? id : undefined);
  if (address === undefined) return { why: 'it has no `url`' };
  const url = withEnvironment(address);
  if (/(?<!\$)\{\{/.test(url)) return { why: 'its `url` is a template' };
  const parser = fieldOf(settings, 'transformResponse') ?? fieldOf(settings, 'responseParser');
  const path = pathInJson(textOf(parser));
  if (parser !== undefined && path === undefined && textOf(parser) !== 'text')
    report.lost(
      {
        what: nameOf(parser),
        why: 'only a path such as `json.choices[0].text` can be converted: write `reply`',
        from: parser.path,
        value: parser.value,
      },
      [...at, 'reply'],
    );
  if (parser === undefined)
    report.lost(
      {
        what: 'the whole JSON of a response as the output',
        why: 'name the field with the answer: `reply: { output: ... }`',
        from: settings.path,
      },
      [...at, 'reply'],
    );
  for (const other of otherFields(settings, KNOWN))
    report.lost(
      { what: nameOf(other), why: 'targets have no such setting', from: other.path, value: other.value },
      [...at, nameOf(other)],
    );
  const body = fieldOf(settings, 'body');
  return given({
    url,
    method: textOf(fieldOf(settings, 'method')),
    headers: readHeaders(fieldOf(settings, 'headers'), report, at),
    body: body === undefined ? undefined : withInput(body, report, at),
    reply: path === undefined ? undefined : { output: path },
  });
}

/** `json.reply.text` is the path `reply.text`. */
function pathInJson(code: string | undefined): string | undefined {
  const match = /^\s*json((?:\??\.[\w$]+|\[\d+\]|\['[\w$]+'\])+)\s*;?\s*$/.exec(code ?? '');
  return match?.[1]!
    .replaceAll('?.', '.')
    .replaceAll(/\['([\w$]+)'\]/g, '.$1')
    .replace(/^\./, '');
}

function readHeaders(field: ForeignValue | undefined, report: Report, at: At): JsonObject | undefined {
  if (field === undefined || !isJsonObject(field.value)) return undefined;
  const headers: Record<string, Json> = {};
  for (const [name, value] of Object.entries(field.value)) {
    const from = [...field.path, name];
    const filled = environmentVariable(value) ?? withEnvironment(String(value));
    if (/(?<!\$)\{\{/.test(filled))
      report.lost({ what: `the header ${name}`, why: 'headers are the same for every test', from }, [
        ...at,
        'headers',
      ]);
    else headers[name] = filled;
  }
  return headers;
}

/** promptfoo calls the input `prompt`. */
function withInput({ value, path }: ForeignValue, report: Report, at: At): Json {
  if (typeof value === 'string') {
    const filled = value.replaceAll(/\{\{\s*prompt\s*\}\}/g, '{{input}}');
    const other = /\{\{(?!input\}\})[^}]*\}\}|\{%.*?%\}/.exec(filled)?.[0];
    if (other !== undefined)
      report.lost({ what: `${other} in the body`, why: 'a body gets the prompt only', from: path, value }, [
        ...at,
        'body',
      ]);
    return filled;
  }
  if (isJsonList(value))
    return value.map((item, index) => withInput({ value: item, path: [...path, index] }, report, at));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      withInput({ value: item, path: [...path, key] }, report, at),
    ]),
  );
}
