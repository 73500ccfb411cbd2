import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSuiteFile } from '../load/read-suite-file.ts';
import type { Environment } from '../models/create-model.ts';

/** The environment, with what `.env` of the project adds; it never overrides. */
export function withDotEnv(projectRoot: string, env: Environment): Environment {
  const path = join(projectRoot, '.env');
  // Most projects have none.
  if (!existsSync(path)) return env;
  const read = readSuiteFile(path);
  return 'text' in read ? { ...parseDotEnv(read.text), ...env } : env;
}

/** `NAME=value` a line; quotes around the value, `export` before the name, and comments are understood. */
function parseDotEnv(text: string): Environment {
  const values: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (match !== null) values[match[1]!] = readValue(match[2]!);
  }
  return values;
}

function readValue(written: string): string {
  const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(written);
  if (quoted === null) return written.replace(/\s+#.*$/, '');
  return quoted[1] === '"'
    ? quoted[2]!.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\"`, '"')
    : quoted[2]!;
}
