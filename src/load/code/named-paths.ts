/** A path, or a part of one, that stands as a text in a file. */
export interface NamedPath {
  /**
   * `path`: a file or a folder. `word`: perhaps a folder, together with a name that stands elsewhere. `suffix`: how the
   * names of files end.
   */
  readonly kind: 'path' | 'word' | 'suffix';
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
/** Code between two texts, rather than a text. */
const NOT_A_PATH = /^[\s,;:)\]}>=+&|?]|[;=<>|]|[\s(,]$/;
const SUFFIX = /^\.[a-z]\w*(?:\.[a-z]\w*)?$/i;
const DOTTED = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
/** What stands before the name of a module that is loaded: `import { writeFile } from './write.mjs'` writes nothing. */
const LOADS = /\b(?:from|import|require)\b[\s(]*$/;
/** `execSync('python3 tools/count.py')`: a command in a text. */
const COMMAND = /^\s*(?:python[\d.]*|node|tsx|uv|npx|bun|deno|ruby|php|(?:ba|z)?sh|cat|\.{0,2}\/\S+)\s+\S/;
const ASSIGNED = /([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?=[^=\n]*$/;

/**
 * The paths that a text of code may name. Better one too many: what does not exist is left out later, or now if it is
 * not wanted.
 */
export function namedPaths(text: string, isWanted: (start: NamedStart) => boolean): readonly NamedPath[] {
  const named = new Map<string, NamedPath>();
  const find = (name: string, isPath: boolean): NamedStart | undefined => {
    if (NOT_A_PATH.test(name)) return undefined;
    // A package of Python: `files("bot.prompts")`.
    const dotted = isPath && DOTTED.test(name) ? folderWord(name.replaceAll('.', '/')) : undefined;
    if (dotted !== undefined && isWanted(dotted)) add(dotted, () => false);
    const start = isPath ? staticPart(name) : folderWord(name);
    return start !== undefined && isWanted(start) ? start : undefined;
  };
  const add = (start: NamedStart, isWritten: () => boolean): void => {
    const key = `${start.kind}\0${start.path}\0${start.isStart}`;
    const before = named.get(key);
    named.set(key, { ...start, isWritten: once(() => isWritten() || before?.isWritten() === true) });
  };
  const lines = text.split('\n');
  let lastSpoke = -Infinity;
  for (const [index, line] of lines.entries()) {
    if (SPEAKS_OF_PATHS.test(line)) lastSpoke = index;
    // The arguments of a call may stand on lines of their own.
    const hasPaths = lastSpoke >= index - 2;
    for (const { name, before } of textsOf(line)) {
      const start = find(name, hasPaths || /[./\\]/.test(name));
      if (start !== undefined) add(start, () => isWrittenIn(text, line, before));
      if (!COMMAND.test(name)) continue;
      for (const word of name.split(/[\s"'`;|&<>()=]+/).filter((each) => /[./]/.test(each))) {
        const part = find(word, true);
        if (part !== undefined) add(part, () => false);
      }
    }
  }
  for (const [chain] of text.matchAll(CHAIN)) {
    const parts = [...chain.matchAll(LITERAL)].map(([, , part]) => part!);
    for (let first = 0; first < parts.length - 1; first++)
      for (let last = first + 1; last < Math.min(parts.length, first + 8); last++) {
        const start = find(parts.slice(first, last + 1).join('/'), true);
        if (start !== undefined) add(start, () => WRITES.test(chain));
      }
  }
  return [...named.values()];
}

function once(decide: () => boolean): () => boolean {
  let decided: boolean | undefined;
  return () => (decided ??= decide());
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

export type NamedStart = Omit<NamedPath, 'isWritten'>;

function folderWord(path: string): NamedStart | undefined {
  return /^[\w-]+(?:\/[\w-]+)*$/.test(path) ? { kind: 'word', path, isStart: false } : undefined;
}

/** What is known of a name: up to the first part that only a running program knows. */
export function staticPart(name: string): NamedStart | undefined {
  if (name.includes('://') && !name.startsWith('file://')) return undefined;
  const plain = name.replace(/^file:\/\//, '').replaceAll('\\\\', '/');
  const at = plain.search(DYNAMIC);
  if (at < 0) return usable(plain, plain.endsWith('/'));
  if (at > 0) return usable(plain.slice(0, at), true);
  // `${folder}/system.md`: the rest may still name a file beside the code. `*.md` is a suffix.
  const rest = plain.replace(/^(?:\$?\{[^}]*\}|%[sd]|\*+)[\\/]?/, '');
  return rest === plain ? undefined : staticPart(rest);
}

function usable(path: string, isStart: boolean): NamedStart | undefined {
  if (!/[\p{L}\p{N}]/u.test(path) || /[\0<>|]/.test(path)) return undefined;
  return {
    kind: !isStart && SUFFIX.test(path) ? 'suffix' : 'path',
    path,
    isStart,
  };
}

/** Whether the line writes there, or keeps the name in a variable with which another line writes. */
function isWrittenIn(text: string, line: string, before: string): boolean {
  if (LOADS.test(before)) return false;
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
