import type { SyntaxProblem } from '../syntax-problem.ts';
import { composeYaml, parseYamlEvents, type YamlNode, type YamlSyntax } from './syntax.ts';

/** Brackets, or a line that may begin with the colon of a key. */
const MAY_DIFFER = /[[{]|^[\s-]*:|\n[\s-]*:/;

/** A dash alone between brackets and commas is text in PyYAML, and nothing that YAML 1.2 allows. */
const LONE_DASH = /(?<=[[{,:]\s*)-(?=[,\]}])/g;

/** What YAML 1.2 and PyYAML read differently without special line breaks: where a scalar may begin, and keys that are missing. */
export function asPyYamlReads(text: string, core: YamlSyntax): YamlSyntax {
  const syntax = 'problem' in core ? withDashes(text, core) : core;
  if ('problem' in syntax || syntax.root === undefined || !MAY_DIFFER.test(text)) return syntax;
  const problem = findRefused(syntax.root, text, false);
  return problem === undefined ? syntax : { problem };
}

/** The parser gets a text of the same length without lone dashes. Values are read from the original text. */
function withDashes(text: string, core: YamlSyntax): YamlSyntax {
  const masked = text.replaceAll(LONE_DASH, 'x');
  if (masked === text) return core;
  const parsed = parseYamlEvents(masked);
  return 'error' in parsed ? core : composeYaml(parsed.events, text);
}

function findRefused(node: YamlNode, text: string, isInFlow: boolean): SyntaxProblem | undefined {
  switch (node.kind) {
    case 'alias':
      return undefined;
    case 'scalar':
      return isInFlow && node.isPlain && node.text !== '' && /[:?]/.test(text[node.start]!)
        ? refused(`a text without quotes that begins with "${text[node.start]}" between brackets`, node.start)
        : undefined;
    case 'sequence': {
      const isFlow = isInFlow || text[node.start] === '[';
      return firstOf(node.items, (item) => findRefused(item, text, isFlow));
    }
    case 'mapping': {
      const isFlow = isInFlow || text[node.start] === '{';
      return firstOf(node.entries, ({ key, value }) =>
        isMissing(key, text)
          ? refused('a colon without a key before it', key.start)
          : (findRefused(key, text, isFlow) ?? findRefused(value, text, isFlow)),
      );
    }
  }
}

function firstOf<T>(
  items: readonly T[],
  find: (item: T) => SyntaxProblem | undefined,
): SyntaxProblem | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An empty key, unless a `?` announces it. */
function isMissing(key: YamlNode, text: string): boolean {
  if (key.kind !== 'scalar' || !key.isPlain || key.text !== '' || key.isAnchored || key.tag !== undefined)
    return false;
  const before = text[key.start - 1] ?? '';
  return /[:?]/.test(before) ? before === ':' : /[?:]/.exec(text.slice(key.start))?.[0] === ':';
}

function refused(message: string, offset: number): SyntaxProblem {
  return {
    code: 'yaml_syntax',
    message,
    hint: 'PyYAML refuses it or reads something else: put the text in quotes, or a space after the colon',
    offset,
  };
}
