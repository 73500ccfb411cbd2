import type { ReceivedRequest } from '../servers/model-server.ts';

/** One thing that was said in the conversation that a request holds. */
export interface Said {
  readonly by: 'user' | 'tool' | 'assistant';
  readonly text: string;
}

export interface ReadRequest {
  readonly said: readonly Said[];
  readonly tools: readonly string[];
  /** The response that it continues, where the server holds the conversation. */
  readonly previous?: string | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the requests of four protocols
type Part = any;

/** The conversation and the tools of a request in any of the four protocols. */
export function readRequest({ path, body }: ReceivedRequest): ReadRequest {
  const tools = (body.tools ?? []).flatMap((tool: Part) =>
    (tool.functionDeclarations ?? [tool]).map((each: Part) => each.function?.name ?? each.name),
  );
  const items = path.includes('enerateContent') ? body.contents : (body.messages ?? body.input);
  const list: readonly Part[] =
    typeof items === 'string' ? [{ role: 'user', content: items }] : (items ?? []);
  const previous: string | undefined = body.thread?.previous_message_id ?? body.previous_response_id;
  return { said: list.flatMap(read), tools, previous };
}

function read(item: Part): readonly Said[] {
  if (item.type === 'function_call_output') return [{ by: 'tool', text: plain(item.output) }];
  if (item.role === 'tool') return [{ by: 'tool', text: plain(item.content) }];
  const parts: readonly Part[] = item.parts ?? (Array.isArray(item.content) ? item.content : [item.content]);
  const results = parts
    .filter((part) => part?.type === 'tool_result' || part?.functionResponse !== undefined)
    .map((part): Said => ({ by: 'tool', text: plain(part.content ?? part.functionResponse.response) }));
  const texts = parts.flatMap((part) => (typeof part === 'string' ? part : (part?.text ?? [])));
  if (item.role === 'assistant' || item.role === 'model') return [{ by: 'assistant', text: texts.join('') }];
  if (item.role !== 'user') return [];
  // Coding agents tell the model about the machine in messages of the user.
  const own = texts.filter((text: string) => !/^\s*(?:<|# AGENTS|This is the Gemini CLI)/.test(text));
  return results.length > 0 || own.length === 0 ? results : [{ by: 'user', text: own.at(-1)! }];
}

function plain(value: Part): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((part) => typeof part?.text === 'string')
    ? value.map(({ text }) => text).join('')
    : JSON.stringify(value ?? '');
}
