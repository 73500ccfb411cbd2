import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../base/files/is-inside.ts';
import { decodeUtf8 } from '../../base/match/decode-utf8.ts';
import { ownValue, type JsonObject } from '../../base/model/json.ts';
import { numberAt, textAt } from '../../evidence/foreign-fields.ts';
import { OUTPUT_LIMIT_BYTES } from '../processes/limits.ts';
import type { AgentWorkspace } from '../workspace/agent-workspace.ts';

/** Why a request got no file. */
export class FileRequestError extends Error {
  /** JSON-RPC of ACP. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const NOT_FOUND = -32002;
const REFUSED = -32602;
const FAILED = -32603;

/** Answers `fs/read_text_file` and `fs/write_text_file`. Throws a FileRequestError. */
export type FileRequests = (method: string, params: JsonObject) => JsonObject;

/**
 * The files of a workspace. All is done before it returns: nothing changes once the workspace is graded. An agent in a sandbox can
 * exchange folders for links at any time, so no folder is opened through a link.
 */
export function filesOf(workspace: Pick<AgentWorkspace, 'folder' | 'isAtRest'>): FileRequests {
  return (method, params) => {
    const path = textAt(params, 'path');
    if (path === undefined || path.includes('\0') || !isAbsolute(path))
      throw new FileRequestError(REFUSED, '`path` must be an absolute path');
    if (workspace.isAtRest()) throw new FileRequestError(REFUSED, `${path}: the workspace is being graded`);
    try {
      return method === READ
        ? { content: linesOf(readText(workspace.folder, path), params) }
        : writeText(workspace.folder, path, params);
    } catch (error) {
      throw asRequestError(error, path);
    }
  };
}

const READ = 'fs/read_text_file';

function readText(folder: string, path: string): string {
  const file = openFile(folder, path, constants.O_RDONLY);
  try {
    const { size } = regularFile(file, path);
    if (size > OUTPUT_LIMIT_BYTES)
      throw new FileRequestError(REFUSED, `${path} is larger than ${OUTPUT_LIMIT_BYTES / 1024 ** 2} MB`);
    const decoded = decodeUtf8(readFileSync(file));
    if ('text' in decoded) return decoded.text;
    throw new FileRequestError(REFUSED, `${path} is not valid UTF-8 text`);
  } finally {
    closeSync(file);
  }
}

/** `line` counts from 1. */
function linesOf(text: string, params: JsonObject): string {
  const [line = 1, limit] = ['line', 'limit'].map((name) => numberAt(params, name));
  if (line <= 1 && limit === undefined) return text;
  const from = Math.max(0, line - 1);
  return text
    .split(/(?<=\n)/)
    .slice(from, limit === undefined ? undefined : from + Math.max(0, limit))
    .join('');
}

function writeText(folder: string, path: string, params: JsonObject): JsonObject {
  const content = ownValue(params, 'content');
  if (typeof content !== 'string') throw new FileRequestError(REFUSED, '`content` must be a string');
  const file = openFile(folder, path, constants.O_WRONLY | constants.O_CREAT);
  try {
    // Only now: what is refused stays as it is.
    regularFile(file, path);
    ftruncateSync(file);
    writeFileSync(file, content);
    return {};
  } finally {
    closeSync(file);
  }
}

function regularFile(file: number, path: string): { readonly size: number } {
  const stats = fstatSync(file);
  if (!stats.isFile()) throw new FileRequestError(REFUSED, `${path} is not a file`);
  if (stats.nlink > 1)
    throw new FileRequestError(
      REFUSED,
      `${path} is a hard link, which may be a file outside of the workspace`,
    );
  return stats;
}

/** Opens a file below a folder, and makes the folders above a file that is created. */
function openFile(folder: string, path: string, flags: number): number {
  const root = join(realpathSync(dirname(folder)), basename(folder));
  const parts = wayTo(path, { folder, root }).split(sep);
  const name = parts.pop()!;
  let parent = openFolder(root);
  let at = root;
  try {
    for (const part of parts) {
      const inside = below(parent, at, part);
      if ((flags & constants.O_CREAT) !== 0) makeFolder(inside);
      const child = openFolder(inside);
      closeSync(parent);
      parent = child;
      at = join(at, part);
    }
    // A named pipe would keep us waiting.
    return openSync(below(parent, at, name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666);
  } finally {
    closeSync(parent);
  }
}

/** From the folder, with the links that lead to another place in it. */
function wayTo(path: string, { folder, root }: { readonly folder: string; readonly root: string }): string {
  const outside = new FileRequestError(REFUSED, `${path} is outside of the workspace`);
  const from = [folder, root].find((each) => isInside(path, each));
  if (from === undefined) throw outside;
  const missing: string[] = [];
  for (let existing = join(root, relative(from, resolve(path))); ; existing = dirname(existing)) {
    const real = realPath(existing);
    if (real === undefined) missing.unshift(basename(existing));
    else if (isInside(real, root)) return relative(root, join(real, ...missing));
    else throw outside;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A path that means the folder that is open, also if there is another one in its place by now. Only Linux has such. */
function below(folder: number, path: string, name: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${folder}/${name}` : join(path, name);
}

function openFolder(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'is a link that leads nowhere',
  ENOTDIR: 'is below something that is not a folder',
  EISDIR: 'is a folder',
  ENXIO: 'is not a file',
  EACCES: 'may not be opened',
};

function asRequestError(error: unknown, path: string): FileRequestError {
  if (error instanceof FileRequestError) return error;
  const code = codeOf(error) ?? '';
  if (code === 'ENOENT') return new FileRequestError(NOT_FOUND, `Resource not found: ${path}`);
  const reason = REASONS[code];
  return reason === undefined
    ? new FileRequestError(FAILED, `${path}: ${code || (error as Error).message}`)
    : new FileRequestError(REFUSED, `${path} ${reason}`);
}
