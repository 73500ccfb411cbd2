import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';

/** Where a program finds its MCP servers. */
export interface ServerSettings {
  /** In the working folder and, below it, in the user's. */
  readonly files: readonly string[];
  /** The field whose keys are the names of servers. */
  readonly field: string;
}

/** The names of the MCP servers in a program's own settings. A file that cannot be read names none: the program reports that. */
export async function readServerNames(
  { files, field }: ServerSettings,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<readonly string[]> {
  const folders = [cwd, ...(env['HOME'] === undefined ? [] : [env['HOME']])];
  const names = await Promise.all(
    folders.flatMap((folder) => files.map((file) => namesIn(join(folder, file), field))),
  );
  return [...new Set(names.flat())];
}

async function namesIn(file: string, field: string): Promise<readonly string[]> {
  let settings: Json;
  try {
    settings = parseJson(await readFile(file, 'utf8'));
  } catch {
    return [];
  }
  const servers = isJsonObject(settings) ? ownValue(settings, field) : undefined;
  return isJsonObject(servers) ? Object.keys(servers) : [];
}
