import { SourceMap, type SourceMapPayload } from 'node:module';
import type { Place } from '../base/model/place.ts';

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
  for (const file of compiledFiles.keys()) {
    const at = frame.lastIndexOf(`${file}:`);
    const found = at === -1 ? null : /^(\d+):(\d+)/.exec(frame.slice(at + file.length + 1));
    if (found === null) continue;
    const { line, column } = placeInSource(file, Number(found[1]), Number(found[2]));
    const start = at + file.length + 1;
    return `${frame.slice(0, start)}${line}:${column}${frame.slice(start + found[0].length)}`;
  }
  return frame;
}

/** Where the author wrote what is at a place of the compiled code. Columns of a source map count from 0, as do its lines. */
export function placeInSource(file: string, line: number, column: number): Place {
  const { map, before } = compiledFiles.get(file)!;
  const payload = JSON.parse(Buffer.from(map, 'base64').toString()) as SourceMapPayload;
  const inCode = column - 1 - (line === 1 ? before : 0);
  const entry = new SourceMap(payload).findEntry(line - 1, Math.max(inCode, 0));
  if (!('originalLine' in entry)) return { file, line, column };
  return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

/** Source that cannot be compiled, and where. */
export class SourceSyntaxError extends SyntaxError {
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.name = 'SyntaxError';
    this.place = place;
  }
}
