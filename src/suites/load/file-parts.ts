import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { LIMITS } from '../formats/limits.ts';
import type { Finding } from '../../base/model/finding.ts';
import { isFilePart } from '../../base/model/content-text.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { contentOf, type Message } from '../../base/model/message.ts';
import type { MessageList, Step, Test } from '../../base/model/test.ts';
import { decodeUtf8 } from '../../base/match/decode-utf8.ts';
import { isInside } from '../../base/files/is-inside.ts';

export interface PartContext {
  /** The suite file: paths are relative to its folder. */
  readonly file: string;
  /** No file outside it is read. */
  readonly root: string;
}

/** Adds the file's text, as `text`, to every `{type: file, value: path}` part of a test. */
export function attachFiles(
  test: Test,
  context: PartContext,
): { readonly test: Test; readonly findings: readonly Finding[] } {
  if (!test.steps.some(hasFileParts)) return { test, findings: [] };
  const findings: Finding[] = [];
  const steps = test.steps.map((step) => {
    const attach = (list: MessageList): readonly Message[] =>
      step[list].map((message, index) =>
        withFileTexts(message, (path, below) => {
          const read = readReferencedFile(path, context);
          if ('text' in read) return read.text;
          const place = step.places.inside(list, index, below);
          findings.push({ severity: 'error', code: 'file_reference', message: read.problem, ...place });
          return undefined;
        }),
      );
    return {
      ...step,
      input_messages: attach('input_messages'),
      expected_messages: attach('expected_messages'),
      places: step.places,
    };
  });
  const [only] = steps.length === 1 ? steps : [];
  const messages =
    only === undefined
      ? {}
      : { input_messages: only.input_messages, expected_messages: only.expected_messages };
  return { test: { ...test, steps, ...messages }, findings };
}

function hasFileParts(step: Step): boolean {
  return step.input_messages.some(hasFilePart) || step.expected_messages.some(hasFilePart);
}

function hasFilePart(message: Message): boolean {
  const content = contentOf(message);
  return Array.isArray(content) && content.some(isFilePart);
}

function withFileTexts(
  message: Message,
  read: (path: string, below: readonly (string | number)[]) => string | undefined,
): Message {
  const content = contentOf(message);
  if (!Array.isArray(content) || !content.some(isFilePart)) return message;
  const parts: Json[] = [];
  for (const [index, part] of (content as readonly Json[]).entries()) {
    const text = isFilePart(part) ? read(part.value, ['content', index, 'value']) : undefined;
    parts.push(text === undefined ? part : { ...(part as JsonObject), text });
  }
  return { ...message, content: parts };
}

/** The text of a file that a suite names, if it is inside the project. */
export function readReferencedFile(
  path: string,
  context: PartContext,
): { readonly text: string } | { readonly problem: string } {
  const found = findFile(path, context);
  if (typeof found !== 'string') return found;
  try {
    const stats = statSync(found);
    if (!stats.isFile()) return { problem: `${path} is not a regular file` };
    if (stats.size > LIMITS.referencedFileBytes) return { problem: `${path} is larger than 10 MB` };
    const decoded = decodeUtf8(readFileSync(found));
    return 'text' in decoded ? decoded : { problem: `${path} is not UTF-8 text (byte ${decoded.invalidAt})` };
  } catch (error) {
    return { problem: `${path} cannot be read: ${(error as Error).message}` };
  }
}

/** The path of a file that a suite names; if it does not exist, where it should be. */
export function locateFile(
  path: string,
  context: PartContext,
): { readonly path: string; readonly inProject: string } {
  const found = [...candidates(path, dirname(resolve(context.file)), context.root)].find(existsSync);
  const absolute = found ?? resolve(dirname(context.file), path);
  return { path: absolute, inProject: relative(context.root, absolute) };
}

/** The real path of a file inside the root, looked for from the suite's folder upward. */
export function findFile(path: string, { file, root }: PartContext): string | { readonly problem: string } {
  const realRoot = realpathSync(root);
  let leavesRoot = false;
  for (const candidate of candidates(path, dirname(resolve(file)), root)) {
    let real: string;
    try {
      real = realpathSync(candidate);
    } catch {
      leavesRoot ||= candidate !== path && !isInside(candidate, root);
      continue;
    }
    if (isInside(real, realRoot)) return isPrivate(relative(realRoot, real)) ? privateFile(path) : real;
    leavesRoot = true;
  }
  if (leavesRoot) return { problem: `${path} is outside the project (${root}), where Assay reads no files` };
  return { problem: `there is no file ${path}, from ${dirname(file)} up to ${root}` };
}

/** `.env` contains keys, and `.git` may contain addresses with passwords: a suite must not read them. */
export function isPrivate(path: string): boolean {
  const names = path.toLowerCase().split(sep);
  return names.includes('.git') || /^\.env(?:rc|\..+)?$/.test(names.at(-1)!);
}

function privateFile(path: string): { readonly problem: string } {
  return { problem: `${path} cannot be used: suites may not read \`.env\` files or anything in \`.git\`` };
}

function* candidates(path: string, folder: string, root: string): Generator<string> {
  // A path that starts with a slash may also be meant from the root of the project, or of a part of it.
  if (isAbsolute(path)) yield path;
  for (let current = folder; ; current = dirname(current)) {
    yield isAbsolute(path) ? join(current, path) : resolve(current, path);
    if (current === resolve(root) || current === dirname(current)) return;
  }
}
