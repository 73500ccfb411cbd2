import { isJsonObject, ownValue, type Json } from '../model/json.ts';
import type { RecordedToolCall } from '../model/reply.ts';

/** Tools that load a skill by its name. */
const LOADERS = new Set(['skill', 'activate_skill', 'use_skill', 'load_skill']);
/** Tools that read a file: a skill is used by reading its instructions. */
const READERS = new Set(['read', 'read_file', 'readfile', 'view']);
const SHELLS = new Set(['bash', 'shell', 'execute', 'run_shell_command', 'exec_command']);
const FILE = /(?:^|[/\\\s'"])skills[/\\]([^/\\\s'"]+)[/\\]/;
const INSTRUCTIONS = /(?:^|[/\\\s'"])skills[/\\]([^/\\\s'"]+)[/\\]SKILL\.md/;

/** What a tool that loads skills was called with. Undefined: it is another tool. */
export function loadedSkill({ tool, input }: RecordedToolCall): string | undefined {
  return LOADERS.has(bareName(tool)) ? textIn(input, ['skill', 'name', 'command']) : undefined;
}

/** The path that a tool that reads files was called with. */
export function readPath({ tool, input }: RecordedToolCall): string | undefined {
  return READERS.has(bareName(tool))
    ? textIn(input, ['file_path', 'path', 'filePath', 'absolute_path'])
    : undefined;
}

/** The skill that a call uses. Undefined: none. */
export function skillOf(call: RecordedToolCall): string | undefined {
  const loaded = loadedSkill(call);
  // `plugin:skill` and `/skill` are other ways to write its name.
  if (loaded !== undefined) return loaded.split(/[:/]/).at(-1)!.trim() || undefined;
  const read = FILE.exec(readPath(call) ?? '')?.[1];
  if (read !== undefined) return read;
  const line = shellLine(call);
  return line === undefined ? undefined : INSTRUCTIONS.exec(line)?.[1];
}

/** A shell line that prints the instructions of a skill. */
export function shellLine({ tool, input }: RecordedToolCall): string | undefined {
  if (!SHELLS.has(bareName(tool))) return undefined;
  const command = isJsonObject(input) ? (ownValue(input, 'command') ?? ownValue(input, 'cmd')) : undefined;
  return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : undefined;
}

function bareName(tool: string): string {
  return tool.toLowerCase();
}

function textIn(input: Json | undefined, names: readonly string[]): string {
  const found = names.map((name) => (isJsonObject(input) ? ownValue(input, name) : undefined));
  const first = found.find((value) => typeof value === 'string');
  return typeof first === 'string' ? first : '';
}
