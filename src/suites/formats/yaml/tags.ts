import type { DocumentDirective } from 'js-yaml';

const YAML_TAG = 'tag:yaml.org,2002:';

interface Tagged {
  readonly tagStart: number;
  readonly tagEnd: number;
}

/** Reads a node's explicit tag: `str` for `!!str`, the whole name for tags outside YAML's own, undefined for none. */
export function createTagReader(
  directives: readonly DocumentDirective[],
): (text: string, node: Tagged) => string | undefined {
  const prefixes = new Map<string, string>([
    ['!!', YAML_TAG],
    ['!', '!'],
  ]);
  for (const directive of directives)
    if (directive.kind === 'tag') prefixes.set(directive.handle, directive.prefix);
  return (text, { tagStart, tagEnd }) => {
    if (tagStart === -1) return undefined;
    const name = expandTag(text.slice(tagStart, tagEnd), prefixes);
    return name.startsWith(YAML_TAG) ? name.slice(YAML_TAG.length) : name;
  };
}

function expandTag(written: string, prefixes: ReadonlyMap<string, string>): string {
  if (written.startsWith('!<')) return written.slice(2, -1);
  const handle = /^!(?:[0-9A-Za-z-]*!)?/.exec(written)?.[0] ?? '!';
  return (prefixes.get(handle) ?? handle) + written.slice(handle.length);
}
