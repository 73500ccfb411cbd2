/** Whether a path with `/` is one that the globs name, or is inside of a folder that they name. `!` takes paths out again. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const rules = globs.map((glob) => {
    const isNegated = glob.startsWith('!');
    const plain = (isNegated ? glob.slice(1) : glob).replace(/^\.?\//, '').replace(/\/+$/, '');
    return { isNegated, pattern: new RegExp(`^(?:${toPattern(plain)})(?:/.*)?$`, 's') };
  });
  return (path) =>
    rules.reduce((held, { isNegated, pattern }) => (pattern.test(path) ? !isNegated : held), false);
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
