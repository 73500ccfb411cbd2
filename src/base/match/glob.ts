/**
 * Whether a path with `/` is one that the globs name, or is inside of a folder that they name. `!` takes paths out again. Throws if they
 * can match no path: what they claim would be true of nothing.
 */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const problem = globProblem(globs);
  if (problem !== undefined) throw new Error(problem);
  return nameMatcher(globs);
}

/** The same for names, which are not paths. An invalid glob matches nothing. */
export function nameMatcher(globs: readonly string[]): (name: string) => boolean {
  const rules = globs.flatMap((glob) => {
    const pattern = patternOf(glob);
    return pattern === undefined ? [] : [{ isNegated: glob.startsWith('!'), pattern }];
  });
  return (path) =>
    rules.reduce((held, { isNegated, pattern }) => (pattern.test(path) ? !isNegated : held), false);
}

/** Why globs can match no path of a folder. */
export function globProblem(globs: readonly string[]): string | undefined {
  for (const glob of globs) {
    const path = glob.replace(/^!/, '');
    if (path.startsWith('/'))
      return `\`${glob}\` begins with \`/\`: write a path from the root of the workspace`;
    if (path.split('/').includes('..'))
      return `\`${glob}\` leads out of the workspace: write it without \`..\``;
    if (patternOf(glob) === undefined) return `\`${glob}\` is not a valid glob`;
  }
  if (globs.length === 0 || globs.some((glob) => !glob.startsWith('!'))) return undefined;
  return `\`${globs[0]}\` only takes paths out: add a glob without \`!\` before it`;
}

function patternOf(glob: string): RegExp | undefined {
  const parts = glob
    .replace(/^!/, '')
    .split('/')
    .filter((part) => part !== '.' && part !== '');
  try {
    return new RegExp(`^(?:${toPattern(parts.length === 0 ? '**' : parts.join('/'))})(?:/.*)?$`, 's');
  } catch {
    return undefined;
  }
}

const PARTS = /\*\*\/|\/\*\*$|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|[^*?[{]+|[[{]/g;

function toPattern(glob: string): string {
  return (glob.match(PARTS) ?? [])
    .map((part) => {
      if (part === '**/') return '(?:[^/]+/)*';
      if (part === '/**') return '/.+';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      if (part === '?') return '[^/]';
      if (part.startsWith('[') && part.endsWith(']'))
        return `[${part
          .slice(1, -1)
          .replace(/^!/, '^')
          .replaceAll(/[\\[]/g, String.raw`\$&`)}]`;
      if (part.startsWith('{') && part.endsWith('}'))
        return `(?:${part.slice(1, -1).split(',').map(toPattern).join('|')})`;
      return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('');
}
