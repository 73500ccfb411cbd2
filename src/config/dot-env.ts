import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../models/create-model.ts';

/** The environment, with what `.env` of the project adds; it never overrides. */
export function withDotEnv(projectRoot: string, env: Environment): Environment {
  let text: string;
  try {
    text = readFileSync(join(projectRoot, '.env'), 'utf8');
  } catch {
    return env;
  }
  return { ...parseDotEnv(text), ...env };
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
