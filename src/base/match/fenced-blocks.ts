/** A text in Markdown: what its code fences hold, and everything else. */
export interface FencedText {
  readonly blocks: readonly string[];
  readonly prose: string;
}

/** As Markdown has them: a fence closes with at least as many of the same characters as it opened with. */
export function splitFences(text: string): FencedText {
  const blocks: string[] = [];
  const prose: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      fence = marks;
      lines = [];
      if (marks === undefined) prose.push(line);
    } else if (marks?.startsWith(fence) === true && line.trim() === marks) {
      blocks.push(lines.join('\n'));
      fence = undefined;
    } else lines.push(line);
  }
  // A reply that was cut off after its fence opened may still hold the whole JSON.
  if (fence !== undefined) blocks.push(lines.join('\n'));
  return { blocks, prose: prose.join('\n') };
}
