import { SourceMap, type SourceMapPayload } from 'node:module';
import type { Place } from '../model/place.ts';

interface Compiled {
  /** Base64. */
  readonly map: string;
  /** How many characters stand before the code in its first line. */
  readonly before: number;
}

const MAP_COMMENT = /\n\/\/# sourceMappingURL=data:[^,]*;base64,([\w+/=]+)\s*$/;

/** By path: the modules whose code another compiler than Node's made. */
const compiledFiles = new Map<string, Compiled>();

/** Keeps the source map at the end of compiled code, and returns the code without it: Node must not use it too. */
export function keepSourceMap(file: string, code: string, before: number): string {
  const map = MAP_COMMENT.exec(code)?.[1];
  if (map === undefined) return code;
  compiledFiles.set(file, { map, before });
  return code.replace(MAP_COMMENT, '\n');
}

/** A line of a stack, with the place in the file that the author wrote. */
export function withSourcePlace(frame: string): string {
  for (const [file, compiled] of compiledFiles) {
    const at = frame.lastIndexOf(`${file}:`);
    const found = at === -1 ? null : /^(\d+):(\d+)/.exec(frame.slice(at + file.length + 1));
    if (found === null) continue;
    const [text, line, column] = [found[0], Number(found[1]), Number(found[2])];
    const source = sourcePlace(compiled, line, column);
    if (source === undefined) return frame;
    const start = at + file.length + 1;
    return `${frame.slice(0, start)}${source}${frame.slice(start + text.length)}`;
  }
  return frame;
}

/** Columns of a source map count from 0, as do its lines. */
function sourcePlace({ map, before }: Compiled, line: number, column: number): string | undefined {
  const payload = JSON.parse(Buffer.from(map, 'base64').toString()) as SourceMapPayload;
  const inCode = column - 1 - (line === 1 ? before : 0);
  const entry = new SourceMap(payload).findEntry(line - 1, Math.max(inCode, 0));
  return 'originalLine' in entry ? `${entry.originalLine + 1}:${entry.originalColumn + 1}` : undefined;
}

/** Source that cannot be compiled, and where. */
export class SourceSyntaxError extends SyntaxError {
  readonly place: Place;

  constructor(file: string, { message, loc }: BabelError) {
    // The message begins with the name of the file and ends with the place.
    super(
      message
        .split('\n', 1)[0]!
        .replace(/^[^:]*: /, '')
        .replace(/\s*\(\d+:\d+\)$/, ''),
    );
    this.name = 'SyntaxError';
    this.place = { file, line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 };
  }
}

export interface BabelError {
  readonly message: string;
  readonly loc?: { readonly line: number; /** From 0. */ readonly column: number };
}
