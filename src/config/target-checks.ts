import { holePlaceProblems, holeProblems } from '../agents/template-holes.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { didYouMean } from '../schema/did-you-mean.ts';
import type { Reader } from '../schema/reader.ts';
import { given } from '../schema/refine.ts';

/** `${{ NAME }}`: what will stand there is known when the target is used, and is checked then. */
const VARIABLE = /\$\{\{\s*[\w-]+\s*\}\}/g;

/** A hole that stands for nothing would be sent as it is written, and one in quotes would be executed. */
export function checkHoles(template: Json, reader: Reader): void {
  const written = (template as string).replaceAll(VARIABLE, '');
  for (const { message, hint } of holeProblems(written))
    reader.error({ code: 'unknown_hole', message, hint });
  for (const { message, hint } of holePlaceProblems(written))
    reader.error({ code: 'quoted_hole', message, hint });
}

/** `files_format` has holes of its own. */
export function checkFilesFormat(format: Json, reader: Reader): void {
  const names = ['path', 'basename'];
  const written = (format as string).replaceAll(VARIABLE, '');
  for (const [, name] of written.matchAll(/(?<!\$)\{([A-Za-z_]+)\}/g)) {
    if (names.includes(name!)) continue;
    const hint = didYouMean(name!, names)?.replace(/`(\w+)`/, '{$1}') ?? 'there are {path} and {basename}';
    reader.error({ code: 'unknown_hole', message: `{${name}} stands for nothing`, hint });
  }
  for (const { message, hint } of holePlaceProblems(written, /\{(path|basename)\}/g))
    reader.error({ code: 'quoted_hole', message, hint });
}

export function checkUrl(url: Json, reader: Reader): void {
  const problem = urlProblem(url as string);
  if (problem !== undefined) reader.error({ code: 'url', ...problem });
}

/** The health check of a command template: it must say what to look at, in a way that can be looked at. */
export function checkHealthcheck(check: Json, reader: Reader): void {
  const { type, url, command = null, command_template = null, commandTemplate = null } = check as JsonObject;
  const line = command ?? command_template ?? commandTemplate;
  const error = (message: string, hint?: string): void =>
    reader.error({ code: 'healthcheck', message, hint });
  if (type !== undefined && type !== 'http' && type !== 'command')
    error(`there is no health check of the type ${JSON.stringify(type)}`, 'the types are http and command');
  else if (type === 'http' && !given(check, 'url')) error('a health check of the type `http` needs `url`');
  else if (type === 'command' && line === null) error('a health check of the type `command` needs `command`');
  else if (!given(check, 'url') && line === null) error('a health check needs `url` or `command`');
  const problem = typeof url === 'string' ? urlProblem(url) : undefined;
  if (problem !== undefined) error(problem.message, problem.hint);
  if (typeof line !== 'string') return;
  for (const { message, hint } of holeProblems(line.replaceAll(VARIABLE, ''), []))
    error(`${message} in a health check`, hint);
}

/** The health check of a `url` target: a URL, or a path of its server. */
export function checkHealthcheckPath(target: Json, reader: Reader): void {
  const { url, healthcheck } = target as JsonObject;
  if (typeof url !== 'string' || typeof healthcheck !== 'string') return;
  if ([url, healthcheck].some((text) => text.search(VARIABLE) !== -1) || urlProblem(url) !== undefined)
    return;
  const isPath = URL.canParse(healthcheck, url) && isHttp(new URL(healthcheck, url));
  if (isPath) return;
  reader.error({
    code: 'healthcheck',
    message: `${JSON.stringify(healthcheck)} is neither a URL nor a path`,
    hint: 'write it as http://host:port/path, or as /path',
    at: ['healthcheck'],
  });
}

export function checkMock(target: Json, reader: Reader): void {
  if (given(target, 'response') || given(target, 'replies')) return;
  reader.warning({
    code: 'missing_response',
    message: 'a mock target without `response` answers every step with the same text',
    hint: 'add `response` or `replies`',
  });
}

function urlProblem(url: string): { readonly message: string; readonly hint: string } | undefined {
  if (url.search(VARIABLE) !== -1) return undefined;
  if (URL.canParse(url) && isHttp(new URL(url))) return undefined;
  return {
    message: `${JSON.stringify(url)} is not the address of an HTTP server`,
    hint: 'write it as http://host:port/path',
  };
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
