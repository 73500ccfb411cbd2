/** A place in a user's file. Lines and columns count from 1; columns count code points. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type PathSegment = string | number;

/** `evalcases[0].input`, `steps[1].assert["output.includes"]`; the empty path is the whole document. */
export function formatPath(path: readonly PathSegment[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (!/^[\p{L}\p{N}_$-]+$/u.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
