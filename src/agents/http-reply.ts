import { isJsonObject, setOwn, type Json } from '../model/json.ts';
import { closest } from '../schema/did-you-mean.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import { AgentError } from './contract.ts';
import type { HttpResponse } from './http-exchange.ts';
import { parsePlace, valueAt, type JsonPlace } from './json-place.ts';
import { parseJson } from '../model/parse-json.ts';
import { parseReplyText } from './parse-reply-text.ts';

export type ReplyReader = (response: HttpResponse) => Json;

/** Without places the response is the reply: JSON as it is, any other text as the output. */
export function compileReply(
  places: Readonly<Record<string, string>> | undefined,
  agentName: string,
): ReplyReader {
  if (places === undefined) return readWhole;
  const fields = Object.entries(places).map(([field, path]) => ({
    field,
    path,
    place: readPlace(field, path, agentName),
  }));
  if (!fields.some(({ field }) => field === 'output' || field === 'output_messages')) {
    throw new AgentSetupError(`${agentName}: \`reply\` does not say where the output is`, {
      hint: 'write `reply: { output: path.to.it }`',
    });
  }
  return (response) => pick(readJson(response), fields);
}

interface Field {
  readonly field: string;
  readonly path: string;
  readonly place: JsonPlace;
}

const FIELDS = [
  'output',
  'tools_used',
  'tool_calls',
  'memory',
  'output_messages',
  'token_usage',
  'cost_usd',
  'duration_ms',
];

function readPlace(field: string, path: string, agentName: string): JsonPlace {
  if (!FIELDS.includes(field)) {
    const near = closest(field, FIELDS);
    const hint = near === undefined ? `there are ${FIELDS.join(', ')}` : `did you mean \`${near}\`?`;
    throw new AgentSetupError(`${agentName}: \`reply\` has an unknown field \`${field}\``, { hint });
  }
  const place = parsePlace(path);
  if (place !== undefined) return place;
  throw new AgentSetupError(`${agentName}: \`reply.${field}\` is no path: ${path}`, {
    hint: 'write it as choices[0].message.content',
  });
}

function pick(body: Json, fields: readonly Field[]): Json {
  const reply: Record<string, Json> = {};
  for (const { field, path, place } of fields) {
    const value = valueAt(body, place);
    if (value !== undefined) setOwn(reply, field, value);
    else if (field === 'output')
      throw new AgentError(
        'contract',
        `the response has nothing at ${path}, where \`output\` should be: ${excerpt(body)}`,
      );
  }
  return reply;
}

function readWhole(response: HttpResponse): Json {
  if (response.isJson) return readJson(response);
  return parseReplyText(response.text) ?? response.text;
}

function readJson({ text }: HttpResponse): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw new AgentError(
      'contract',
      `the response is no JSON (${(error as Error).message}): ${text.slice(0, 200)}`,
    );
  }
}

function excerpt(body: Json): string {
  if (!isJsonObject(body)) return `it is ${Array.isArray(body) ? 'a list' : `a ${typeof body}`}`;
  return `it has ${Object.keys(body).slice(0, 10).join(', ') || 'no keys'}`;
}
