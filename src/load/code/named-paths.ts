/** A path that stands as a text in code. */
export interface NamedPath {
  /** As written, up to the first part that is known only at run time. */
  readonly path: string;
  /** More follows at run time: `prompts/${name}.md`, `'prompts/' + name`, `prompts/*.md`. */
  readonly isStart: boolean;
  /** Whether a line of the code writes there. */
  isWritten(): boolean;
}

const LONGEST_NAME = 200;
const QUOTES = ['"', "'", '`'];
/** What only a running program knows: `${x}`, `{x}` in Python, `%s`, and the signs of a glob. */
const DYNAMIC = /\$\{|\{|%[sd]|[*?]/;
/** `'a', 'b'` and `'a' / 'b'`: parts of one path, perhaps. */
const CHAIN = /(["'`])[^"'`\n]{1,200}\1(?:\s*[,/]\s*(["'`])[^"'`\n]{1,200}\2)+/g;
const LITERAL = /(["'`])([^"'`\n]{1,200})\1/g;
/** A word without a dot or a slash is a folder only where the code speaks of paths. */
const SPEAKS_OF_PATHS = /join|resolve|path|dir|folder|root|glob|walk|open|read|load|url|file/i;
const WRITES =
  /\b(?:write|append|createWriteStream|mkdir|unlink|remove|rm|rename|dump|save|touch|to_csv|sqlite|database)\w*/i;
const OPENED_TO_WRITE = /\bopen\w*\s*\([^)]*,\s*["'](?:[rb]*[wax]|r[bt]?\+)/;
const ASSIGNED = /([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?=[^=\n]*$/;

/** The paths that a text of code may name. Better one too many: what does not exist is left out later. */
export function namedPaths(text: string): readonly NamedPath[] {
  const named = new Map<string, NamedPath>();
  const add = (name: string, isWritten: () => boolean): void => {
    const start = staticPart(name);
    if (start === undefined) return;
    const key = `${start.path}\0${start.isStart}`;
    const before = named.get(key);
    named.set(key, { ...start, isWritten: () => isWritten() || before?.isWritten() === true });
  };
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    // The arguments of a call may stand on lines of their own.
    const hasPaths = lines
      .slice(Math.max(0, index - 2), index + 1)
      .some((near) => SPEAKS_OF_PATHS.test(near));
    for (const { name, before } of textsOf(line))
      if (hasPaths || /[./\\]/.test(name)) add(name, () => isWrittenIn(text, line, before));
  }
  for (const [chain] of text.matchAll(CHAIN)) {
    const parts = [...chain.matchAll(LITERAL)].map(([, , part]) => part!);
    for (let first = 0; first < parts.length - 1; first++)
      for (let last = first + 1; last < Math.min(parts.length, first + 8); last++)
        add(parts.slice(first, last + 1).join('/'), () => WRITES.test(chain));
  }
  return [...named.values()];
}

interface QuotedText {
  readonly name: string;
  /** The line up to it. */
  readonly before: string;
}

/** What stands between two quotes. An apostrophe in a comment shifts the pairs, so each neighbour counts. */
function* textsOf(line: string): Generator<QuotedText> {
  for (const quote of QUOTES) {
    let from = line.indexOf(quote);
    while (from >= 0) {
      const to = line.indexOf(quote, from + 1);
      if (to > from + 1 && to - from <= LONGEST_NAME)
        yield { name: line.slice(from + 1, to), before: line.slice(0, from) };
      from = to;
    }
  }
}

function staticPart(name: string): Pick<NamedPath, 'path' | 'isStart'> | undefined {
  if (name.includes('://') && !name.startsWith('file://')) return undefined;
  const plain = name.replace(/^file:\/\//, '').replaceAll('\\\\', '/');
  const at = plain.search(DYNAMIC);
  if (at < 0) return usable(plain, plain.endsWith('/'));
  if (at > 0) return usable(plain.slice(0, at), true);
  // `${folder}/system.md`: the rest may still name a file beside the code.
  const rest = plain.replace(/^\$?\{[^}]*\}[\\/]?/, '');
  return rest === plain ? undefined : staticPart(rest);
}

function usable(path: string, isStart: boolean): Pick<NamedPath, 'path' | 'isStart'> | undefined {
  return /[\p{L}\p{N}]/u.test(path) && !/[\0<>|]/.test(path) ? { path, isStart } : undefined;
}

/** Whether the line writes there, or keeps the name in a variable with which another line writes. */
function isWrittenIn(text: string, line: string, before: string): boolean {
  if (WRITES.test(before) || OPENED_TO_WRITE.test(line)) return true;
  const [, variable] = ASSIGNED.exec(before) ?? [];
  if (variable === undefined) return false;
  const used = text.split(new RegExp(`(?<![\\w$])${variable.replaceAll('$', String.raw`\$`)}(?![\\w$])`));
  return used.some(
    (part, index) =>
      (index < used.length - 1 &&
        /\b(?:write|append|createWriteStream|dump|save)\w*\s*\([^()\n]*$/i.test(part)) ||
      (index > 0 && /^\s*(?:\.(?:write|append|touch)|,\s*["'](?:[rb]*[wax]|r[bt]?\+))/.test(part)),
  );
}
