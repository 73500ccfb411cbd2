import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createLineIndex } from '../formats/line-index.ts';
import { isChanged, RESTART_SERVER } from '../load/confinement.ts';
import { leavesProject } from '../load/project-root.ts';
import { fileFinding, readSuiteFile } from '../load/read-suite-file.ts';
import { hasTrustedOwner } from '../load/trusted-owner.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { isProtectedVariable } from './protected-variables.ts';

export interface ProjectEnvironment {
  readonly env: Environment;
  readonly findings: readonly Finding[];
}

/**
 * The environment, plus the variables of the project's `.env`. The file never overrides a variable, and never sets
 * a protected one.
 */
export function readDotEnv(projectRoot: string, env: Environment): ProjectEnvironment {
  const path = join(projectRoot, '.env');
  // Most projects have no `.env`.
  if (!existsSync(path)) return { env, findings: isChanged(path, null) ? [changed(path)] : [] };
  if (leavesProject(path, projectRoot)) return { env, findings: [linkedOut(path)] };
  if (!hasTrustedOwner(path)) return { env, findings: [foreignFile(path)] };
  const read = readSuiteFile(path);
  if ('finding' in read) return { env, findings: [{ ...read.finding, severity: 'warning' }] };
  if (isChanged(path, read.text)) return { env, findings: [changed(path)] };
  const { values, refused } = parseDotEnv(read.text);
  const lines = createLineIndex(read.text);
  return {
    env: { ...values, ...env },
    findings: refused.map(({ name, offset }) => ({ ...protectedName(path, name), ...lines.at(offset) })),
  };
}

/** For callers that need only the values: `run` and `validate` report the findings. */
export function withDotEnv(projectRoot: string, env: Environment): Environment {
  return readDotEnv(projectRoot, env).env;
}

/** One `NAME=value` per line. A quoted value may span lines; in double quotes `\n` is a line break. */
const ASSIGNMENT =
  /^[^\S\n]*(?:export[^\S\n]+)?(?<name>[A-Za-z_][\w.-]*)[^\S\n]*=[^\S\n]*(?:(?:"(?<double>(?:\\[^]|[^"\\])*)"|'(?<single>[^']*)'|`(?<backtick>[^`]*)`)(?=\s*$|[^\S\n]+#)|(?<plain>[^\n]*))/gm;

interface ParsedDotEnv {
  readonly values: Environment;
  readonly refused: readonly { readonly name: string; readonly offset: number }[];
}

function parseDotEnv(text: string): ParsedDotEnv {
  const values: Record<string, string> = {};
  const refused: { name: string; offset: number }[] = [];
  for (const match of text.replace(/^\uFEFF/, ' ').matchAll(ASSIGNMENT)) {
    const { name, double, single, backtick, plain } = match.groups as Record<string, string | undefined>;
    if (isProtectedVariable(name!))
      refused.push({ name: name!, offset: match.index + match[0].indexOf(name!) });
    else values[name!] = unescape(double) ?? single ?? backtick ?? plain!.replace(/(?:^|\s+)#.*$/, '').trim();
  }
  return { values, refused };
}

function unescape(quoted: string | undefined): string | undefined {
  return quoted?.replaceAll(/\\([nrt"\\])/g, (_, letter: string) => ESCAPES[letter]!);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

function changed(path: string): Finding {
  const message = '.env has changed since the server was started, so nothing runs';
  return fileFinding(relative('', path), 'config_not_fixed', message, RESTART_SERVER);
}

function protectedName(path: string, name: string): Finding {
  const message = `.env may not set ${name}; this line is ignored`;
  const hint = 'set it in your shell: it controls which code runs, or where requests go';
  const file = relative('', path);
  return {
    ...fileFinding(file, 'protected_variable', message, hint),
    severity: 'warning',
    path: name,
  };
}

function linkedOut(path: string): Finding {
  const message = '.env is a link to a file outside the project, so it was not read';
  const hint = 'copy the file into the project, or set the variables in your shell';
  const file = relative('', path);
  return { ...fileFinding(file, 'outside_project', message, hint), severity: 'warning' };
}

function foreignFile(path: string): Finding {
  const message = '.env belongs to another user, so it was not read';
  const hint = 'change its owner, or set the variables in your shell';
  const file = relative('', path);
  return { ...fileFinding(file, 'foreign_owner', message, hint), severity: 'warning' };
}
