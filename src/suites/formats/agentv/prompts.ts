import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { isJsonList, isJsonObject, ownValue, type Json } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import type { Reader, Source } from '../../../base/schema/reader.ts';
import { wrongType } from '../../../base/schema/values.ts';
import { readJson } from '../read-json.ts';
import type { CaseFiles } from './case-files.ts';
import { createSharedInput, type SharedInput } from './shared-input.ts';

/** What every case of a newer AgentV file is asked, with its variables. */
export interface SuitePrompt {
  /** Tells several prompts of a file apart. */
  readonly id: string;
  readonly input: SharedInput;
}

interface PromptContext {
  readonly kinds: AssertionKinds;
  readonly files: CaseFiles | undefined;
}

/** `prompts` at the reader: texts, messages, or objects with one of them; `file://` names a file with the text. */
export function readPrompts(
  authored: Json,
  reader: Reader,
  context: PromptContext,
): readonly SuitePrompt[] | undefined {
  const isOne = !isJsonList(authored) || isConversation(authored);
  const items = isOne ? [authored] : authored;
  const prompts = items.flatMap((item, index) => {
    const path = isOne ? ['prompts'] : ['prompts', index];
    return readPrompt(item, reader, { ...context, path, position: index + 1 }) ?? [];
  });
  if (items.length === 0)
    reader.error({ code: 'empty', message: '`prompts` must not be empty', at: ['prompts'] });
  return prompts.length === items.length && items.length > 0 ? prompts : undefined;
}

interface PromptPlace extends PromptContext {
  readonly path: readonly PathSegment[];
  readonly position: number;
}

function readPrompt(item: Json, reader: Reader, place: PromptPlace): SuitePrompt | undefined {
  if (!isJsonObject(item) || Object.hasOwn(item, 'role')) {
    const input = readText(item, reader, place);
    return input && { id: String(place.position), input };
  }
  const name = ['prompt', 'messages', 'raw', 'file'].find((key) => Object.hasOwn(item, key));
  if (name === undefined) {
    const what = Object.hasOwn(item, 'function') || Object.hasOwn(item, 'function_file');
    reader.unsupported({
      message: what
        ? 'a prompt that a program writes is not supported'
        : 'this form of a prompt is not supported',
      hint: 'write the prompt as a string, or as a list of messages',
      at: place.path,
    });
    return undefined;
  }
  const value = name === 'file' ? `file://${String(item[name])}` : item[name]!;
  const input = readText(value, reader, { ...place, path: [...place.path, name] });
  const id = ownValue(item, 'id') ?? ownValue(item, 'label');
  return input && { id: typeof id === 'string' ? id : String(place.position), input };
}

function readText(value: Json, reader: Reader, { kinds, files, path }: PromptPlace): SharedInput | undefined {
  if (typeof value !== 'string')
    return isConversation(value) || (isJsonObject(value) && Object.hasOwn(value, 'role'))
      ? createSharedInput({ value, source: reader.source, path, isPrompt: true }, kinds)
      : wrongPrompt(value, reader, path);
  if (!value.startsWith('file://'))
    return createSharedInput(
      { value: asMessages(value), source: reader.source, path, isPrompt: true },
      kinds,
    );
  const opened = files?.open(value, reader.source.file);
  if (opened === undefined || !('files' in opened) || opened.files.length !== 1) {
    const problem =
      opened !== undefined && 'code' in opened ? opened.message : 'the file of the prompt cannot be read';
    reader.error({ code: 'prompt_file', message: problem, at: path });
    return undefined;
  }
  const [file] = opened.files;
  const source: Source = { file: file!.path, isLazy: false, locate: () => ({ line: 1, column: 1 }) };
  const written = asMessages(file!.text.replaceAll('\r\n', '\n'));
  return createSharedInput({ value: written, source, path: [], isPrompt: true }, kinds);
}

/** A text that is a JSON list of messages stands for them. Only as it is written: values of variables are never read. */
function asMessages(text: string): Json {
  if (!text.trim().startsWith('[')) return text;
  const read = readJson(text.trim());
  return 'value' in read && isConversation(read.value) ? read.value : text;
}

function isConversation(value: Json): boolean {
  return (
    isJsonList(value) &&
    value.length > 0 &&
    value.every((item) => isJsonObject(item) && Object.hasOwn(item, 'role'))
  );
}

function wrongPrompt(value: Json, reader: Reader, path: readonly PathSegment[]): undefined {
  for (const segment of path) reader.enter(segment);
  wrongType(value, reader, { wanted: 'text, or a list of messages' });
  for (const _ of path) reader.leave();
}
