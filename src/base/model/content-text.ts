import { isJsonObject, ownValue, type Json, type JsonObject } from './json.ts';
import { contentOf, type Message } from './message.ts';
import { printJson } from './print-json.ts';

/**
 * How a file part is shown: `named` for a reader who can open the file, `included` with its text for models and
 * judges, `bare` to compare its text.
 */
export type FileForm = 'named' | 'included' | 'bare';

/** One user message as it is; anything else as a conversation with the speakers. */
export function conversationText(messages: readonly Message[], files: FileForm): string {
  const [first] = messages;
  if (messages.length === 1 && first!.role === 'user') return messageText(first, files);
  return messages
    .map((message) => `@[${capitalize(message.role)}]:\n${turnText(message, files)}`)
    .join('\n\n');
}

/** The content of a message; if it has none, its tool calls as JSON. */
export function messageText(message: Message | undefined, files: FileForm): string {
  if (message === undefined) return '';
  const content = contentOf(message) ?? ownValue(message, 'tool_calls');
  return contentText(content, files);
}

/** Text as it is, parts as their texts with a blank line between them, anything else as JSON. */
export function contentText(content: Json | undefined, files: FileForm): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  const texts = isParts(content) ? content.map((part) => partText(part, files)) : [];
  return joinTexts(texts) || printJson(content, '  ');
}

/** The paths of a message's file parts, as written. */
export function filesNamedIn(message: Message): readonly string[] {
  const content = contentOf(message);
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: Json) => (isFilePart(part) ? [part.value] : []));
}

export function isFilePart(part: Json): part is JsonObject & { readonly value: string } {
  return (
    isJsonObject(part) && ownValue(part, 'type') === 'file' && typeof ownValue(part, 'value') === 'string'
  );
}

/** Whether an array is a list of parts, or just data: a list of shapes has a `type` in each item too. */
export function isParts(content: Json): content is readonly Json[] {
  if (!Array.isArray(content)) return false;
  const items = content as readonly Json[];
  const isListed = items.every((item) => typeof item === 'string' || typeof typeOf(item) === 'string');
  return (
    isListed &&
    items.some((item) => saidIn(item) !== undefined || isFilePart(item) || imageIn(item) !== undefined)
  );
}

/** The text of a part. Calls and thoughts are not something that was said. */
export function partText(part: Json, files: FileForm): string {
  if (typeof part === 'string') return part;
  if (isFilePart(part)) return fileText(part, files);
  const text = saidIn(part) ?? imageIn(part);
  if (text !== undefined) return text;
  return UNSAID.has(typeOf(part) ?? '') ? '' : printJson(part, '  ');
}

/** In a conversation, the calls come below the text of their message. */
function turnText(message: Message, files: FileForm): string {
  const calls = ownValue(message, 'tool_calls');
  const content = contentText(contentOf(message), files);
  return joinTexts([content, Array.isArray(calls) && calls.length > 0 ? printJson(calls, '  ') : '']);
}

function fileText(part: JsonObject & { readonly value: string }, files: FileForm): string {
  const path = inAttribute(part.value);
  const text = ownValue(part, 'text');
  if (files === 'named' || typeof text !== 'string') return `<file: path="${path}">`;
  if (files === 'bare') return text;
  return `<file path="${path}">\n${text.replace(/(?:\r?\n)+$/, '')}\n</file>`;
}

/** Providers write the text of a part as `text`, eval files as `value`. */
function saidIn(part: Json): string | undefined {
  if (!isJsonObject(part)) return undefined;
  const type = typeOf(part);
  if (type === 'refusal') return asText(ownValue(part, 'refusal'));
  if (type === undefined || !TEXT.has(type)) return undefined;
  return asText(ownValue(part, 'value')) ?? asText(ownValue(part, 'text'));
}

/** The name of an image; for an embedded image only its kind. */
function imageIn(part: Json): string | undefined {
  if (!isJsonObject(part) || !IMAGE.has(typeOf(part) ?? '')) return undefined;
  const url = ownValue(part, 'image_url');
  const given = [
    ownValue(part, 'value'),
    isJsonObject(url ?? null) ? ownValue(url as JsonObject, 'url') : url,
    ownValue(part, 'url'),
    ownValue(part, 'path'),
  ];
  const name = given.map(asText).find((each) => each !== undefined);
  if (name === undefined) return '<image>';
  const [, kind] = /^data:([\w./+-]*)/i.exec(name) ?? [];
  return kind === undefined ? `<image: path="${inAttribute(name)}">` : `<image: ${kind || 'data'}>`;
}

const TEXT: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text']);
const IMAGE: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);
const UNSAID: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_call',
  'tool-call',
  'function_call',
  'thinking',
  'redacted_thinking',
  'reasoning',
]);

function typeOf(part: Json): string | undefined {
  return isJsonObject(part) ? asText(ownValue(part, 'type')) : undefined;
}

function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** One blank line between two texts, even if a text ends with line breaks. */
function joinTexts(texts: readonly string[]): string {
  const said = texts.filter((text) => text.trim() !== '');
  const last = said.length - 1;
  return said
    .map((text, index) => {
      const start = index === 0 ? text : text.replace(/^(?:\r?\n)+/, '');
      return index === last ? start : start.replace(/(?:\r?\n)+$/, '');
    })
    .join('\n\n');
}

function inAttribute(text: string): string {
  return text.replaceAll('"', '&quot;').replaceAll('\n', ' ');
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
